// Keys as safe paths, artifact patterns, and the small things about text and time.
#include "core/key.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/pattern.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

using ::testing::StartsWith;

bool is_safe(const std::string& name) {
  return !name.empty() && name.size() <= 200 && name.front() != '.' && name.back() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') ||
                  std::string_view("._-%~").find(c) != std::string_view::npos;
         });
}

/// Back from a component that was not shortened.
std::string decoded(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%') {
      text += name[i];
      continue;
    }
    text += static_cast<char>(std::stoi(std::string(name.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return text;
}

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

RC_GTEST_PROP(EncodedComponent, IsSafeAndComesBack, ()) {
  const auto text = *rc::gen::nonEmpty(rc::gen::string<std::string>());
  const std::string name = encode_component(text);
  RC_ASSERT(is_safe(name));
  if (name.find('~') == std::string::npos) {
    RC_ASSERT(decoded(name) == text);
  }
}

RC_GTEST_PROP(EncodedComponent, TwoTextsNeverMeetNotEvenWhereCaseDoesNotCount, ()) {
  // Few letters, so that near misses are common.
  const auto letter = rc::gen::element('a', 'A', '.', '%', '~', '/', '2', 'E', 'e', '\xc3');
  const auto texts = rc::gen::container<std::string>(letter);
  const auto one = *texts;
  const auto two = *texts;
  RC_PRE(one != two && !one.empty() && !two.empty());
  RC_ASSERT(lowered(encode_component(one)) != lowered(encode_component(two)));
}

TEST(EncodedComponent, HostileTextsBecomeOneHarmlessName) {
  std::set<std::string> names;
  const std::vector<std::string> hostile{".",
                                         "..",
                                         "../x",
                                         "/",
                                         "a/b",
                                         "%",
                                         "%2F",
                                         "a\nb",
                                         std::string("a\0b", 3),
                                         "con",
                                         "CON",
                                         "con.txt",
                                         "nul",
                                         "com1",
                                         "lpt9",
                                         "x.",
                                         ".x",
                                         "~",
                                         "Team",
                                         "team",
                                         "tEAM",
                                         " ",
                                         "\x7f",
                                         "\xff\xfe",
                                         std::string(1024, 'a'),
                                         std::string(1023, 'a') + "b",
                                         std::string(1024, '/')};
  for (const std::string& text : hostile) {
    const std::string name = encode_component(text);
    EXPECT_TRUE(is_safe(name)) << name;
    EXPECT_NE(name, "con") << text;
    EXPECT_NE(name, "con.txt") << text;
    names.insert(lowered(name));
  }
  EXPECT_EQ(names.size(), hostile.size());
  EXPECT_EQ(encode_component("market_size-2.0"), "market_size-2.0");
  EXPECT_EQ(encode_component("Team"), "%54eam");
}

TEST(EncodedComponent, ALongTextKeepsItsBeginningAndGetsADigest) {
  const std::string text(1000, 'a');
  const std::string name = encode_component(text);
  EXPECT_EQ(name.size(), 200U);
  EXPECT_THAT(name, StartsWith("aaaa"));
  EXPECT_EQ(name.substr(167), "~" + digest(text).hex());
  EXPECT_EQ(encode_component(std::string(200, 'a')), std::string(200, 'a'));
}

TEST(RecordKeys, HaveTheirRooms) {
  EXPECT_EQ(stage_key("draft").path, "draft");
  EXPECT_EQ(item_key("draft", "A/b").path, "draft/%41%2Fb");
  EXPECT_EQ(item_key("draft", "A/b").full, "draft/A/b");
  EXPECT_EQ(own_key("items", "draft").path, "@items/draft");
  EXPECT_EQ(about_key("attempt", "draft", "").path, "@attempt/draft");
  EXPECT_EQ(about_key("attempt", "draft", "A").path, "@attempt/draft/%41");
  EXPECT_EQ(run_key().path, "@run");
}

TEST(ItemKeys, AreTextOf1To1024Bytes) {
  for (const std::string& good :
       {std::string("a"), std::string(1024, 'a'), std::string("../x\n")}) {
    EXPECT_NO_THROW(check_item_key("s", good));
  }
  for (const std::string& bad :
       {std::string(), std::string(1025, 'a'), std::string("a\0b", 3), std::string("\xff")}) {
    try {
      check_item_key("s", bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::bad_name);
      EXPECT_EQ(error.info().stage, "s");
      EXPECT_FALSE(error.info().next.empty());
    }
  }
}

// ---- patterns ----------------------------------------------------------------------------------

RC_GTEST_PROP(ArtifactPath, AnyItemGivesOneComponentThatAFileSystemTakes, ()) {
  const auto item = *rc::gen::nonEmpty(rc::gen::string<std::string>());
  for (const char* pattern :
       {"{item}", "s/{item}.md", "s/{item:slug}-{item}-{item}.md", ".{item}"}) {
    const std::string path = Pattern(pattern).path(item, 3);
    const std::string_view head = std::string_view(pattern).substr(0, 2) == "s/" ? "s/" : "";
    RC_ASSERT(path.starts_with(head));
    const std::string name = path.substr(head.size());
    RC_ASSERT(!name.empty() && name.size() <= 255U && name != "." && name != "..");
    RC_ASSERT(name.find('/') == std::string::npos && name.find('\0') == std::string::npos);
    RC_ASSERT(lowered(name) != ".resumable");
  }
}

TEST(ArtifactPath, FieldsAreFilledIn) {
  EXPECT_EQ(Pattern("2-sections/{position:02}-{item}.md").path("Team", 4), "2-sections/04-Team.md");
  EXPECT_EQ(Pattern("{position:03}{position}").path("x", 1234), "12341234");
  EXPECT_EQ(Pattern("{item:slug}").path("The Team & Co.", 1), "the-team-co");
  EXPECT_EQ(Pattern("{item:slug}").path("日本", 1), encode_component("日本"));
  EXPECT_FALSE(Pattern("a.json").per_item());
  EXPECT_TRUE(Pattern("{position}").per_item());
}

TEST(FoldedPath, MeetsWhereCaseOrNormalFormAloneDiffer) {
  EXPECT_EQ(fold_path("Team.md"), fold_path("tEAM.MD"));
  EXPECT_EQ(fold_path("\xc3\xa9"), fold_path("e\xcc\x81"));
  EXPECT_EQ(fold_path("\xc3\x89"), fold_path("e\xcc\x81"));
  EXPECT_EQ(fold_path("STRASSE"), fold_path("stra\xc3\x9f"
                                            "e"));
  EXPECT_NE(fold_path("a/b"), fold_path("a-b"));
  EXPECT_EQ(fold_path("\xff"), "\xff");
}

// ---- text --------------------------------------------------------------------------------------

TEST(DidYouMean, FindsASlipAndNoStranger) {
  const std::vector<std::string> stages{"draft", "enrich_links", "enrich_visualizations", "cite"};
  EXPECT_EQ(did_you_mean("enrich_link", stages), "enrich_links");
  EXPECT_EQ(did_you_mean("darft", stages), "draft");
  EXPECT_EQ(did_you_mean("DRAFT", stages), "draft");
  EXPECT_EQ(did_you_mean("sites", stages), "");
  EXPECT_EQ(did_you_mean("publish", stages), "");
  EXPECT_EQ(did_you_mean("", stages), "");
  EXPECT_EQ(did_you_mean(std::string(10'000, 'd'), stages), "");
  EXPECT_EQ(did_you_mean("draft", {}), "");
}

TEST(Text, IsUtf8OrItIsNot) {
  for (const char* good : {"", "abc", "\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad :
       {"\xff", "\xc3", "a\x80", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
  }
}

TEST(Text, IsShownWithoutWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\nb\x1b[31m\x7f\xff é"), "a\\x0ab\\x1b[31m\\x7f\\xff é");
  EXPECT_LE(printable(std::string(10'000, '\n')).size(), 130U);
}

TEST(Text, OfSeveralLinesKeepsThemAndNothingElseThatATerminalWouldObey) {
  EXPECT_EQ(escaped("a\n\tb\x1b[31m\x7f\xff\xc2\x9b é"), "a\n\tb\\x1b[31m\\x7f\\xff\\xc2\\x9b é");
}

// ---- time --------------------------------------------------------------------------------------

RC_GTEST_PROP(UtcText, ComesBackToTheMillisecond, ()) {
  const auto millis = *rc::gen::inRange<std::int64_t>(0, 9214646400000);
  const std::chrono::system_clock::time_point time{std::chrono::milliseconds(millis)};
  const std::string text = format_utc(time);
  RC_ASSERT(text.size() == 24U);
  RC_ASSERT(parse_utc(text) == time);
}

TEST(UtcText, IsIsoAndNothingElseParses) {
  using namespace std::chrono;
  const auto time = sys_days(year(2026) / 11 / 21) + 20h + 44min + 1s + 123ms;
  EXPECT_EQ(format_utc(time), "2026-11-21T20:44:01.123Z");
  EXPECT_EQ(parse_utc("2026-11-21T20:44:01.123Z"), time);
  EXPECT_EQ(parse_utc("2026-11-21T20:44:01Z"), time - 123ms);
  for (const char* bad :
       {"", "now", "2026-11-21", "2026-13-21T20:44:01.123Z", "2026-11-31T20:44:01.123Z",
        "2026-11-21T24:44:01.123Z", "2026-11-21T20:44:01.123Zx", "2026-11-21 20:44:01.123Z",
        "2026-11-21T20:44:01.12Z", "2026-11-21T20:-4:01.123Z", "9999-11-21T20:44:01.123Z"}) {
    EXPECT_FALSE(parse_utc(bad)) << bad;
  }
}

TEST(UtcText, OfSecondsIsRoundedDown) {
  using namespace std::chrono;
  EXPECT_EQ(format_utc_seconds(sys_days(year(2026) / 11 / 21) + 20h + 31min + 7s + 999ms),
            "2026-11-21T20:31:07Z");
  EXPECT_EQ(format_utc_seconds(sys_days(year(1970) / 1 / 1) - 1ms), "1969-12-31T23:59:59Z");
}

TEST(DurationText, IsShort) {
  EXPECT_EQ(format_duration(std::chrono::duration<double>{41.2}), "41.2 s");
  EXPECT_EQ(format_duration(std::chrono::duration<double>{123}), "2m 03 s");
  EXPECT_EQ(format_duration(std::chrono::duration<double>{3900}), "1h 05 m");
  EXPECT_EQ(format_duration(std::chrono::duration<double>{0}), "0 ms");
  EXPECT_EQ(format_duration(std::chrono::duration<double>{0.9996}), "1.0 s");
}

}  // namespace
}  // namespace resumable::core
