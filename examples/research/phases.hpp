/// @file
/// What the phases after the scrape do: each offers a provider what the pages hold, asks it to
/// choose and to word, and checks the answer. Nothing that was not offered can be chosen, so every
/// statement stays a sentence of a page or has one behind it.
///
/// All throw model::ProviderError (retryable) for an answer that does not fit.
#pragma once

#include <string>
#include <vector>

#include <resumable/error.hpp>

#include "model/provider.hpp"
#include "research/types.hpp"

namespace research {

/// The pages say too little about the topic: asking again with the same one does not help.
class OffTopic : public resumable::Error {
 public:
  using resumable::Error::Error;
};

/// Phase 0.5: up to four roles, one for each side of the topic, that share the evidence out. The
/// topic is the one asked for or, when that is empty, the site's own title.
/// @throws OffTopic
Roles make_roles(const model::Call& call, const std::string& topic, const Scrape& scrape);

/// Phase 1: a goal for each role.
std::vector<Goal> find_goals(const model::Call& call, const Roles& roles);

/// Phase 2: the steps that reach the goals, `step-1`, `step-2` and so on.
std::vector<Step> make_plan(const model::Call& call, const Roles& roles,
                            const std::vector<Goal>& goals);

/// Phase 3, one step: the sentences that answer it.
StepResult execute(const model::Call& call, const Step& step);

/// Phase 4: what the steps found as paragraphs, each statement with its source and none twice.
/// Where pages speak of the same thing, the paragraph says so.
Synthesis synthesize(const model::Call& call, const Roles& roles, const std::vector<Goal>& goals,
                     const std::vector<StepResult>& results);

}  // namespace research
