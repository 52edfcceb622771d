// The stages of a memo read their sources once.
#include "memo/papers.hpp"

#include <gtest/gtest.h>

namespace memo {
namespace {

Sources letter_of(const std::string& farms) {
  return {make_source("2024-02-letter.md", "# L\n\nOur pumps run on " + farms + " farms.\n")};
}

TEST(Papers, AreReadOnceForTheSameSources) {
  const auto first = papers({"Acme"}, letter_of("12"));
  EXPECT_EQ(papers({"Acme"}, letter_of("12")), first);
}

TEST(Papers, AreReadAgainForOtherSources) {
  const auto first = papers({"Acme"}, letter_of("12"));
  const auto second = papers({"Acme"}, letter_of("14"));
  EXPECT_EQ(second->corpus.passages().front().text, "Our pumps run on 14 farms.");
  EXPECT_EQ(first->corpus.passages().front().text, "Our pumps run on 12 farms.") << "still valid";
}

TEST(Papers, AreReadAgainForAnotherRequest) {
  const auto first = papers({"Acme"}, letter_of("12"));
  EXPECT_NE(papers({"Acme", "fund"}, letter_of("12")), first);
}

}  // namespace
}  // namespace memo
