/// @file
/// The offline provider. It is no language model: it follows a plan of questions (spread, trend,
/// normals, unusual days, the days around them), looks at the conversation to see which are already
/// answered, and at the end puts the figures that the tools gave into sentences. The same
/// conversation always gives the same reply; no figure is its own.
#pragma once

#include "model/provider.hpp"

namespace insights {

class ComputedProvider final : public model::Provider {
 private:
  /// @throws ProviderError  for a task other than `turn` and `summary`
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "computed"; }
};

}  // namespace insights
