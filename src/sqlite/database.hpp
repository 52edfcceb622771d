/// @file
/// One connection to a database, and its prepared statements.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "resumable/error.hpp"
#include "sqlite/open_files.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace resumable::sqlite {

/// A prepared statement while it is used; reset when it is destroyed. Parameters and columns count
/// from 1 and from 0, as SQLite's do.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, const std::string& file) noexcept
      : statement_(statement), file_(&file) {}
  Statement(Statement&& other) noexcept
      : statement_(std::exchange(other.statement_, nullptr)), file_(other.file_) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// Texts and bytes must outlive the statement's use.
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::int64_t number);
  Statement& bind_bytes(int parameter, std::span<const char> bytes);
  /// Whether there is one more row. @throws Error{Errc::unreadable} or Error{Errc::store_failed}
  bool step();
  /// Runs it to its end and makes it ready for other parameters.
  void run();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;
  /// Of a text or of bytes; valid until the next step.
  [[nodiscard]] std::string_view bytes(int column) const;

 private:
  sqlite3_stmt* statement_;
  const std::string* file_;
};

/// How long a statement waits for the transaction of another process.
inline constexpr std::chrono::milliseconds longest_wait{60'000};

enum class Mode : std::uint8_t {
  write,      ///< the database must exist
  read,       ///< nothing is written but SQLite's own files beside it
  read_only,  ///< on media that nobody writes to: not even those
};

/// Used by one thread at a time.
class Connection {
 public:
  /// @throws Error{Errc::unreadable}, Error{Errc::foreign}  not a database
  Connection(const std::string& file, Mode mode);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// `sql` is a literal: its address is the key of the prepared statement.
  [[nodiscard]] Statement prepare(const char* sql);
  /// Runs one or more statements without parameters.
  void execute(const char* sql);
  /// Of the last statement that changed rows.
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_row() const;
  [[nodiscard]] bool in_transaction() const;
  [[nodiscard]] std::int64_t pragma(const char* sql);
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// Whether the last failure was the lack of space, after which the transaction never happened.
  [[nodiscard]] bool is_full() const;
  /// Remembers which files it has open.
  void note_files() { files_ = OpenFiles{file_}; }
  [[nodiscard]] const OpenFiles& files() const noexcept { return files_; }
  [[nodiscard]] Mode mode() const noexcept { return mode_; }

 private:
  std::string file_;
  Mode mode_;
  OpenFiles files_;
  sqlite3* handle_ = nullptr;
  std::int64_t pid_;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
};

/// What SQLite's `code` means: unreadable, foreign or store_failed.
[[nodiscard]] Error error_of(sqlite3* handle, int code, const std::string& file);

/// Whether `error` is that of a row that exists.
[[nodiscard]] bool is_clash(const Error& error) noexcept;
/// Whether it says that another connection has the lock which the statement needed.
[[nodiscard]] bool is_busy(const Error& error) noexcept;
/// Whether it says that a transaction of a killed process has to be rolled back, which only a
/// connection that may write can do.
[[nodiscard]] bool needs_rollback(const Error& error) noexcept;

}  // namespace resumable::sqlite
