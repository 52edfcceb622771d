/// @file
/// The default provider: no network, no model. It chooses among the candidates it is given and
/// repeats evidence word for word; it invents nothing, so it says nothing where sources are silent.
#pragma once

#include "model/provider.hpp"

namespace memo {

/// Deterministic: equal tasks get equal answers, on every machine. Costs nothing.
class ExtractiveProvider final : public model::Provider {
 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "extractive"; }
};

}  // namespace memo
