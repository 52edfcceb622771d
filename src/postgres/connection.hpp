/// @file
/// One connection to a server: statements with a limit of time, and what can go wrong.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <libpq-fe.h>

#include "postgres/parameters.hpp"
#include "postgres/target.hpp"
#include "resumable/lease.hpp"
#include "sys/readiness.hpp"

namespace resumable::postgres {

/// The server could not be reached, or did not let us in.
struct ConnectFailed : std::runtime_error {
  ConnectFailed(const std::string& text, std::string code)
      : std::runtime_error(text), state(std::move(code)) {}
  std::string state;  ///< SQLSTATE, if it was the server that said so
};

/// Whether the statement was executed is not known.
struct ConnectionLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A `Wait` was over; the connection is given up.
struct WaitOver : std::exception {};

/// The server refused a statement, which has changed nothing.
struct Refused : std::runtime_error {
  Refused(const std::string& text, std::string code)
      : std::runtime_error(text), state(std::move(code)) {}
  std::string state;  ///< SQLSTATE

  /// The same statement may succeed now.
  [[nodiscard]] bool is_conflict() const noexcept { return state == "40001" || state == "40P01"; }
  [[nodiscard]] bool is_duplicate() const noexcept { return state == "23505"; }
};

/// Until when a call may last: the `Wait`s of those who wait for it, and the store's timeout.
struct Limit {
  std::vector<Wait> waits;
  std::chrono::steady_clock::time_point end{};

  [[nodiscard]] bool is_over() const noexcept {
    return std::ranges::any_of(waits, [](const Wait& wait) { return wait.is_over(); });
  }
};

/// The rows of an answer. What it returns is valid as long as it lives.
class Rows {
 public:
  explicit Rows(PGresult* result) : result_(result, &PQclear) {}
  [[nodiscard]] int count() const { return PQntuples(result_.get()); }
  [[nodiscard]] bool empty() const { return count() == 0; }
  [[nodiscard]] bool is_null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
  }
  [[nodiscard]] std::string_view bytes(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column),
            static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
  }
  [[nodiscard]] std::int64_t number(int row, int column) const {
    return decoded(bytes(row, column));
  }
  [[nodiscard]] bool flag(int row, int column) const { return number(row, column) != 0; }
  /// How many rows a statement has changed.
  [[nodiscard]] std::int64_t changed() const;

 private:
  std::shared_ptr<PGresult> result_;
};

/// Used by one thread at a time.
///
/// Behind a pooler (PgBouncer in transaction mode), each transaction may have another session of
/// the server: there a statement is not prepared, and brings its settings with it, in one round
/// trip.
class Connection {
 public:
  /// @throws ConnectFailed, WaitOver; Error{Errc::unreadable}  a server that cannot be used
  Connection(const Target& target, const Limit& limit);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// `sql` is a literal: its address is the key of the prepared statement.
  /// @throws ConnectionLost, Refused, WaitOver
  Rows run(const char* sql, const Parameters& parameters, const Limit& limit);
  /// Several statements without parameters, all or none; the rows of the last one, as text.
  Rows script(const std::string& sql, const Limit& limit);

  /// Whether it can take a statement: a server that closed it has said so by now.
  [[nodiscard]] bool usable();
  /// The version of the tables; 0 when there are none.
  [[nodiscard]] std::int64_t schema() const noexcept { return schema_; }
  /// Looks again. @throws Error{Errc::newer}, Error{Errc::foreign}
  void find_schema(const Limit& limit);

 private:
  void connect(const Limit& limit);
  void prepare_session(const Limit& limit);
  [[nodiscard]] std::string settings(const std::string& local) const;
  const std::string& prepared(const char* sql, int count, const Limit& limit);
  void read_version(const Limit& limit);
  Rows answer(const Limit& limit);
  void await(sys::Readiness wanted, const Limit& limit);
  void flush(const Limit& limit);
  [[noreturn]] void lose();
  [[nodiscard]] std::string message() const;

  const Target& target_;
  PGconn* handle_ = nullptr;
  bool broken_ = false;
  std::int64_t schema_ = 0;
  std::string settings_;  ///< of each transaction, behind a pooler; else ""
  std::unordered_map<const char*, std::string> prepared_;
};

}  // namespace resumable::postgres
