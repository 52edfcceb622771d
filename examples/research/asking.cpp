#include "research/asking.hpp"

#include <optional>

namespace research {

void misfit(const std::string& task, const std::string& why) {
  throw model::ProviderError{
      fmt::format("the answer to '{}' does not fit its schema: {}", task, why),
      {.retryable = true, .retry_after = std::nullopt, .http_status = 0}};
}

nlohmann::json ask(const model::Call& call, const model::Task& task) {
  const model::Answer answer = call.provider.ask(task, call.stop);
  if (call.spend) call.spend(answer.spent);
  auto json = nlohmann::json::parse(answer.json, nullptr, false);
  if (json.is_discarded()) misfit(task.name, "it is not whole JSON");
  return json;
}

}  // namespace research
