// JSON as CBOR and MessagePack: what is read, and what is refused.
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {

struct Samples {
  std::vector<double> values;
  friend bool operator==(const Samples&, const Samples&) = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Samples, values)

}  // namespace resumable::testing_support

template <>
struct resumable::Codec<resumable::testing_support::Samples>
    : resumable::CborCodec<resumable::testing_support::Samples> {};

namespace resumable::testing_support {
namespace {

using ::testing::HasSubstr;

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
  }
  return bytes;
}

struct Case {
  CodecId form;
  std::string_view hex;
  std::string_view why;
};

TEST(PackedJson, BytesThatAreNoJsonDocumentAreRefused) {
  constexpr auto cbor = CodecId::cbor;
  constexpr auto msgpack = CodecId::msgpack;
  for (const Case& one : std::vector<Case>{
           {cbor, "", "byte 1"},
           {cbor, "8201", "byte 3"},
           {cbor, "0101", "byte 2"},
           {cbor, "a2616101616102", "twice"},
           {cbor, "a10102", "byte 2"},
           {cbor, "f97e00", "NaN"},
           {cbor, "fb7ff0000000000000", "infinite"},
           {cbor, "4100", "binary"},
           {cbor, "c06161", "byte 1"},
           {cbor, "61ff", "UTF-8"},
           {cbor, "a161ff01", "UTF-8"},
           {cbor, "3bffffffffffffffff", "64 bits"},
           {msgpack, "", "byte 1"},
           {msgpack, "9201", "byte 3"},
           {msgpack, "0101", "byte 2"},
           {msgpack, "82a16101a16102", "twice"},
           {msgpack, "810102", "byte 2"},
           {msgpack, "cb7ff8000000000000", "NaN"},
           {msgpack, "c40100", "binary"},
           {msgpack, "d40100", "binary"},
           {msgpack, "a1ff", "UTF-8"},
           {msgpack, "d005", "shortest"},
       }) {
    const Refusal found =
        refusal([&] { static_cast<void>(detail::unpack_json(one.form, from_hex(one.hex))); });
    EXPECT_EQ(found.code, Errc::not_decodable) << one.hex;
    EXPECT_THAT(found.what, HasSubstr(one.why)) << one.hex;
  }
}

TEST(PackedJson, IsBoundedInDepthAsJsonIs) {
  struct Nesting {
    CodecId form;
    char array_of_one;
  };
  for (const Nesting& one : {Nesting{CodecId::cbor, '\x81'}, Nesting{CodecId::msgpack, '\x91'}}) {
    const auto unpack = [&](std::size_t levels) {
      const char innermost = static_cast<char>(one.array_of_one - 1);
      return detail::unpack_json(one.form, std::string(levels - 1, one.array_of_one) + innermost);
    };
    EXPECT_EQ(unpack(256), std::string(256, '[') + std::string(256, ']'));
    EXPECT_THAT(refusal([&] { static_cast<void>(unpack(257)); }).what, HasSubstr("levels"));
    EXPECT_THAT(refusal([&] { static_cast<void>(unpack(1U << 22U)); }).what, HasSubstr("levels"));
  }
}

TEST(PackedJson, ACodecGivesItsOwnFormAndReadsIt) {
  const Samples samples{{0.5, 1e300, 1.0 / 3}};
  const std::string bytes = Codec<Samples>::encode(samples);
  EXPECT_EQ(static_cast<unsigned char>(bytes.at(0)), 0xa1U) << "a map of one";
  EXPECT_EQ(Codec<Samples>::decode(bytes), samples);
  EXPECT_EQ(saved(samples), R"({"values":[0.5,1e+300,0.3333333333333333]})")
      << "in the process it is JSON";
  const detail::ValueType& type = detail::value_type<Samples>();
  EXPECT_EQ(type.codec, CodecId::json);
  EXPECT_EQ(type.stored_as(), CodecId::cbor);
  EXPECT_EQ(detail::value_type<Json>().stored_as(), CodecId::json);
}

TEST(PackedJson, ACodecRefusesWhatTheTypeDoesNotHold) {
  const std::string more = detail::pack_json(CodecId::cbor, R"({"unit":"mV","values":[]})");
  const Refusal found = refusal([&] { static_cast<void>(Codec<Samples>::decode(more)); });
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/unit");
}

}  // namespace
}  // namespace resumable::testing_support
