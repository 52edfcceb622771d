/// @file
/// A store whose calls do not wait for ever, and are counted.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "resumable/error.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/report.hpp"

namespace resumable::store {

/// How long the calls of a run wait for a store that does not answer.
struct Patience {
  std::chrono::milliseconds timeout{0};                        ///< 0: no limit
  std::stop_token stop{};                                      ///< ends calls that read
  std::optional<std::chrono::steady_clock::time_point> end{};  ///< and so does this
};

/// Gives each call a Wait, unless its caller has given one that is shorter. A call that began after
/// the stop or the end has the timeout alone: what is left to do may still be done.
///
/// A timeout is Errc::store_failed, or Errc::outcome_unknown of a commit, and names the store.
/// After one, calls wait only for a moment until one is answered again, so that whoever gives up
/// need not wait once more for each. A stop, or the end, is Errc::cancelled.
class TimedStore final : public ForwardingStore {
  using Time = std::chrono::steady_clock::time_point;

 public:
  TimedStore(CheckpointStore& next, Patience patience)
      : ForwardingStore(next), patience_(std::move(patience)) {}
  ~TimedStore() override;

  /// As Patience::end. Before any call from another thread.
  void end_reading_at(std::chrono::steady_clock::time_point end) noexcept { patience_.end = end; }

  /// The Wait of a call that reads and begins now.
  [[nodiscard]] Wait reading(const Wait& given) const;
  /// The same of one that writes, which a stop does not end.
  [[nodiscard]] Wait writing(const Wait& given) const;

  /// Whether the last call that ended had no answer in time.
  [[nodiscard]] bool is_silent() const noexcept { return silent_since_.load() != Time{}; }

  /// What its calls took so far, except those for a lease, which may have to wait for its owner.
  [[nodiscard]] Overhead overhead() const noexcept;

 private:
  class TimedLease;
  using Sum = std::atomic<std::chrono::nanoseconds::rep>;

  /// What `call` returns; an error that ended it because `wait` was over says so in full. Adds the
  /// time that it took to `sum`, if there is one.
  template <class Call>
  auto in_time(const Wait& wait, Sum* sum, const Call& call) const {
    const auto begin = std::chrono::steady_clock::now();
    const Added added{sum, begin};
    try {
      if constexpr (std::is_void_v<decltype(call())>) {
        call();
        answered();
      } else {
        auto result = call();
        answered();
        return result;
      }
    } catch (const Error& error) {
      explain(error, wait, begin);
    }
  }

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  std::vector<std::string> do_warnings(const Wait& wait) const override;

  [[nodiscard]] std::chrono::milliseconds most_time() const noexcept;
  void answered() const noexcept { silent_since_ = Time{}; }
  /// @throws Error
  [[noreturn]] void explain(const Error& error, const Wait& wait, Time begin) const;

  /// Adds the time since `begin` when it goes.
  struct Added {
    Sum* sum;
    Time begin;
    ~Added() {
      if (sum == nullptr) return;
      const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
      sum->fetch_add(took.count(), std::memory_order_relaxed);
    }
  };

  Patience patience_;
  mutable std::atomic<Time> silent_since_{Time{}};  ///< 0: it is not
  mutable Sum reading_{0};
  mutable Sum writing_{0};
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace resumable::store
