/// @file
/// The default provider: no network, no model. It fills pages by a grammar, for trying a long run
/// that costs nothing; what it writes is about an invented city and says nothing of the world.
#pragma once

#include "model/provider.hpp"

namespace corpus {

/// Deterministic: equal tasks get equal answers, on every machine.
class OfflineWriter final : public model::Provider {
 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "offline"; }
};

}  // namespace corpus
