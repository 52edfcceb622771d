/// @file
/// A provider by the name that a person types, and what every stage that asks one does around it.
#pragma once

#include <chrono>
#include <concepts>
#include <memory>
#include <resumable/context.hpp>
#include <string>
#include <utility>

#include "model/provider.hpp"

namespace model {

/// `openai:MODEL@BASE_URL`, or any other name for `offline`, which the program brings along.
/// Answers come as slowly as `pace` says, so that a person can watch and interrupt.
class Model {
 public:
  Model(const std::string& name, std::unique_ptr<Provider> offline, std::chrono::milliseconds pace);
  [[nodiscard]] Provider& get() noexcept { return *paced_; }

 private:
  std::unique_ptr<Provider> provider_;
  std::unique_ptr<PacedProvider> paced_;
};

/// Calls `ask(const Call&)`: what is spent goes to the stage, and errors that may pass are given to
/// it as worth another try.
template <std::invocable<const Call&> F>
auto ask(resumable::Context& ctx, Provider& provider, F ask) {
  const Call call{provider, ctx.stop(), [&ctx](const Spent& spent) {
                    ctx.spend({.usd = spent.usd, .tokens = spent.tokens});
                  }};
  try {
    return ask(call);
  } catch (const ProviderError& error) {
    if (!error.retryable()) throw;
    throw resumable::Retryable(error.what(), error.retry_after().value_or(std::chrono::seconds{0}));
  }
}

}  // namespace model
