#include "model/model.hpp"

#include <string_view>

#include <resumable/step.hpp>

#include "model/asking.hpp"
#include "model/openai.hpp"
#include "model/recorded.hpp"

namespace model {
namespace {

resumable::StepOptions step_for(const Task& task, std::chrono::milliseconds retry_first) {
  return {.name = task.subject.empty() ? task.name : task.name + " " + task.subject,
          .retry = {
              .attempts = 4, .initial_delay = retry_first, .max_delay = std::chrono::seconds{30}}};
}

}  // namespace

Model::Model(const std::string& name, std::unique_ptr<Provider> offline, const Calling& calling) {
  constexpr std::string_view openai = "openai:";
  constexpr std::string_view recorded = "recorded:";
  if (name.starts_with(openai)) {
    const std::size_t at = name.find('@');
    provider_ = std::make_unique<OpenAiProvider>(
        OpenAiOptions{.base_url = name.substr(at + 1),
                      .model = name.substr(openai.size(), at - openai.size()),
                      .key = key_from_environment(),
                      .terms = calling.terms});
  } else if (name.starts_with(recorded)) {
    provider_ = std::make_unique<RecordedProvider>(name.substr(recorded.size()));
  } else {
    provider_ = std::move(offline);
  }
  if (const std::string& file = calling.terms.record; !file.empty()) {
    provider_ = std::make_unique<RecordingProvider>(std::move(provider_), file);
  }
  paced_ = std::make_unique<PacedProvider>(*provider_, calling.pace);
}

Call call_in(resumable::Context& ctx, Provider& provider) {
  return {provider,
          ctx.stop_token(),
          [&ctx](const Spent& spent) { ctx.spend({.usd = spent.usd, .tokens = spent.tokens}); },
          {},
          std::make_shared<Flaws>(ctx)};
}

Call call_in_steps(resumable::Context& ctx, Provider& provider,
                   std::chrono::milliseconds retry_first) {
  Call call = call_in(ctx, provider);
  call.record = [&ctx, &provider, retry_first](const Task& task,
                                               const std::function<std::string()>& answer) {
    // All that an answer depends on, so that it outlives a change of the stage's other inputs.
    const auto inputs =
        resumable::with(provider.name(), task.instructions, task.input, task.schema);
    return ctx.step(step_for(task, retry_first), inputs, [&] { return retryable(answer); });
  };
  return call;
}

}  // namespace model
