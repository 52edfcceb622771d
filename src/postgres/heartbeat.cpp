#include "postgres/heartbeat.hpp"

#include <algorithm>

namespace resumable::postgres {

Heartbeat::~Heartbeat() {
  {
    const std::scoped_lock lock{guard_};
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Heartbeat::add(std::int64_t row, const Renewed& lease) {
  const std::scoped_lock lock{guard_};
  leases_[row] = lease;
  if (!thread_.joinable()) thread_ = std::thread{[this] { run(); }};
  changed_.notify_all();
}

void Heartbeat::remove(std::int64_t row) {
  const std::scoped_lock lock{guard_};
  leases_.erase(row);
}

void Heartbeat::run() {
  std::unique_lock lock{guard_};
  while (!ends_) {
    const auto leases = leases_;
    if (leases.empty()) {
      changed_.wait(lock);
      continue;
    }
    auto pause = leases.begin()->second.ttl;
    for (const auto& [row, lease] : leases) pause = std::min(pause, lease.ttl);
    changed_.wait_for(lock, pause / 3);
    if (ends_) return;
    const auto due = leases_;
    lock.unlock();
    for (const auto& [row, lease] : due) renew(row, lease);
    lock.lock();
  }
}

/// A failure is no harm as long as the lease lasts: the next beat tries again, and commits do not
/// depend on it.
void Heartbeat::renew(std::int64_t row, const Renewed& lease) {
  const auto begin = std::chrono::steady_clock::now();
  bool is_lost = false;
  try {
    const Limit limit{.waits = {}, .end = begin + lease.ttl / 3};
    if (!connection_ || !connection_->usable()) {
      connection_.reset();
      connection_ = std::make_unique<Connection>(session_.target(), limit);
    }
    // Lost with a crash of the server, it is renewed again in time: it need not wait for the disk.
    const Rows renewed = connection_->run(
        "UPDATE runs SET until = clock_timestamp() + $3::bigint * interval '1 millisecond'"
        " WHERE id = $1::bigint AND fence = $2::bigint AND until IS NOT NULL"
        " RETURNING set_config('synchronous_commit', 'off', true)",
        Parameters{}.add(row).add(lease.fence).add(lease.ttl.count()), limit);
    const std::scoped_lock lock{guard_};
    const auto known = leases_.find(row);
    if (known == leases_.end() || known->second.fence != lease.fence) return;  // released meanwhile
    if (!renewed.empty()) known->second.renewed = begin;
    is_lost = renewed.empty();
  } catch (const std::exception&) {
    connection_.reset();
    is_lost = std::chrono::steady_clock::now() > lease.renewed + lease.ttl;
  }
  if (is_lost) lease.lost.request_stop();
}

}  // namespace resumable::postgres
