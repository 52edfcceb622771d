/// @file
/// Sessions that are continued in the background, for a server.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "program/store.hpp"
#include "research/pipeline.hpp"

namespace research {

/// What became of a request to continue a batch.
struct Continued {
  int status = 202;       ///< of HTTP
  std::string session{};  ///< empty when there is none
  std::string error{};    ///< why not
  std::string next{};     ///< what to do
};

/// Continues sessions, each in a thread of its own. All functions may be called at any time.
class Runs {
 public:
  Runs(program::Place place, Settings how);
  ~Runs();  ///< stops all; each keeps what it has saved
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  /// The batch's session as `research continue` finds it. One that is running here is left alone.
  Continued go_on(const std::string& batch);
  [[nodiscard]] bool is_running(const std::string& session) const;
  [[nodiscard]] bool any() const;
  void wait() const;
  /// How the last run of a session ended, when it failed; else empty.
  [[nodiscard]] std::string failure(const std::string& session) const;

 private:
  void run(const std::string& session, const std::stop_token& stop);
  Continued start(const std::string& session);

  const program::Place place_;
  const Settings how_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  std::set<std::string> running_;
  std::map<std::string, std::string> failures_;
  std::vector<std::jthread> threads_;
};

}  // namespace research
