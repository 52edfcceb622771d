#include "model/asking.hpp"

#include <string_view>

#include <resumable/codec.hpp>
#include <resumable/digest.hpp>

#include "model/refusals.hpp"

namespace model {
namespace {

std::string key_of(const Task& task) {
  return resumable::digest(task.name + '\n' + task.subject + '\n' + task.input).hex();
}

/// What stands between the first `before` and the next `after`.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const auto found = text.find(before);
  if (found == text.npos) return {};
  text.remove_prefix(found + before.size());
  return text.substr(0, text.find(after));
}

constexpr std::size_t quoted_bytes = 80;  // of an answer

}  // namespace

std::shared_ptr<Flaws> no_flaws() { return std::make_shared<Flaws>(); }

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

void refuse_answer(const Task& task, const std::string& answer, const std::string& why) {
  const std::string quote =
      answer.empty() ? "" : "; it begins with " + quoted(answer, /*key=*/"", quoted_bytes);
  throw ProviderError{
      fmt::format("the answer to '{}' does not fit its schema: {}{}", task.name, why, quote),
      {.retryable = true, .retry_after = std::nullopt, .http_status = 0}};
}

std::string in_words(const nlohmann::json::exception& error) {
  const std::string_view text = error.what();
  switch (error.id) {
    case 403: return fmt::format("the key '{}' is missing", between(text, "key '", "' not found"));
    case 302:
      return fmt::format("a value is of the type {}, and has to be {}",
                         between(text, "but is ", "\n"), between(text, "must be ", ", but"));
    case 304:
    case 305:
      return fmt::format("there is {} where an object has to be", between(text, " with ", "\n"));
    case 401: return "a list is too short";
    default: return std::string{text.substr(text.find("] ") + 2)};
  }
}

}  // namespace model
