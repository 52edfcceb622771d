/// @file
/// What the phases after the scrape do: functions of values, which know nothing of the library.
/// Which passages have most to do with a question is for SQLite to say (text/index.hpp), and what
/// they mean for a model or a reader: no rule about words stands here.
#pragma once

#include <string>
#include <vector>

#include <resumable/error.hpp>

#include "model/provider.hpp"
#include "research/types.hpp"

namespace research {

/// No page has a word of the topic: asking again with the same one does not help.
class OffTopic : public resumable::Error {
 public:
  using resumable::Error::Error;
};

/// Phase 0.5: who reads the pages, and what for. With a model up to four roles, each with a
/// question. Without one the topic itself is asked, each of its words, and the pages that have most
/// to do with it. A page whose title is the topic is always looked at.
/// @param topic  empty: the site's own title
/// @throws OffTopic
/// @throws model::ProviderError (retryable)  the model's answer does not fit
Roles make_roles(const model::Call& call, const std::string& topic, const Scrape& scrape);

/// Phase 1: a goal for each question, `goal-1`, `goal-2` and so on; none twice.
std::vector<Goal> find_goals(const Roles& roles);

/// Phase 2: to each goal the passages of all pages that rank best, as steps `step-1`, `step-2` and
/// so on. Without a model they are what is quoted: each passage once, as many as the limits allow.
std::vector<Step> make_plan(const std::string& provider, const Limits& limits,
                            const std::vector<Goal>& goals, const Scrape& scrape);

/// Phase 3, one step: what its passages say.
StepResult execute(const model::Call& call, const Step& step);

/// Phase 4: what the steps found, and with a model up to three statements above it.
Synthesis synthesize(const model::Call& call, const Roles& roles,
                     const std::vector<StepResult>& results, const Scrape& scrape);

/// report.md: each statement with the numbers of the pages that it rests on.
std::string markdown(const Synthesis& synthesis);

}  // namespace research
