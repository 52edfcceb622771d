/// @file
/// The steps of one stage or item: giving what is on record, and doing the others.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "run/attempt.hpp"
#include "run/inside.hpp"
#include "run/small_records.hpp"

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
  [[nodiscard]] Failure on_record(const detail::StepCall& call, const Inside::Wanted& tries);
  bool try_again(detail::Attempt& attempt, const detail::StepCall& call,
                 const Inside::Wanted& tries, Failure& failed, const std::exception_ptr& error);
  [[nodiscard]] bool wait(detail::Attempt& attempt, const detail::StepCall& call,
                          const Failure& failed);

  Inside& inside_;
  std::mutex guard_;
  std::set<std::string> running_;  ///< paths
};

}  // namespace resumable::inline v0::run
