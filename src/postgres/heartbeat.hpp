/// @file
/// Renews the leases of a store while its process lives.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "postgres/session.hpp"

namespace resumable::postgres {

/// A thread of its own, with a connection of its own, from the first lease on. Safe to use from
/// several threads.
class Heartbeat {
 public:
  explicit Heartbeat(Session& session) : session_(session) {}
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  struct Renewed {
    std::int64_t fence = 0;
    std::chrono::milliseconds ttl{};
    std::stop_source lost{};  ///< requested when the run has another owner, or the ttl is over
    std::chrono::steady_clock::time_point renewed = std::chrono::steady_clock::now();
  };
  /// Renews the run's row every third of its `ttl`, as long as it has this fence.
  void add(std::int64_t row, const Renewed& lease);
  void remove(std::int64_t row);

 private:
  void run();
  void renew(std::int64_t row, const Renewed& lease);

  Session& session_;
  std::mutex guard_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::map<std::int64_t, Renewed> leases_;
  std::unique_ptr<Connection> connection_;  ///< of the thread
  std::thread thread_;
};

}  // namespace resumable::postgres
