/// @file
/// The default provider: no network, no model. It fills pages, for trying a long run that costs
/// nothing.
#pragma once

#include "model/provider.hpp"

namespace corpus {

/// Deterministic: equal tasks get equal answers, on every machine. A page says that it is filler,
/// and speaks of each term in turn until it has about as many words as were asked for.
class OfflineWriter final : public model::Provider {
 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "offline"; }
};

}  // namespace corpus
