/// @file
/// The steps of one stage or item: returning what is recorded, and running the others.
#pragma once

#include "record/small_records.hpp"
#include "stage/attempt.hpp"
#include "stage/inside.hpp"

namespace resumable::stage {

/// Safe to use from several threads.
class Steps {
 public:
  explicit Steps(Inside& inside) : inside_(inside) {}

  detail::AnyValue step(detail::Attempt& attempt, const detail::StepCall& call);

 private:
  void check_retry(const detail::StepCall& call) const;
  [[nodiscard]] Inside::Wanted wanted(const detail::StepCall& call) const;
  [[nodiscard]] detail::AnyValue run(detail::Attempt& attempt, const detail::StepCall& call,
                                     const Inside::Wanted& wanted);
  [[nodiscard]] record::Failure on_record(const detail::StepCall& call,
                                          const Inside::Wanted& tries);
  bool try_again(detail::Attempt& attempt, const detail::StepCall& call,
                 const Inside::Wanted& tries, record::Failure& failed,
                 const std::exception_ptr& error);
  [[nodiscard]] bool wait(detail::Attempt& attempt, const detail::StepCall& call,
                          const record::Failure& failed);

  Inside& inside_;
};

}  // namespace resumable::stage
