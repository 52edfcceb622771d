/// @file
/// Group commit: what several threads write at the same time is one transaction, and one sync.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "resumable/function_ref.hpp"
#include "resumable/lease.hpp"
#include "sqlite/database.hpp"
#include "store/group_queue.hpp"

namespace resumable::sqlite {

/// The one connection of a store that writes. Safe to use from several threads.
///
/// Threads that write at the same time share a transaction. Each has a savepoint, so that a failure
/// does not affect the others.
class Writer {
 public:
  using Work = FunctionRef<void(Connection&)>;

  explicit Writer(std::string file);
  /// Moves what the log has into the database, so that it is whole without the log. SQLite does so
  /// only when no other process has the database open.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Runs `work` in a transaction, which is as durable on return as requested. `work` may run in
  /// another thread; if it throws, its changes are undone, and the exception is rethrown here.
  /// @throws Error{Errc::store_failed}     nothing changed
  /// @throws Error{Errc::outcome_unknown}  it may be committed
  /// @throws Error{Errc::fenced}           the database was moved, removed or replaced
  /// @throws Error{Errc::forked}, Error{Errc::newer}, Error{Errc::foreign}
  void run(Work work, Durability durability = Durability::full);

  /// How often the database was found to be moved, removed or replaced. If two calls within `work`
  /// differ, what the first one saw is out of reach.
  [[nodiscard]] std::uint64_t displaced() const noexcept { return displaced_; }

 private:
  struct Request {
    Work work;
    Durability durability = Durability::full;
    std::exception_ptr error{};
    bool done = false;
  };

  void flush(const std::vector<Request*>& group) noexcept;
  void write(const std::vector<Request*>& group);
  void check_in_place();
  void note_displaced();
  void empty_log();
  void commit();
  void open();
  static void apply(Connection& connection, Request& request);

  std::string file_;
  std::int64_t pid_;
  store::GroupQueue<Request> queue_;
  std::unique_ptr<Connection> connection_;  ///< of the thread that flushes
  bool syncs_ = true;                       ///< its transactions end with a sync
  std::optional<OpenFiles> known_;          ///< those of the last connection
  std::uint64_t displaced_ = 0;
};

}  // namespace resumable::sqlite
