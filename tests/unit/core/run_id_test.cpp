#include "core/run_id.hpp"

#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "resumable/error.hpp"

namespace resumable::test {
namespace {

using core::decode_run;
using core::encode_run;
using core::run_twin_key;

TEST(RunId, PlainOnesAndLettersStayAsTheyAre) {
  for (const std::string run : {"Fernstone-v0.0.3", "a", "batch_7", "Caf\xC3\xA9",
                                "\xE5\x8C\x97\xE4\xBA\xAC", "\xED\x95\x9C\xEA\xB8\x80", "v.."}) {
    EXPECT_EQ(encode_run(run), run);
    EXPECT_EQ(decode_run(run), run);
  }
}

TEST(RunId, AllElseIsEscaped) {
  EXPECT_EQ(encode_run("a b"), "a%20b");
  EXPECT_EQ(encode_run("a/b"), "a%2Fb");
  EXPECT_EQ(encode_run("100%"), "100%25");
  EXPECT_EQ(encode_run("@x"), "%40x");
  EXPECT_EQ(encode_run("a\nb\x1B"), "a%0Ab%1B");
  EXPECT_EQ(encode_run("\xFF"), "%FF");
  EXPECT_EQ(encode_run("e\xCC\x81"), "e%CC%81") << "a mark that would combine";
  EXPECT_EQ(encode_run("\xE2\x84\xAB"), "%E2%84%AB") << "the angstrom sign, a letter in NFC";
  EXPECT_EQ(encode_run("\xE1\x84\x92\xE1\x85\xA1"), "\xE1\x84\x92%E1%85%A1") << "Hangul parts";
  EXPECT_EQ(encode_run("\xF0\x9F\x98\x80"), "%F0%9F%98%80") << "an emoji";
}

TEST(RunId, BadOnesAreRefusedByName) {
  for (const std::string& run :
       {std::string(), std::string("."), std::string(".."), std::string("../x"),
        std::string(".git"), std::string("a/../b"), std::string("a\0b", 3), std::string(129, 'a'),
        std::string(10'000, 'a'), std::string(128, ' ')}) {
    try {
      static_cast<void>(encode_run(run));
      ADD_FAILURE() << run;
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::bad_name);
      EXPECT_LT(error.explain().size(), 600U);
      EXPECT_EQ(error.explain().find('\0'), std::string::npos);
    }
  }
  EXPECT_EQ(encode_run(std::string(128, 'a')).size(), 128U);
}

TEST(RunId, NamesThatAreNobodysAreNotDecoded) {
  for (const char* name : {"", ".hidden", "a b", "a%2", "a%", "a%zz", "a%41", "a%2f", "a%00",
                           "%2E%2E", "e\xCC\x81", "\xFF", "lost+found", "a%+1"}) {
    EXPECT_FALSE(decode_run(name)) << name;
  }
}

TEST(RunId, AnyBytesComeBackAndNoTwoShareAName) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> size(1, 12);
  const std::string alphabet("aA.%/ \xCC\x81\xC3\xA9\xE1\x84\x92\x85\xA1\x7F-", 18);
  std::uniform_int_distribution<std::size_t> pick(0, alphabet.size() - 1);
  std::set<std::string> ids;
  std::set<std::string> names;
  for (int i = 0; i < 20'000; ++i) {
    std::string run(static_cast<std::size_t>(size(random)), ' ');
    for (char& c : run) c = alphabet[pick(random)];
    std::string name;
    try {
      name = encode_run(run);
    } catch (const Error&) {
      continue;
    }
    ASSERT_EQ(decode_run(name), run);
    ASSERT_EQ(name.find('/'), std::string::npos);
    ids.insert(run);
    names.insert(name);
  }
  EXPECT_EQ(ids.size(), names.size());
  EXPECT_GT(ids.size(), 5'000U);
}

TEST(RunId, TwinsShareAKey) {
  EXPECT_EQ(run_twin_key("Fernstone"), run_twin_key("fernSTONE"));
  EXPECT_EQ(run_twin_key("Caf\xC3\xA9"), run_twin_key("cafe\xCC\x81"));
  EXPECT_EQ(run_twin_key("stra\xC3\x9F"
                         "e"),
            run_twin_key("STRASSE"));
  EXPECT_NE(run_twin_key("cafe"), run_twin_key("caf\xC3\xA9"));
  EXPECT_NE(run_twin_key("\xFF"
                         "a"),
            run_twin_key("\xFF"
                         "b"));
}

}  // namespace
}  // namespace resumable::test
