/// @file
/// What the store, its leases and its writer share: connections, and what happens when one is lost.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "postgres/connection.hpp"
#include "resumable/error.hpp"
#include "store/run_site.hpp"
#include "sys/clock.hpp"
#include "sys/process.hpp"

namespace resumable::postgres {

/// How long a call that lost its connection goes on trying: for the store's timeout, with pauses.
class Patience {
 public:
  Patience(const Target& target, const Wait& wait);
  /// The limit of one attempt.
  [[nodiscard]] const Limit& limit() const noexcept { return limit_; }
  /// Waits a moment; false if the time is over.
  [[nodiscard]] bool again();

 private:
  Limit limit_;
  std::chrono::milliseconds pause_{0};
};

/// Safe to use from several threads.
class Session {
 public:
  explicit Session(Target target);
  ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Calls `work` with a connection and a limit, again after a lost connection or a conflict: it
  /// must not mind being executed twice.
  /// @throws Error: `failure` if the server fails, Errc::cancelled if `wait` is over
  template <class Work>
  auto perform(Errc failure, const Wait& wait, const Work& work) {
    check_process();
    Patience patience{target_, wait};
    for (;;) {
      try {
        const Lent connection{*this, take(patience.limit())};
        return work(*connection, patience.limit());
      } catch (...) {
        handle(failure, patience);
      }
    }
  }

  /// The same with a connection of the caller's own, which is made when it is needed.
  template <class Work>
  auto perform_on(std::unique_ptr<Connection>& own, Errc failure, const Wait& wait,
                  const Work& work) {
    check_process();
    Patience patience{target_, wait};
    for (;;) {
      try {
        connect(own, patience.limit());
        return work(*own, patience.limit());
      } catch (...) {
        handle(failure, patience);
      }
    }
  }
  /// Connects, if `own` is no connection that can be used, and returns whether it did.
  bool connect(std::unique_ptr<Connection>& own, const Limit& limit);

  [[nodiscard]] const Target& target() const noexcept { return target_; }
  [[nodiscard]] store::RunSite site(std::string_view run) const;
  /// For messages: the database and the row's key.
  [[nodiscard]] std::string where(std::string_view run, RecordId id) const;
  /// @throws Error{Errc::forked}
  void check_process() const;
  [[nodiscard]] bool forked() const noexcept { return process_.pid() != pid_; }
  [[nodiscard]] const sys::SystemProcess& process() const noexcept { return process_; }

  /// To be called in a handler: returns if the call may be tried again, otherwise throws.
  void handle(Errc failure, Patience& patience);
  /// The error for a caller.
  [[nodiscard]] Error failed(Errc code, std::string_view why, std::string_view state) const;

 private:
  /// The server was reached once: later it may only be restarting.
  void note_connected() noexcept;

  class Lent {
   public:
    Lent(Session& session, std::unique_ptr<Connection> connection)
        : session_(session), connection_(std::move(connection)) {}
    ~Lent() { session_.give_back(std::move(connection_)); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Connection& operator*() const noexcept { return *connection_; }

   private:
    Session& session_;
    std::unique_ptr<Connection> connection_;
  };

  std::unique_ptr<Connection> take(const Limit& limit);
  void give_back(std::unique_ptr<Connection> connection) noexcept;

  Target target_;
  sys::SystemProcess process_;
  std::int64_t pid_;
  std::mutex guard_;
  std::condition_variable returned_;
  int lent_ = 0;
  std::vector<std::unique_ptr<Connection>> idle_;
  bool connected_ = false;
};

}  // namespace resumable::postgres
