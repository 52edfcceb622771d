/// @file
/// A store whose leases end by themselves, and two ways to get that wrong.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "resumable/forwarding_store.hpp"

namespace resumable::test {

enum class TtlFault { none, checks_no_fence, never_renews };

/// Keeps records in a FileStore, whose own leases are held for one call each, and who owns a run in
/// a file beside it.
template <TtlFault fault>
class TtlStore final : public ForwardingStore {
  using Clock = std::chrono::system_clock;

  struct State {
    std::uint64_t fence = 0;
    std::int64_t until = 0;  ///< in milliseconds since 1970; 0: it was released
    std::int64_t pid = 0;
    std::int64_t since = 0;
  };

  /// The file of a run, locked while this lives.
  class Locked {
   public:
    explicit Locked(std::string name)
        : name_(std::move(name)),
          file_(::open((name_ + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
      while (::flock(file_, LOCK_EX) != 0) {
      }
      std::ifstream{name_} >> state.fence >> state.until >> state.pid >> state.since;
    }
    ~Locked() { ::close(file_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    void write() const {
      std::ofstream{name_} << state.fence << ' ' << state.until << ' ' << state.pid << ' '
                           << state.since;
    }
    State state;

   private:
    std::string name_;
    int file_;
  };

  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch())
        .count();
  }

  class TtlLease final : public Lease {
   public:
    TtlLease(const TtlStore& store, std::string run, std::uint64_t fence, std::int64_t ttl)
        : Lease(fence), store_(store), run_(std::move(run)), ttl_(ttl) {
      renewing_ = std::jthread{[this](const std::stop_token& stop) { renew(stop); }};
    }
    ~TtlLease() override {
      renewing_.request_stop();
      renewing_.join();
      Locked file{store_.file_of(run_)};
      if (file.state.fence != fence()) return;
      file.state.until = 0;
      file.write();
    }

   private:
    void renew(const std::stop_token& stop) {
      std::mutex guard;
      std::unique_lock lock{guard};
      std::condition_variable_any wake;  // by the stop alone
      while (true) {
        wake.wait_for(lock, stop, std::chrono::milliseconds{ttl_ / 10}, [] { return false; });
        if (stop.stop_requested()) return;
        Locked file{store_.file_of(run_)};
        if (file.state.fence != fence()) {
          lost_.request_stop();
          return;
        }
        if (fault == TtlFault::never_renews) continue;
        file.state.until = now() + ttl_;
        file.write();
      }
    }
    /// What `call` does with a lease of the store below, as long as this is the owner.
    template <class Call>
    auto as_owner(const Call& call) {
      const Locked file{store_.file_of(run_)};
      if (fault != TtlFault::checks_no_fence && file.state.fence != fence()) {
        lost_.request_stop();
        throw Error(Errc::fenced, {.what = "the run has another owner"});
      }
      const auto lease = store_.next().lease(run_, {.wait = std::chrono::minutes{1}});
      return call(*lease);
    }

    Ticket do_commit(const Batch& batch, const CommitOptions& /*always full*/) override {
      as_owner([&](Lease& lease) { return lease.commit(batch); });
      return ++tickets_;
    }
    void do_manifest(std::string_view json, const Wait& wait) override {
      as_owner([&](Lease& lease) { lease.manifest(json, wait); });
    }
    std::string do_quarantine(RecordId id, const Wait& wait) override {
      return as_owner([&](Lease& lease) { return lease.quarantine(id, wait); });
    }
    [[nodiscard]] std::stop_token do_lost() const noexcept override { return lost_.get_token(); }

    const TtlStore& store_;
    std::string run_;
    std::int64_t ttl_;
    std::atomic<Ticket> tickets_{0};
    std::stop_source lost_;
    std::jthread renewing_;
  };

 public:
  explicit TtlStore(const std::filesystem::path& folder)
      : TtlStore(std::make_shared<FileStore>(folder), folder) {}

 private:
  TtlStore(std::shared_ptr<FileStore> files, std::filesystem::path folder)
      : ForwardingStore(*files), files_(std::move(files)), folder_(std::move(folder)) {
    folder_ += "-owners";
    std::filesystem::create_directories(folder_);
  }

  [[nodiscard]] std::string file_of(std::string_view run) const {
    return (folder_ / std::string{run}).string();
  }

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    const auto end = std::chrono::steady_clock::now() + request.wait;
    const std::int64_t ttl = request.ttl.count() > 0 ? request.ttl.count() : 60'000;
    for (;;) {
      {
        Locked file{file_of(run)};
        if (file.state.until <= now()) {
          static_cast<void>(next().lease(run, {.create = request.create}));
          file.state = {file.state.fence + 1, now() + ttl, ::getpid(), now() / 1000};
          file.write();
          return std::make_unique<TtlLease>(*this, std::string{run}, file.state.fence, ttl);
        }
      }
      if (std::chrono::steady_clock::now() >= end) {
        throw Error(Errc::busy, {.what = "the run has an owner"});
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  }
  std::optional<Owner> do_owner(std::string_view run, const Wait& /*a file*/) const override {
    const Locked file{file_of(run)};
    if (file.state.until <= now()) return std::nullopt;
    return Owner{.host = "here",
                 .pid = file.state.pid,
                 .since = std::chrono::sys_seconds{std::chrono::seconds{file.state.since}},
                 .fence = file.state.fence,
                 .until = std::chrono::sys_seconds{std::chrono::seconds{file.state.until / 1000}}};
  }

  std::shared_ptr<FileStore> files_;
  std::filesystem::path folder_;
};

}  // namespace resumable::test
