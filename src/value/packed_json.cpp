#include "resumable/detail/packed_json.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

std::string_view name_of(CodecId form) { return form == CodecId::cbor ? "CBOR" : "MessagePack"; }

[[noreturn]] void refuse(CodecId form, std::string_view why) {
  throw Error(Errc::not_decodable, {.what = fmt::format("these bytes are not a document in {}: {}",
                                                        name_of(form), why)});
}

/// Receives what nlohmann's reader finds, and refuses what is not JSON. Returning false would end
/// the reading without a reason, so each refusal is thrown.
class Hearer final : public nlohmann::json_sax<Json> {
 public:
  explicit Hearer(CodecId form) : form_(form) {}

  bool null() override { return (builder_.null(), true); }
  bool boolean(bool value) override { return (builder_.boolean(value), true); }
  bool number_integer(std::int64_t value) override {
    // Both forms have another notation for what is not negative. The reader wraps what is below
    // -2^63 around.
    if (value >= 0)
      refuse(form_, "an integer that is not in its shortest form, or does not fit into 64 bits");
    return (builder_.integer(value), true);
  }
  bool number_unsigned(std::uint64_t value) override { return (builder_.natural(value), true); }
  bool number_float(double value, const std::string& /*digits*/) override {
    if (!std::isfinite(value)) refuse(form_, "a number that is NaN or infinite");
    return (builder_.real(value), true);
  }
  bool string(std::string& value) override { return (builder_.string(utf8(value)), true); }
  bool binary(Json::binary_t& /*value*/) override { refuse(form_, "a binary value"); }
  bool start_object(std::size_t /*size*/) override {
    deeper();
    return (builder_.begin_object(), true);
  }
  bool key(std::string& name) override {
    if (!builder_.key(utf8(name))) refuse(form_, "a key that occurs twice");
    return true;
  }
  bool end_object() override { return (--depth_, builder_.end_object(), true); }
  bool start_array(std::size_t /*size*/) override {
    deeper();
    return (builder_.begin_array(), true);
  }
  bool end_array() override { return (--depth_, builder_.end_array(), true); }
  bool parse_error(std::size_t at, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    refuse(form_, fmt::format("byte {} does not fit", at));
  }

  [[nodiscard]] Json take() { return builder_.take(); }

 private:
  // The reader is recursive.
  void deeper() {
    if (++depth_ > max_json_depth) refuse(form_, "too many levels");
  }
  [[nodiscard]] std::string_view utf8(std::string_view text) const {
    if (!core::is_utf8(text)) refuse(form_, "a text that is not UTF-8");
    return text;
  }

  CodecId form_;
  std::size_t depth_ = 0;
  JsonBuilder builder_;
};

}  // namespace

std::string pack_json(CodecId form, std::string_view json) {
  const Json document = parse_json(json);
  std::string bytes;
  if (form == CodecId::cbor) {
    Json::to_cbor(document, bytes);
  } else {
    Json::to_msgpack(document, bytes);
  }
  return bytes;
}

std::string unpack_json(CodecId form, std::string_view bytes) {
  Hearer hearer{form};
  const auto format = form == CodecId::cbor ? nlohmann::detail::input_format_t::cbor
                                            : nlohmann::detail::input_format_t::msgpack;
  if (!Json::sax_parse(bytes, &hearer, format, true)) refuse(form, "it ends too early");
  return json_text(hearer.take());
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
