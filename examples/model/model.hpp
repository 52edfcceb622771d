/// @file
/// What every stage that asks a provider needs: finds the provider by its name, reports what was
/// spent, and records each answer as a step.
#pragma once

#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <resumable/context.hpp>
#include <resumable/pipeline.hpp>

#include "model/provider.hpp"
#include "model/terms.hpp"

namespace model {

/// How calls are made: how long they take at least, how long to wait after the first that failed,
/// and on what terms. None of it changes an answer.
struct Calling {
  std::chrono::milliseconds pace{0};
  std::chrono::milliseconds retry_first{500};
  Terms terms{};
};

/// `openai:MODEL@BASE_URL`, `recorded:FILE`, or any other name for `offline`, which the program
/// passes.
class Model {
 public:
  Model(const std::string& name, std::unique_ptr<Provider> offline, const Calling& calling);
  [[nodiscard]] Provider& get() noexcept { return *paced_; }

 private:
  std::unique_ptr<Provider> provider_;
  std::unique_ptr<PacedProvider> paced_;
};

/// An input with the value of this call or, when there is none, the recorded one.
template <class T>
auto given(resumable::Pipeline& pipeline, resumable::Name name, const std::optional<T>& value) {
  return value ? pipeline.input(name, *value) : pipeline.input<T>(name);
}

/// A Call that reports what is spent to the stage, and records what was wrong with an answer but no
/// answer. One for each attempt of a stage or item.
[[nodiscard]] Call call_in(resumable::Context& ctx, Provider& provider);

/// A Call whose answers are steps of the stage, named after their tasks: an answer is committed
/// before anything else is done with it and is never requested again, however the program ends.
/// Each call is tried up to four times.
[[nodiscard]] Call call_in_steps(resumable::Context& ctx, Provider& provider,
                                 std::chrono::milliseconds retry_first);

/// Returns `f()`. A ProviderError that may pass becomes a resumable::Retryable.
template <std::invocable F>
auto retryable(F f) {
  try {
    return f();
  } catch (const ProviderError& error) {
    if (!error.retryable()) throw;
    throw resumable::Retryable(error.what(), error.retry_after().value_or(std::chrono::seconds{0}));
  }
}

/// Turns `f(call, inputs…)` into the function of a stage whose first input is a provider's name.
template <std::derived_from<Provider> Offline, class F>
auto asking(Calling calling, F f) {
  return [calling, f](resumable::Context& ctx, const std::string& provider, const auto&... inputs) {
    Model model{provider, std::make_unique<Offline>(), calling};
    return f(call_in_steps(ctx, model.get(), calling.retry_first), inputs...);
  };
}

}  // namespace model
