/// @file
/// The provider without a model: a clerk who looks at every table and column once, and reports what
/// he saw. He draws no conclusions, and leaves a question to a person or a model.
#pragma once

#include <string>

#include "model/provider.hpp"

namespace insights {

/// Knows the task `turn`. Calls `overview` for each part of each table, in as many turns as there
/// are; then answers with the findings, the three nearest to the question first.
class Clerk final : public model::Provider {
 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "quote"; }
};

/// The question of a request that asks nothing in particular.
inline constexpr const char* any_question = "What do the readings show?";

}  // namespace insights
