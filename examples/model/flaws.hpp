/// @file
/// Remembers what was wrong with the last answer to each task, to tell the provider when it is
/// asked again.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "model/provider.hpp"

namespace model {

/// Outlives the attempts of a stage, so that the first question of the next attempt has it too.
/// Kept only in memory: another process begins without it. Safe to share between threads.
class Flaws {
 public:
  /// The task, with what was wrong with its last answer if there was one that could not be used.
  [[nodiscard]] Task told(Task task) const;
  void keep(const Task& task, std::string flaw);
  /// Called when the answer to a task could be used.
  void forget(const Task& task);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> flaws_;  // by what is asked
};

}  // namespace model
