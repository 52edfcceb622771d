/// @file
/// Group commit: what several threads commit at the same time is one statement, and one sync.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postgres/session.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/lease.hpp"
#include "store/group_queue.hpp"
#include "store/run_site.hpp"

namespace resumable::postgres {

/// What a lease has of its run's row, or a worker of its task's. A statement that writes names all
/// three numbers.
struct Claim {
  store::RunSite site;
  std::int64_t row = 0;  ///< of a lease: the run's
  std::int64_t fence = 0;
  /// Raised after a lost connection, so that what the old one may still have in hand is refused.
  /// Of the thread that writes.
  std::int64_t epoch = 0;
  bool epoch_is_old = false;  ///< the row may have another
  std::int64_t token = 0;     ///< of a worker: the task's

  [[nodiscard]] std::int64_t key() const noexcept { return token != 0 ? token : row; }
  [[nodiscard]] Error fenced() const;
};

/// A worker does not hold its task, or the run has another owner.
struct NotHeld : std::exception {};

/// The one connection of a store that commits. Safe to use from several threads.
///
/// A statement that is refused is sent again for each commit alone, so that one cannot spoil the
/// others. After a lost connection, the new one raises the epoch of the rows: that waits for what
/// the old one has in hand, and shuts out what it has not begun. Then the first record of a commit
/// tells whether it has happened; if not, it is sent again.
class Writer {
 public:
  explicit Writer(Session& session) : session_(session) {}

  /// `committed` is called in the order of the commits, perhaps in another thread.
  /// @throws as Lease::commit(); NotHeld
  void commit(Claim& claim, const Batch& batch, const CommitOptions& options,
              FunctionRef<void()> committed);
  /// Executes a statement that changes one row if $1, $2 and $3 are a run's row, fence and epoch;
  /// `more` are the next parameters. Returns whether there was such a row.
  /// @throws Error{Errc::store_failed}, Error{Errc::fenced}
  bool update(Claim& claim, const char* sql, const Parameters& more, const Wait& wait);

 private:
  struct Request {
    Claim& claim;
    const Batch* batch = nullptr;
    std::vector<std::string> copies{};         ///< of payloads that are not in memory
    std::vector<std::string_view> payloads{};  ///< of the batch's puts
    std::size_t bytes = 0;
    CommitOptions options{};
    std::optional<FunctionRef<void()>> committed{};
    const char* sql = nullptr;  ///< of an update, which has no batch
    const Parameters* more = nullptr;
    bool changed = false;  ///< by the update
    std::exception_ptr error{};
    bool done = false;

    void finish() const {
      if (committed) (*committed)();
    }
  };
  using Part = std::vector<Request*>;

  static void read_payloads(Request& request);
  void flush(const Part& group) noexcept;
  static std::size_t part_at(const Part& group, std::size_t begin);
  void write(Part part);
  static void give_up(Part& part, const Error& error, bool sent);
  void send(const Part& part, const Limit& limit);
  void send_one(Request& request, const Limit& limit);
  void send_update(Request& request, const Limit& limit);
  void refused(const Part& part, const Refused& error, const Limit& limit);
  Error clash(const Request& request, const Limit& limit);
  Part unfinished(const Part& part, const Limit& limit);
  bool renew_epoch(Claim& claim, const Limit& limit);
  bool is_there(const Claim& claim, const Put& put, const Limit& limit);
  void connect(const Limit& limit);
  static std::exception_ptr refusal(const Claim& claim);
  [[nodiscard]] std::int64_t epoch_of(const Claim& claim) const noexcept {
    return claim.token != 0 ? connections_ : claim.epoch;
  }

  Session& session_;
  store::GroupQueue<Request> queue_{0.25};
  // Of the thread that writes:
  std::unique_ptr<Connection> connection_;
  std::int64_t connections_ = 0;  ///< so far: the epoch of tasks
};

}  // namespace resumable::postgres
