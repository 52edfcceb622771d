#include "model/provider.hpp"

#include <condition_variable>
#include <mutex>

namespace model {

void pause(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock{mutex};
  never.wait_for(lock, stop, time, [] { return false; });
}

ProviderError::ProviderError(const std::string& message, Details details)
    : std::runtime_error{message}, details_{details} {}

ProviderError::~ProviderError() = default;

Provider::~Provider() = default;

Answer Provider::ask(const Task& task, const std::stop_token& stop) {
  if (stop.stop_requested()) throw Stopped{};
  return do_ask(task, stop);
}

Answer PacedProvider::do_ask(const Task& task, const std::stop_token& stop) {
  pause(pace_, stop);
  if (stop.stop_requested()) throw Stopped{};
  return inner_.ask(task, stop);
}

std::string reply(const Call& call, const Task& task,
                  const std::function<std::string(const Answer&)>& kept) {
  const auto answer = [&] {
    Answer fresh = call.provider.ask(task, call.stop);
    if (call.spend) call.spend(fresh.spent);
    return kept && !fresh.flaw.empty() ? kept(fresh) : std::move(fresh.json);
  };
  return call.record ? call.record(task, answer) : answer();
}

}  // namespace model
