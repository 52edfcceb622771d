#include "model/flaws.hpp"

#include <resumable/codec.hpp>
#include <resumable/digest.hpp>

namespace model {
namespace {

std::string key_of(const Task& task) {
  return resumable::digest(task.name + '\n' + task.subject + '\n' + task.input).hex();
}

}  // namespace

Flaws::Flaws(resumable::Context& ctx)
    : recorded_(ctx.history(resumable::HistoryOptions<Flaw>{.name = "flaws"})) {
  for (const auto& [key, flaw] : recorded_->entries()) flaws_.insert_or_assign(key, flaw);
}

Task Flaws::told(Task task) const {
  const std::scoped_lock lock{mutex_};
  const auto found = flaws_.find(key_of(task));
  if (found != flaws_.end()) {
    task.instructions += "\nYour last answer could not be used: " + found->second;
  }
  return task;
}

void Flaws::keep(const Task& task, const std::string& flaw) {
  const std::scoped_lock lock{mutex_};
  flaws_.insert_or_assign(key_of(task), flaw);
  if (recorded_) recorded_->push_back({key_of(task), flaw});
}

void Flaws::forget(const Task& task) {
  const std::scoped_lock lock{mutex_};
  flaws_.erase(key_of(task));
}

}  // namespace model
