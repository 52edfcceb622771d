/// @file
/// Values that are files: stored in the checkpoint, or left where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/codec_id.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/digest.hpp"
#include "resumable/export.hpp"
#include "resumable/record.hpp"

namespace resumable {
inline namespace v0 {

template <class T>
struct Codec;

/// A file as a value. Its bytes are copied into the checkpoint, piece by piece, and later stages
/// read them from there; so the file may be deleted once the stage is committed. Copies share one
/// file. Safe to use from several threads.
class RESUMABLE_EXPORT File {
 public:
  /// The regular file at `path`, which must not change until the stage that returns it is
  /// committed.
  /// @throws Error{Errc::unreadable}  there is no such file, it is a link, or it cannot be opened
  [[nodiscard]] static File of(const std::filesystem::path& path);

  [[nodiscard]] std::uint64_t size() const { return bytes_->size(); }
  /// The digest of the content. Reads all of it.
  [[nodiscard]] Digest digest() const;
  /// Copies bytes from the offset `at` into `to`; returns how many, fewer than fit only at the end.
  /// @throws Error{Errc::unreadable}  also if the file has changed since of()
  std::size_t read(std::uint64_t at, std::span<char> to) const { return bytes_->read(at, to); }
  /// All of the content, for small files.
  [[nodiscard]] std::string read() const { return read_all(*bytes_); }
  /// Writes the content to `path`, replacing any file there, all or nothing. Syncs nothing.
  /// @throws Error{Errc::unreadable}, Error{Errc::store_failed}  `path` is as it was
  void copy_to(const std::filesystem::path& path) const;

 private:
  friend struct Codec<File>;
  explicit File(std::shared_ptr<const Payload> bytes) : bytes_(std::move(bytes)) {}

  std::shared_ptr<const Payload> bytes_;
};

namespace detail {
template <>
inline constexpr bool has_library_codec<File> = true;
}  // namespace detail

template <>
struct Codec<File> {
  static constexpr CodecId id = CodecId::file;
  [[nodiscard]] static std::shared_ptr<const Payload> encode(const File& file) {
    return file.bytes_;
  }
  [[nodiscard]] static File decode(std::shared_ptr<const Payload> bytes) {
    return File(std::move(bytes));
  }
};

namespace detail {
/// How often this thread has encoded an InPlaceFile.
[[nodiscard]] RESUMABLE_EXPORT std::uint64_t encoded_in_place() noexcept;
RESUMABLE_EXPORT void note_encoded_in_place() noexcept;
}  // namespace detail

/// A file that stays where it is: the checkpoint has only its path, size and digest. So it cannot
/// be rolled back, forked or restored; use File if you need that. It may be a value, or anywhere in
/// one. A plan compares its size, and with ResumeOptions::verify_payloads its content: if it is
/// not as it was left, the stage, item or step that made it runs again.
struct InPlaceFile {
  std::string path;  ///< as given; a relative one is relative to the working directory
  std::uint64_t size = 0;
  Digest digest{};

  /// The regular file at `path` as it is now. Reads all of it.
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] RESUMABLE_EXPORT static InPlaceFile of(const std::filesystem::path& path);
  /// Whether the file still has this size and content; false when it is not there.
  /// @throws Error{Errc::unreadable}  it exists but cannot be read
  [[nodiscard]] RESUMABLE_EXPORT bool verify() const;

  friend bool operator==(const InPlaceFile&, const InPlaceFile&) = default;

  template <class J>
    requires requires { typename J::binary_t; }
  friend void to_json(J& json, const InPlaceFile& file) {
    detail::note_encoded_in_place();
    json = J::object();
    json["path"] = file.path;
    json["size"] = file.size;
    json["digest"] = file.digest.hex();
  }
  template <class J>
    requires requires { typename J::binary_t; }
  friend void from_json(const J& json, InPlaceFile& file) {
    json.at("path").get_to(file.path);
    json.at("size").get_to(file.size);
    const auto found = Digest::parse(json.at("digest").template get<std::string>());
    if (!found) throw std::invalid_argument("'digest' is not 32 hexadecimal digits");
    file.digest = *found;
  }
};

namespace detail {
template <>
inline constexpr bool has_library_codec<InPlaceFile> = true;
}  // namespace detail

template <>
struct Codec<InPlaceFile> {
  static constexpr CodecId id = CodecId::in_place;
  [[nodiscard]] RESUMABLE_EXPORT static std::string encode(const InPlaceFile& file);
  [[nodiscard]] RESUMABLE_EXPORT static InPlaceFile decode(std::string_view bytes);
};

}  // namespace v0
}  // namespace resumable
