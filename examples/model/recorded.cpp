// The same idea as a step with rs::with(): an answer belongs to all that it depends on.
#include "model/recorded.hpp"

#include <fstream>

#include <nlohmann/json.hpp>
#include <resumable/digest.hpp>

namespace model {
namespace {

std::string digest_of(const Task& task) {
  return resumable::digest(task.instructions + '\n' + task.input + '\n' + task.schema).hex();
}

}  // namespace

RecordedProvider::RecordedProvider(const std::string& file) : file_{file} {
  std::ifstream lines{file};
  if (!lines.is_open()) throw ProviderError{"the recorded answers " + file + " cannot be read", {}};
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object()) throw ProviderError{file + " has a line that is no recorded answer", {}};
    answers_.insert_or_assign(json.value("digest", ""), json.value("answer", ""));
  }
}

Answer RecordedProvider::do_ask(const Task& task, const std::stop_token& /*stop*/) {
  const auto found = answers_.find(digest_of(task));
  if (found != answers_.end()) return {found->second, {}};
  throw ProviderError{
      file_ + " has no answer to this '" + task.name + "', of digest " + digest_of(task), {}};
}

Answer RecordingProvider::do_ask(const Task& task, const std::stop_token& stop) {
  Answer answer = inner_->ask(task, stop);
  if (!answer.flaw.empty()) return answer;
  const std::scoped_lock lock{mutex_};
  std::ofstream{file_, std::ios::app}
      << nlohmann::json{{"task", task.name}, {"digest", digest_of(task)}, {"answer", answer.json}}
             .dump()
      << '\n';
  return answer;
}

}  // namespace model
