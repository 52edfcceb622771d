#include "value/redaction.hpp"

#include <utility>
#include <vector>

#include "core/redaction.hpp"
#include "resumable/detail/json_text.hpp"

namespace resumable::value {
namespace {

using detail::JsonFrame;

/// Writes the document again, without the fields.
class RedactingSink final : public detail::JsonSink {
 public:
  explicit RedactingSink(core::Redaction& redaction) : redaction_(redaction) {}

  void null() override {
    if (wanted(false)) out_.null();
  }
  void boolean(bool value) override {
    if (wanted(true)) out_.boolean(value);
  }
  void integer(std::int64_t value) override {
    if (wanted(true)) out_.integer(value);
  }
  void natural(std::uint64_t value) override {
    if (wanted(true)) out_.natural(value);
  }
  void real(double value) override {
    if (wanted(true)) out_.real(value);
  }
  void string(std::string_view value) override {
    begin_element();
    const bool field = skipped_ > 0 || is_field();
    if (field) redaction_.note(value);
    if (skipped_ > 0) return;
    found_ = found_ || field;
    out_.string(field ? core::redacted_text : value);
  }
  void begin_array() override { open(false); }
  void end_array() override { close(); }
  void begin_object() override { open(true); }
  bool key(std::string_view name) override {
    place_.back().key = name;
    return skipped_ > 0 || out_.key(name);
  }
  void end_object() override { close(); }

  [[nodiscard]] bool found() const noexcept { return found_; }
  [[nodiscard]] std::string take() { return out_.take(); }

 private:
  void begin_element() {
    if (!place_.empty() && !place_.back().object) ++place_.back().count;
  }
  [[nodiscard]] bool is_field() const { return redaction_.names(place_); }

  /// Whether the next value, which is not a text, is written; a field is replaced by null.
  bool wanted(bool says_something) {
    begin_element();
    if (skipped_ > 0) return false;
    if (!says_something || !is_field()) return true;
    found_ = true;
    out_.null();
    return false;
  }

  void open(bool object) {
    begin_element();
    if (skipped_ == 0 && is_field()) {
      found_ = true;
      out_.null();
      skipped_ = 1;
    } else if (skipped_ > 0) {
      ++skipped_;
    } else if (object) {
      out_.begin_object();
    } else {
      out_.begin_array();
    }
    place_.push_back({.object = object, .count = 0, .key = {}});
  }
  void close() {
    const bool object = place_.back().object;
    place_.pop_back();
    if (skipped_ > 0) {
      --skipped_;
    } else if (object) {
      out_.end_object();
    } else {
      out_.end_array();
    }
  }

  core::Redaction& redaction_;
  detail::JsonWriter out_;
  std::vector<JsonFrame> place_;
  std::size_t skipped_ = 0;  ///< open objects and arrays of a field
  bool found_ = false;
};

/// The library's own types, such as that of a failed attempt, have no shape.
bool concerns(const detail::Graph& graph, const detail::ValueType& type) {
  return graph.redaction != nullptr && type.codec == CodecId::json && type.shape != nullptr;
}

}  // namespace

std::shared_ptr<const Payload> encode(const detail::Graph& graph, const detail::ValueType& type,
                                      const void* value) {
  auto encoded = type.encode(value);
  if (!concerns(graph, type)) return encoded;
  RedactingSink sink{*graph.redaction};
  detail::read_json(read_all(*encoded), sink);
  if (!sink.found()) return encoded;
  return std::make_shared<const StringPayload>(sink.take());
}

std::shared_ptr<const Payload> encode(const detail::Graph& graph, const detail::ValueType& type,
                                      const detail::AnyValue& value) {
  if (type.share != nullptr) {
    if (auto shared = type.share(value)) return shared;
  }
  return encode(graph, type, value.get());
}

bool lacks_fields(const detail::Graph& graph, const detail::ValueType& type,
                  const Payload& recorded) {
  if (!concerns(graph, type)) return false;
  RedactingSink sink{*graph.redaction};
  detail::read_json(read_all(recorded), sink);
  return sink.found();
}

}  // namespace resumable::value
