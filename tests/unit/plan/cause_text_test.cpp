// Sentences that are assembled from parts: none of them has a hole, says a thing twice, or joins
// two sentences that do not fit.
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "resumable/plan.hpp"

namespace resumable::test {
namespace {

/// Which parts each reason comes with: of each letter, s(ubject), b(efore), a(fter), d(etail), all
/// that may be there at once.
struct Parts {
  Reason reason;
  const char* always;
  const char* sometimes;
};

constexpr Parts parts_of_reasons[] = {
    {Reason::done, "", ""},
    {Reason::not_taken, "s", ""},
    {Reason::migrated, "ba", ""},
    {Reason::fell_back, "a", "sd"},
    {Reason::restored, "s", "d"},
    {Reason::edited, "", "sba"},
    {Reason::rejected, "s", "d"},
    {Reason::accepted, "sb", "a"},
    {Reason::pinned, "", "s"},
    {Reason::ignored, "s", "ba"},
    {Reason::adopted, "s", ""},
    {Reason::adopted, "sba", ""},
    {Reason::first_run, "", "d"},
    {Reason::partial, "ba", "d"},
    {Reason::failed, "b", "d"},
    {Reason::code_changed, "ba", ""},
    {Reason::input_changed, "s", "ba"},
    {Reason::expired, "b", ""},
    {Reason::requested, "", "d"},
    {Reason::damaged, "d", "s"},
    {Reason::lost, "", "d"},
    {Reason::file_changed, "", "sd"},
    {Reason::dropped, "", "sd"},
    {Reason::upstream, "s", "d"},
    {Reason::waiting, "", "d"},
    {Reason::conflict, "", "sbad"},
    {Reason::newer, "d", "s"},
    {Reason::foreign, "d", "s"},
    {Reason::unreadable, "d", "s"},
    {Reason::shape_changed, "", "d"},
    {Reason::no_migration, "", "d"},
    {Reason::codec_changed, "", "d"},
    {Reason::invalid_edit, "sd", ""},
    {Reason::occupied, "sd", ""},
    {Reason::path_conflict, "sd", ""},
    {Reason::unwritable, "sd", ""},
    {Reason::not_adopted, "sd", ""},
    {Reason::missing_input, "sd", ""},
    {Reason::secret, "s", ""},
    {Reason::clock_skew, "", "d"},
    {Reason::stray, "sd", ""},
    {Reason::orphan, "sd", ""},
    {Reason::steps, "ba", "d"},
    {Reason::uncertain, "s", ""},
    {Reason::program_changed, "sd", ""},
    {Reason::concurrency_limited, "sbad", ""},
    {Reason::left_out, "sd", ""},
    {Reason::closed, "sd", ""},
    {Reason::renamed, "sb", ""},
};

std::vector<std::string> sentences_of(const Parts& parts) {
  const std::string some{parts.sometimes};
  std::vector<std::string> found;
  for (unsigned set = 0; set < 1U << some.size(); ++set) {
    std::string letters{parts.always};
    for (std::size_t i = 0; i < some.size(); ++i) {
      if ((set >> i & 1U) != 0) letters += some[i];
    }
    const auto has = [&](char letter) { return letters.find(letter) != letters.npos; };
    found.push_back(Cause{.reason = parts.reason,
                          .subject = has('s') ? "topic" : "",
                          .before = has('b') ? "2" : "",
                          .after = has('a') ? "3" : "",
                          .detail = has('d') ? "this is known" : ""}
                        .text());
  }
  return found;
}

TEST(CauseText, IsWholeWhateverPartsAReasonComesWith) {
  const std::regex bad{R"(^$|''|  |^[:;, ]|[:;, ]$|[:;,] ?[:;,]|\bis its\b|\bits its\b|-> $|\?)"};
  std::set<Reason> known;
  for (const Parts& parts : parts_of_reasons) known.insert(parts.reason);
  ASSERT_EQ(known.size(), static_cast<std::size_t>(Reason::renamed) + 1) << "add the new reason";
  for (const Parts& parts : parts_of_reasons) {
    for (const std::string& text : sentences_of(parts)) {
      EXPECT_FALSE(std::regex_search(text, bad))
          << to_string(parts.reason) << ": \"" << text << '"';
    }
  }
}

}  // namespace
}  // namespace resumable::test
