/// @file
/// The steps of one stage or item: giving what is on record, and doing the others.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "run/attempt.hpp"
#include "run/inside.hpp"

namespace resumable::inline v0::run {

/// Safe to use from several threads.
class Steps {
 public:
  explicit Steps(Inside& inside) : inside_(inside) {}

  detail::AnyValue step(detail::Attempt& attempt, const detail::StepCall& call);

 private:
  class Claim;
  [[nodiscard]] Inside::Wanted wanted(const detail::StepCall& call) const;
  [[nodiscard]] detail::AnyValue run(detail::Attempt& attempt, const detail::StepCall& call,
                                     const Inside::Wanted& wanted);
  [[nodiscard]] bool wait_for_next_try(detail::Attempt& attempt, const detail::StepCall& call,
                                       unsigned tried, const std::exception_ptr& error);

  Inside& inside_;
  std::mutex guard_;
  std::set<std::string> running_;  ///< paths
};

}  // namespace resumable::inline v0::run
