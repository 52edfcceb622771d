#include "model/flaws.hpp"

#include <utility>

namespace model {
namespace {

std::string key_of(const Task& task) { return task.name + '\n' + task.subject + '\n' + task.input; }

}  // namespace

Task Flaws::told(Task task) const {
  const std::scoped_lock lock{mutex_};
  const auto found = flaws_.find(key_of(task));
  if (found != flaws_.end()) {
    task.instructions += "\nYour last answer could not be used: " + found->second;
  }
  return task;
}

void Flaws::keep(const Task& task, std::string flaw) {
  const std::scoped_lock lock{mutex_};
  flaws_.insert_or_assign(key_of(task), std::move(flaw));
}

void Flaws::forget(const Task& task) {
  const std::scoped_lock lock{mutex_};
  flaws_.erase(key_of(task));
}

}  // namespace model
