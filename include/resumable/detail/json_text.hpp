/// @file
/// JSON as text: a strict reader, an exact writer, a search for one value, and a comparison of two
/// documents.
///
/// The library reads and writes the text itself, so that the bytes, and with them the digests, do
/// not depend on the version or the settings of a program's nlohmann/json, and none of its types
/// crosses the library's boundary. Errors are: comments, a byte order mark, anything after the
/// document, duplicate keys, text that is not UTF-8, numbers that do not fit into 64 bits, more
/// than 256 levels. No promises: this header may change in any version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/error.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

/// How deep objects and arrays may be nested, when reading and when writing.
inline constexpr std::size_t max_json_depth = 256;

/// Receives the content of a JSON document, in order.
class RESUMABLE_EXPORT JsonSink {
 public:
  JsonSink() = default;
  JsonSink(const JsonSink&) = delete;
  JsonSink& operator=(const JsonSink&) = delete;
  virtual ~JsonSink();

  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void natural(std::uint64_t value) = 0;
  virtual void real(double value) = 0;
  virtual void string(std::string_view value) = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void begin_object() = 0;
  /// Returns false when the object has this key already.
  virtual bool key(std::string_view name) = 0;
  virtual void end_object() = 0;
};

/// Reads one document (RFC 8259) and nothing else from `text`. Numbers without fraction and
/// exponent are natural (>= 0), integer (< 0) or refused; "-0" is real. Linear; recursion is
/// bounded.
/// @throws Error{Errc::not_decodable}  with line, column and path
RESUMABLE_EXPORT void read_json(std::string_view text, JsonSink& sink);

/// The part of the document `text` that a JSON pointer (RFC 6901) names, such as /sections/3/title;
/// nullopt if there is none. Finds it without reading what comes after, and skips what comes before
/// from quote to quote and bracket to bracket. So this checks nothing: read_json() must read the
/// part. If `text` is not a document, any part of it may be returned.
/// @throws Error{Errc::bad_option}  `pointer` is not empty and does not begin with a slash
/// @throws Error{Errc::not_decodable}  a key has an escape that JSON does not have
[[nodiscard]] RESUMABLE_EXPORT std::optional<std::string_view> find_json(std::string_view text,
                                                                         std::string_view pointer);

/// One open object or array: enough to name the place in a message.
struct JsonFrame {
  bool object = false;
  std::size_t count = 0;  ///< elements begun so far
  std::string key;        ///< of the current member
};

/// Writes canonical JSON: no white space, doubles with the fewest digits that read back exactly and
/// always with a fraction or an exponent, escapes only where they must be. The order of keys is the
/// caller's. Digests are made from these bytes: what they look like is frozen.
class RESUMABLE_EXPORT JsonWriter final : public JsonSink {
 public:
  ~JsonWriter() override;
  void null() override;
  void boolean(bool value) override;
  void integer(std::int64_t value) override;
  void natural(std::uint64_t value) override;
  /// @throws Error{Errc::not_encodable}  NaN or infinite
  void real(double value) override;
  /// @throws Error{Errc::not_encodable}  not UTF-8
  void string(std::string_view value) override;
  void begin_array() override { open(false); }
  void end_array() override { close(']'); }
  void begin_object() override { open(true); }
  bool key(std::string_view name) override;
  void end_object() override { close('}'); }

  /// Throws Error{Errc::not_encodable} for the value that comes next.
  [[noreturn]] void refuse(std::string_view why, std::string_view next = {}) const;

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void separate();
  void open(bool object);
  void close(char bracket);
  void quote(std::string_view text);

  std::string text_;
  std::vector<JsonFrame> frames_;
};

/// Compares the document `before` with `after`, to which its decoded value was encoded. Formatting,
/// the order of keys and the notation of equal numbers do not matter.
/// @throws Error{Errc::not_decodable}  they differ; names the first places, as "/a/2: 300 became
/// 44"
RESUMABLE_EXPORT void require_same_json(std::string_view before, std::string_view after);

}  // namespace detail
}  // namespace v0
}  // namespace resumable
