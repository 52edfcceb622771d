// The bytes of a record: what was written comes back, and nothing else does.
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "core/header_reader.hpp"
#include "core/record_format.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

using ::testing::HasSubstr;

Digest some_digest(std::string_view of) { return digest(of); }

Head some_head() {
  Head head;
  head.kind = Kind::value;
  head.codec = CodecId::json;
  head.schema = 3;
  head.revision = 0x01020304;
  head.identity = some_digest("identity");
  head.fingerprint = some_digest("fingerprint");
  head.fence = 0x0102030405060708;
  head.shape = 0xdeadbeef;
  return head;
}

const Place here{"0123456789abcdef", "draft/team", 7};

Header some_header() {
  Header header;
  header.run_uid = "0123456789abcdef";
  header.pipeline = "memo";
  header.key = "draft/Team \"A\"\n";
  header.generation = 7;
  header.at = "2026-11-21T20:44:01.123Z";
  header.schema_name = "Draft";
  header.seconds = 0.1;
  header.attempts = 3;
  header.cost = {.usd = 0.49, .tokens = 1234};
  header.inputs = {{"deck", some_digest("a")}, {"names[]", some_digest("b")}};
  header.shape = R"({"a":"string"})";
  header.exports = {{"2-sections/04-team.md", some_digest("new"), some_digest("old"), 41},
                    {"x.md", some_digest("x"), std::nullopt, 42}};
  header.confirmed = {{"y.md", some_digest("y"), std::nullopt, 40}};
  header.payload_bytes = 9812;
  header.payload_digest = some_digest("payload");
  return header;
}

void expect_same(const std::vector<Export>& a, const std::vector<Export>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].path, b[i].path);
    EXPECT_EQ(a[i].digest, b[i].digest);
    EXPECT_EQ(a[i].before, b[i].before);
    EXPECT_EQ(a[i].order, b[i].order);
  }
}

// ---- tag ---------------------------------------------------------------------------------------

TEST(RecordTag, ComesBackFieldByField) {
  const TagReading reading = decode_tag(encode_tag(some_head(), here), here);
  EXPECT_EQ(reading.damage, Damage::none);
  EXPECT_EQ(reading.head, some_head());
}

RC_GTEST_PROP(RecordTag, AnyFieldsComeBack,
              (std::uint32_t schema, std::uint32_t revision, std::uint64_t fence,
               std::uint32_t shape, const std::string& identity, std::uint64_t generation)) {
  Head head = some_head();
  head.schema = schema;
  head.revision = revision;
  head.fence = fence;
  head.shape = shape;
  head.identity = digest(identity);
  const Place place{"uid", "s", generation};
  const TagReading reading = decode_tag(encode_tag(head, place), place);
  RC_ASSERT(reading.damage == Damage::none);
  RC_ASSERT(reading.head == head);
}

TEST(RecordTag, HasTheBytesThatTheFormatSays) {
  const Tag tag = encode_tag(some_head(), here);
  const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(tag.raw[i]); };
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(tag.raw.data()), 4), "RSMB");
  EXPECT_EQ(at(4), 1U);  // layout
  EXPECT_EQ(at(5), 1U);  // kind
  EXPECT_EQ(at(6), 0U);  // flags
  EXPECT_EQ(at(7), static_cast<unsigned>(CodecId::json));
  EXPECT_EQ(at(8), 3U);   // schema, little-endian
  EXPECT_EQ(at(12), 4U);  // revision
  EXPECT_EQ(at(15), 1U);
  EXPECT_EQ(at(16), some_digest("identity").bytes[0]);
  EXPECT_EQ(at(32), some_digest("fingerprint").bytes[0]);
  EXPECT_EQ(at(48), 8U);  // fence
  EXPECT_EQ(at(55), 1U);
  EXPECT_EQ(at(56), 0xefU);  // shape
}

TEST(RecordTag, EveryFlippedBitIsNoticed) {
  const Tag tag = encode_tag(some_head(), here);
  for (std::size_t bit = 0; bit < 8 * tag.raw.size(); ++bit) {
    Tag damaged = tag;
    damaged.raw[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_NE(decode_tag(damaged, here).damage, Damage::none) << bit;
  }
}

TEST(RecordTag, IsBoundToItsRunItsPathAndItsGeneration) {
  const Tag tag = encode_tag(some_head(), here);
  for (const Place& other :
       {Place{"0123456789abcdee", "draft/team", 7}, Place{"0123456789abcdef", "draft/market", 7},
        Place{"0123456789abcdef", "draft/team", 8}, Place{"0123456789abcde", "fdraft/team", 7},
        Place{"", "", 0}}) {
    EXPECT_EQ(decode_tag(tag, other).damage, Damage::torn);
  }
}

TEST(RecordTag, ForeignAndNewerAreToldFromTorn) {
  Tag tag = encode_tag(some_head(), here);
  Tag foreign = tag;
  foreign.raw[0] = std::byte{'X'};
  EXPECT_EQ(decode_tag(foreign, here).damage, Damage::foreign);
  EXPECT_EQ(decode_tag(Tag{}, here).damage, Damage::foreign);
  Tag newer = tag;
  newer.raw[4] = std::byte{2};
  EXPECT_EQ(decode_tag(newer, here).damage, Damage::newer);
  Head flagged = some_head();
  flagged.flags = 16;
  EXPECT_EQ(decode_tag(encode_tag(flagged, here), here).damage, Damage::newer);
}

// ---- header ------------------------------------------------------------------------------------

TEST(RecordHeader, ComesBackFieldByField) {
  const Tag tag = encode_tag(some_head(), here);
  const std::string line = encode_header(some_header(), tag);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto found = decode_header(line, tag);
  ASSERT_TRUE(found);
  const Header wanted = some_header();
  EXPECT_EQ(found->run_uid, wanted.run_uid);
  EXPECT_EQ(found->pipeline, wanted.pipeline);
  EXPECT_EQ(found->key, wanted.key);
  EXPECT_EQ(found->generation, wanted.generation);
  EXPECT_EQ(found->at, wanted.at);
  EXPECT_EQ(found->schema_name, wanted.schema_name);
  EXPECT_EQ(found->seconds, wanted.seconds);
  EXPECT_EQ(found->attempts, wanted.attempts);
  EXPECT_EQ(found->cost, wanted.cost);
  ASSERT_EQ(found->inputs.size(), 2U);
  EXPECT_EQ(found->inputs[1].name, "names[]");
  EXPECT_EQ(found->inputs[1].identity, some_digest("b"));
  EXPECT_EQ(found->shape, wanted.shape);
  expect_same(found->exports, wanted.exports);
  expect_same(found->confirmed, wanted.confirmed);
  EXPECT_EQ(found->payload_bytes, wanted.payload_bytes);
  EXPECT_EQ(found->payload_digest, wanted.payload_digest);
}

Header plain_header() {
  Header header = some_header();
  header.key = "draft/Team \"A\" \\ / \b\f\n\r\t";
  return header;
}

TEST(RecordHeader, OfPlainTextIsReadWithoutAParserAsTheParserReadsIt) {
  const Tag tag = encode_tag(some_head(), here);
  const Header wanted = plain_header();
  Header found;
  ASSERT_TRUE(read_plain_header(encode_header(wanted, tag), found));
  EXPECT_EQ(encode_header(found, tag), encode_header(wanted, tag)) << "nothing is left out";
  for (auto change : std::vector<std::function<void(Header&)>>{
           [](Header& one) { one.key = "draft/Zürich"; }, [](Header& one) { one.key += '\x01'; },
           [](Header& one) { one.inputs[0].name = "a\"b"; },
           [](Header& one) { one.edited_by = "ann"; }, [](Header& one) { one.adopted_by = "ann"; },
           [](Header& one) { one.from_generation = 3; },
           [](Header& one) { one.exports[0].edited = true; },
           [](Header& one) {
             one.collisions = {{"a", "b", "c"}};
           }}) {
    Header other = wanted;
    change(other);
    const std::string line = encode_header(other, tag);
    EXPECT_FALSE(read_plain_header(line, found)) << line;
    const auto parsed = decode_header(line, tag);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(encode_header(*parsed, tag), line);
  }
}

TEST(RecordHeader, ThatLacksAFieldIsLeftToTheParser) {
  const std::string line = encode_header(plain_header(), encode_tag(some_head(), here));
  Header found;
  for (const char* field : {"key", "generation", "run", "pipeline", "at", "seconds", "attempts"}) {
    std::string without = line;
    const std::size_t at = without.find("\"" + std::string{field} + "\":");
    without.erase(at, without.find(",\"", at) + 1 - at);
    EXPECT_FALSE(read_plain_header(without, found)) << without;
  }
  for (std::size_t length = 0; length < line.size(); ++length) {
    EXPECT_FALSE(read_plain_header(std::string_view{line}.substr(0, length), found)) << length;
  }
  EXPECT_FALSE(read_plain_header(line + " ", found));
}

RC_GTEST_PROP(RecordHeader, OfAnyNumbersComesBack,
              (std::uint64_t generation, double seconds, unsigned attempts, double usd,
               std::uint64_t tokens, std::uint64_t bytes)) {
  Header header = plain_header();
  header.generation = generation;
  header.seconds = seconds;
  header.attempts = attempts;
  header.cost = {.usd = usd, .tokens = tokens};
  header.payload_bytes = bytes;
  const Tag tag = encode_tag(some_head(), here);
  Header found;
  RC_ASSERT(read_plain_header(encode_header(header, tag), found));
  RC_ASSERT(found.seconds == seconds);
  RC_ASSERT(encode_header(found, tag) == encode_header(header, tag));
}

/// Of one input twice, the last counts, where the first was.
TEST(RecordHeader, HasTheBytesThatNlohmannWrites) {
  Header header = some_header();
  header.from_generation = 7;
  header.adopted_by = "ann";
  header.edited_by = "Zoë \"Z\"";
  header.collisions = {{"/a", "b\n", "c\\"}, {"", "", ""}};
  header.exports.push_back({"x", some_digest("x"), some_digest("y"), 9, true});
  header.inputs.push_back({header.inputs[0].name, some_digest("again")});
  const std::string line = encode_header(header, encode_tag(some_head(), here));
  const auto json = nlohmann::ordered_json::parse(line);
  EXPECT_EQ(json.dump(), line);
  EXPECT_EQ(json.at("inputs").size(), 2U);
  EXPECT_EQ(json.at("inputs").begin().value(), some_digest("again").hex());
  EXPECT_EQ(json.at("exports").back(), (nlohmann::ordered_json{{"path", "x"},
                                                               {"digest", some_digest("x").hex()},
                                                               {"order", 9},
                                                               {"before", some_digest("y").hex()},
                                                               {"edited", true}}));
  EXPECT_EQ(json.at("collisions").front().at("value"), "c\\");
}

RC_GTEST_PROP(RecordHeader, OfAnyTextsHasTheBytesThatNlohmannWrites, ()) {
  const auto ascii = rc::gen::container<std::string>(rc::gen::inRange('\0', '\x7f'));
  Header header = some_header();
  header.key = *ascii;
  header.pipeline = *ascii;
  header.shape = *ascii;
  header.inputs[0].name = *ascii;
  const std::string line = encode_header(header, encode_tag(some_head(), here));
  RC_ASSERT(nlohmann::ordered_json::parse(line).dump() == line);
}

TEST(RecordHeader, EveryFlippedBitEveryLengthAndEveryOtherTagIsNoticed) {
  const Tag tag = encode_tag(some_head(), here);
  const std::string line = encode_header(some_header(), tag);
  for (std::size_t bit = 0; bit < 8 * line.size(); ++bit) {
    std::string damaged = line;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(decode_header(damaged, tag)) << bit;
  }
  for (std::size_t length = 0; length < line.size(); ++length) {
    EXPECT_FALSE(decode_header(line.substr(0, length), tag)) << length;
  }
  EXPECT_FALSE(decode_header(line + " ", tag));
  EXPECT_FALSE(decode_header(line + line, tag));
  for (std::size_t bit = 0; bit < 8 * tag.raw.size(); ++bit) {
    Tag other = tag;
    other.raw[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_FALSE(decode_header(line, other)) << bit;
  }
}

RC_GTEST_PROP(RecordHeader, GarbageIsNeverAHeader, (const std::string& garbage)) {
  RC_ASSERT(!decode_header(garbage, encode_tag(some_head(), here)));
}

TEST(RecordHeader, MoreThan64KiBAreRefusedAndExactlySoManyAreNot) {
  const Tag tag = encode_tag(some_head(), here);
  Header header = some_header();
  header.key = "k";
  const std::size_t least = encode_header(header, tag).size();
  header.key = std::string(max_header_bytes - least + 1, 'k');
  EXPECT_EQ(encode_header(header, tag).size(), max_header_bytes);
  EXPECT_TRUE(decode_header(encode_header(header, tag), tag));
  header.key += 'k';
  try {
    static_cast<void>(encode_header(header, tag));
    FAIL() << "too large";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::too_large);
    EXPECT_THAT(error.explain(), HasSubstr("65537 bytes"));
    EXPECT_FALSE(error.info().next.empty());
  }
}

TEST(RecordPayload, MustHaveTheLengthAndTheBytes) {
  Header header;
  const StringPayload payload("some bytes");
  header.payload_bytes = payload.size();
  header.payload_digest = digest_of(payload);
  EXPECT_TRUE(payload_matches(header, payload));
  EXPECT_FALSE(payload_matches(header, StringPayload("some byteS")));
  EXPECT_FALSE(payload_matches(header, StringPayload("some bytes ")));
  EXPECT_FALSE(payload_matches(header, StringPayload("")));
}

TEST(RecordKind, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int kind = 1; kind <= 19; ++kind) names.insert(to_string(static_cast<Kind>(kind)));
  EXPECT_EQ(names.size(), 19U);
  EXPECT_EQ(names.count("unknown"), 0U);
  EXPECT_EQ(to_string(static_cast<Kind>(200)), "unknown");
}

}  // namespace
}  // namespace resumable::core
