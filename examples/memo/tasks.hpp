/// @file
/// The three things that stages ask of a provider. Each builds a task, asks, and checks the
/// answer: only offered candidates can be picked, and only given evidence can be written from.
/// All throw ProviderError (retryable) for an answer that does not fit the schema.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memo/types.hpp"
#include "model/provider.hpp"

namespace memo {

/// Something that may be picked: a sentence, a link, a table.
struct Candidate {
  std::string text;
  std::string source;
  std::string heading{};   ///< above it in the source
  std::int64_t score = 0;  ///< how well it fits the question
};

struct Question {
  std::string text;
  std::vector<Candidate> candidates;  ///< best first
  std::size_t limit = 3;
  std::vector<std::string>
      signs{};  ///< words that an answer often holds; empty: any answer will do
};

/// For each question the indices of the chosen candidates, in order of preference, no index twice,
/// at most `limit`. Questions without candidates are not asked. `subject` tells the calls of one
/// stage apart.
std::vector<std::vector<std::size_t>> pick(const model::Call& call, const std::string& purpose,
                                           const std::vector<Question>& questions,
                                           const std::string& subject = {});

struct Paragraph {
  std::string heading;
  std::vector<Claim> claims;
};

/// Prose for one section from its brief; every claim has the finding it was written from.
std::vector<Paragraph> write(const model::Call& call, const SectionBrief& brief);

/// For each claim whether its quote says what its text says.
std::vector<bool> judge(const model::Call& call, const std::vector<Claim>& claims);

}  // namespace memo
