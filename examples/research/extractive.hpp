/// @file
/// The default provider: no network, no model. It counts and chooses among what it is offered and
/// repeats sentences word for word; the only words of its own are the fixed ones of names,
/// questions and headings. It does not understand what it quotes.
#pragma once

#include "model/provider.hpp"

namespace research {

/// Deterministic: equal tasks get equal answers, on every machine. Costs nothing.
class ExtractiveProvider final : public model::Provider {
 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "extractive"; }
};

}  // namespace research
