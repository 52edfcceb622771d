/// @file
/// What the Context of one stage or item offers, over all its attempts.
#pragma once

#include "run/attempt.hpp"
#include "run/inside.hpp"
#include "run/loops.hpp"
#include "run/steps.hpp"

namespace resumable::inline v0::run {

class StageServices final : public detail::Services {
 public:
  StageServices(Inside::Tools tools, Inside::Subject subject, InsideRecords on_record)
      : inside_(tools, std::move(subject), std::move(on_record)), steps_(inside_) {}

  [[nodiscard]] Inside& inside() noexcept { return inside_; }

  detail::AnyValue step(detail::Attempt& attempt, const detail::StepCall& call) override {
    return steps_.step(attempt, call);
  }
  detail::LoadedProgress progress(detail::Attempt& attempt,
                                  const detail::ProgressCall& call) override {
    return load_progress(inside_, attempt, call);
  }
  detail::LoadedHistory history(detail::Attempt& attempt,
                                const detail::HistoryCall& call) override {
    return load_history(inside_, attempt, call);
  }

 private:
  Inside inside_;
  Steps steps_;
};

}  // namespace resumable::inline v0::run
