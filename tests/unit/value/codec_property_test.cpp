#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resumable/json_types.hpp"
#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

/// Any finite double: of any magnitude, denormals and both zeros included.
rc::Gen<double> any_double() {
  return rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    return std::isfinite(value) ? value : std::bit_cast<double>(bits & ~(std::uint64_t{1} << 62U));
  });
}

void append_code_point(std::string& text, std::uint32_t code) {
  if (code >= 0xd800 && code <= 0xdfff) code -= 0x800;
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0U | (code >> 6U));
  } else if (code < 0x10000) {
    byte(0xe0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3fU));
  } else {
    byte(0xf0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3fU));
    byte(0x80U | ((code >> 6U) & 0x3fU));
  }
  byte(0x80U | (code & 0x3fU));
}

/// Any UTF-8 text, often with what must be escaped.
rc::Gen<std::string> any_text() {
  const auto code = rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 0x80),
                                   rc::gen::inRange<std::uint32_t>(0, 0x110000));
  return rc::gen::map(rc::gen::container<std::vector<std::uint32_t>>(code),
                      [](const std::vector<std::uint32_t>& codes) {
                        std::string text;
                        for (const std::uint32_t c : codes) append_code_point(text, c);
                        return text;
                      });
}

rc::Gen<Json> any_scalar() {
  const auto json = [](const auto& value) { return Json(value); };
  return rc::gen::oneOf(rc::gen::just(Json()), rc::gen::map(rc::gen::arbitrary<bool>(), json),
                        rc::gen::map(rc::gen::negative<std::int64_t>(), json),
                        rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), json),
                        rc::gen::map(any_double(), json), rc::gen::map(any_text(), json));
}

rc::Gen<Json> any_json(int levels) {
  if (levels == 0) return any_scalar();
  const auto json = [](const auto& value) { return Json(value); };
  const auto inner = rc::gen::resize(4, any_json(levels - 1));
  return rc::gen::oneOf(
      any_scalar(), rc::gen::map(rc::gen::container<Json::array_t>(inner), json),
      rc::gen::map(rc::gen::container<Json::object_t>(rc::gen::resize(6, any_text()), inner),
                   json));
}

struct Everything {
  bool flag = false;
  std::int8_t small = 0;
  std::int64_t negative = 0;
  std::uint64_t natural = 0;
  double real = 0;
  float single = 0;
  std::string text;
  std::vector<std::string> list;
  std::map<std::string, std::vector<double>> by_name;
  std::map<int, std::pair<int, std::string>> by_number;
  std::optional<std::int32_t> maybe;
  std::chrono::microseconds took{};
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Everything, flag, small, negative, natural, real, single, text,
                                   list, by_name, by_number, maybe, took)

rc::Gen<Everything> any_struct() {
  using rc::gen::arbitrary;
  using rc::gen::set;
  const auto single = rc::gen::map(any_double(), [](double value) {
    return std::abs(value) < 1e38 ? static_cast<float>(value) : 0.5F;
  });
  const auto maybe = rc::gen::map(arbitrary<std::pair<bool, std::int32_t>>(), [](const auto& p) {
    return p.first ? std::optional<std::int32_t>(p.second) : std::nullopt;
  });
  const auto took = rc::gen::map(arbitrary<std::int64_t>(),
                                 [](std::int64_t n) { return std::chrono::microseconds(n); });
  const auto by_number = rc::gen::container<std::map<int, std::pair<int, std::string>>>(
      arbitrary<int>(), rc::gen::pair(arbitrary<int>(), any_text()));
  return rc::gen::build<Everything>(
      set(&Everything::flag), set(&Everything::small), set(&Everything::negative),
      set(&Everything::natural), set(&Everything::real, any_double()),
      set(&Everything::single, single), set(&Everything::text, any_text()),
      set(&Everything::list, rc::gen::container<std::vector<std::string>>(any_text())),
      set(&Everything::by_name,
          rc::gen::container<std::map<std::string, std::vector<double>>>(
              any_text(), rc::gen::container<std::vector<double>>(any_double()))),
      set(&Everything::by_number, by_number), set(&Everything::maybe, maybe),
      set(&Everything::took, took));
}

RC_GTEST_PROP(CodecProperty, AnyJsonValueRoundTripsBitForBit, ()) {
  const Json value = *any_json(3);
  const std::string bytes = saved(value);
  RC_ASSERT(saved(loaded<Json>(bytes)) == bytes);
  RC_ASSERT(loaded<Json>(bytes) == value);
}

RC_GTEST_PROP(CodecProperty, NlohmannReadsWhatWeWrite, ()) {
  const Json value = *any_json(3);
  RC_ASSERT(Json::parse(saved(value)) == value);
}

RC_GTEST_PROP(CodecProperty, WeReadWhatNlohmannWrites, ()) {
  const Json value = *any_json(3);
  RC_ASSERT(saved(loaded<Json>(value.dump(2))) == saved(value));
  RC_ASSERT(saved(loaded<Json>(value.dump(-1, ' ', true))) == saved(value));
}

RC_GTEST_PROP(CodecProperty, DoublesRoundTripBitForBit, ()) {
  const double value = *any_double();
  RC_ASSERT(std::bit_cast<std::uint64_t>(loaded<double>(saved(value))) ==
            std::bit_cast<std::uint64_t>(value));
}

RC_GTEST_PROP(CodecProperty, AnyStructRoundTripsBitForBit, ()) {
  const Everything value = *any_struct();
  const std::string bytes = saved(value);
  const auto again = loaded<Everything>(bytes);
  RC_ASSERT(saved(again) == bytes);
  RC_ASSERT(again.natural == value.natural);
  RC_ASSERT(std::bit_cast<std::uint32_t>(again.single) ==
            std::bit_cast<std::uint32_t>(value.single));
  RC_ASSERT(again.by_name == value.by_name);
  RC_ASSERT(again.took == value.took);
}

RC_GTEST_PROP(CodecProperty, AnyBytesAreReadOrRefused, (const std::string& bytes)) {
  const Refusal found = refused_to_load<Json>(bytes);
  RC_ASSERT(found.code == Errc{} || found.code == Errc::not_decodable);
}

RC_GTEST_PROP(CodecProperty, ArbitraryBytesAndTextsRoundTrip, (const std::string& bytes)) {
  RC_ASSERT(loaded<Bytes>(saved(Bytes{bytes})).bytes == bytes);
  const std::string text = *any_text();
  RC_ASSERT(loaded<Text>(saved(Text{text})).text == text);
}

RC_GTEST_PROP(CodecProperty, PackedJsonRoundTripsBitForBit, ()) {
  const std::string json = saved(*any_json(3));
  for (const CodecId form : {CodecId::cbor, CodecId::msgpack}) {
    RC_ASSERT(detail::unpack_json(form, detail::pack_json(form, json)) == json);
  }
}

RC_GTEST_PROP(CodecProperty, PackedBytesAreReadOrRefused, (std::string bytes)) {
  const auto form = *rc::gen::element(CodecId::cbor, CodecId::msgpack);
  if (*rc::gen::arbitrary<bool>()) {  // nearly a document
    bytes = detail::pack_json(form, saved(*any_json(3)));
    const auto bit = *rc::gen::inRange<std::size_t>(0, bytes.size() * 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  }
  std::string json;
  const Refusal found = refusal([&] { json = detail::unpack_json(form, bytes); });
  if (found.code == Errc{}) {
    RC_ASSERT(saved(loaded<Json>(json)) == json);
  } else {
    RC_ASSERT(found.code == Errc::not_decodable);
  }
}

}  // namespace
}  // namespace resumable::testing_support
