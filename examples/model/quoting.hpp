/// @file
/// The provider without a model: an honest clerk. It quotes the passages that rank best, word for
/// word, and draws no conclusion. Its answers depend on the task's input alone.
#pragma once

#include <string_view>

#include "model/provider.hpp"

namespace model {

/// Whether this names the quoting provider: `quote`, or `extractive`, as it was called before.
bool is_quoting(std::string_view provider);

/// Knows the tasks `answer` (answering.hpp) and `judge`, for which a statement has to stand in its
/// passages word for word. @throws ProviderError (not retryable) for any other
class QuotingProvider final : public Provider {
 private:
  Answer do_ask(const Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "quote"; }
};

}  // namespace model
