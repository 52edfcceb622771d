/// @file
/// Remembers what was wrong with the last answer to each task, to tell the provider when it is
/// asked again.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <resumable/progress.hpp>

#include "model/provider.hpp"

namespace model {

/// Safe to share between threads.
class Flaws {
 public:
  Flaws() = default;  ///< in memory only
  /// Recorded with the stage or item, so that another attempt has them too, also after a kill.
  explicit Flaws(resumable::Context& ctx);

  /// The task, with what was wrong with its last answer if there was one that could not be used.
  [[nodiscard]] Task told(Task task) const;
  /// Committed on return, if they are recorded.
  void keep(const Task& task, const std::string& flaw);
  /// Called when the answer to a task could be used.
  void forget(const Task& task);

 private:
  using Flaw = std::pair<std::string, std::string>;  // of what is asked, and what was wrong

  mutable std::mutex mutex_;
  std::map<std::string, std::string> flaws_;
  std::optional<resumable::History<Flaw>> recorded_;
};

}  // namespace model
