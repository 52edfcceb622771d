/// @file
/// What was wrong with the last answer to each task, to tell the provider when it is asked again.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "model/provider.hpp"

namespace model {

/// Outlives the attempts of what asks, so that the first question of another attempt knows it too.
/// Kept in memory only: another process begins without. Safe to share between threads.
class Flaws {
 public:
  /// The task, with what was wrong with its last answer if there was one that could not be used.
  [[nodiscard]] Task told(Task task) const;
  void keep(const Task& task, std::string flaw);
  /// Of a task whose answer could be used.
  void forget(const Task& task);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> flaws_;  // by what is asked
};

}  // namespace model
