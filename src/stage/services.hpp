/// @file
/// What the Context of one stage or item offers, over all its attempts.
#pragma once

#include "stage/attempt.hpp"
#include "stage/cache.hpp"
#include "stage/closing.hpp"
#include "stage/effects.hpp"
#include "stage/enqueuing.hpp"
#include "stage/inside.hpp"
#include "stage/loops.hpp"
#include "stage/steps.hpp"

namespace resumable::stage {

class StageServices final : public detail::Services {
 public:
  /// `epoch` and `approved_at`: see Effects.
  StageServices(Inside::Tools tools, Inside::Subject subject, InsideRecords on_record,
                std::uint64_t epoch, std::uint64_t approved_at, Cache& cache)
      : cache_(cache),
        inside_(tools, std::move(subject), std::move(on_record)),
        steps_(inside_),
        effects_(inside_, epoch, approved_at),
        loops_(inside_),
        enqueuing_(inside_.tools().graph, inside_.node(), inside_.subject().item) {}

  [[nodiscard]] Inside& inside() noexcept { return inside_; }
  [[nodiscard]] const Inside& inside() const noexcept { return inside_; }
  [[nodiscard]] std::vector<plan::Enqueued::Element> enqueued() const {
    return enqueuing_.elements();
  }
  void begin_attempt() {
    inside_.begin_attempt();
    enqueuing_.clear();
    closing_.clear();
  }
  /// Why this attempt has closed the fan-out, if it has.
  [[nodiscard]] std::optional<std::string> closing() const { return closing_.reason(); }

  detail::AnyValue step(detail::Attempt& attempt, const detail::StepCall& call) override {
    return steps_.step(attempt, call);
  }
  detail::AnyValue effect(detail::Attempt& attempt, const detail::EffectCall& call) override {
    return effects_.effect(attempt, call);
  }
  detail::AnyValue cached(detail::Attempt& attempt, const detail::CacheCall& call) override {
    return cache_.cached(inside_, attempt, call);
  }
  detail::LoadedProgress progress(detail::Attempt& attempt,
                                  const detail::ProgressCall& call) override {
    return loops_.progress(attempt, call);
  }
  detail::LoadedHistory history(detail::Attempt& attempt,
                                const detail::HistoryCall& call) override {
    return loops_.history(attempt, call);
  }
  void enqueue(const detail::EnqueueCall& call) override { enqueuing_.add(call); }
  void close(std::string_view reason) override { closing_.close(inside_.node(), reason); }

 private:
  Cache& cache_;
  Inside inside_;
  Steps steps_;
  Effects effects_;
  Loops loops_;
  Enqueuing enqueuing_;
  Closing closing_;
};

}  // namespace resumable::stage
