/// @file
/// The task `answer`, which memo, research and review share: questions with passages, statements
/// with what they cite.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/provider.hpp"
#include "text/passages.hpp"

namespace model {

struct Question {
  std::string text;
  std::vector<text::Passage> passages;  ///< best first
};

struct Statement {
  std::string text;  ///< one line
  std::vector<text::Passage> cited;
};

/// For each question its statements; none: the passages do not say it. Questions without passages
/// are not asked.
/// @param most     statements for a question without a model; a model may write more or fewer
/// @param subject  tells the calls of one stage apart
/// @throws ProviderError  no answer, or (retryable) one that cites what was not offered
std::vector<std::vector<Statement>> answer(const Call& call, const std::vector<Question>& questions,
                                           std::size_t most, const std::string& subject = {});

}  // namespace model
