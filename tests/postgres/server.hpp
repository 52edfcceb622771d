/// @file
/// A PostgreSQL server that a test process has for itself.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "support/temp_folder.hpp"

namespace resumable::test {

/// On a Unix socket in a temporary folder, as a user of its own if the test is root, whom initdb
/// refuses. Stopped, and removed with all data, when it is destroyed or the process is killed.
class PostgresServer {
 public:
  /// `settings`: lines of postgresql.conf. @pre is_installed()
  explicit PostgresServer(const std::string& settings = "");
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  [[nodiscard]] static bool is_installed();
  static constexpr const char* missing = "no PostgreSQL server is installed (initdb, pg_ctl)";
  /// One for all tests of this process that do not stop it; nullptr if none is installed.
  [[nodiscard]] static const PostgresServer* shared();

  /// As the superuser, who needs no password.
  [[nodiscard]] std::string url(const std::string& database = "postgres") const;
  /// Of another user.
  [[nodiscard]] std::string url_of(const std::string& user, const std::string& password,
                                   const std::string& database = "postgres") const;
  /// The rows of the last statement, as text: `|` between columns, one row a line.
  std::string sql(const std::string& statements) const;
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }
  void start() const;
  /// `mode`: smart, fast, or immediate, which is a crash.
  void stop(const std::string& mode) const;

  /// All its processes stop answering, and do so again when what this returns is destroyed.
  [[nodiscard]] std::shared_ptr<const void> suspend() const;

 private:
  /// `command` of the server's programs, as its user: for a shell, and whether it ended well.
  [[nodiscard]] std::string line(const std::string& command) const;
  [[nodiscard]] bool run(const std::string& command) const;
  void watch();

  TempFolder folder_;
  std::FILE* watcher_ = nullptr;
};

/// PgBouncer in front of a server, in transaction mode: each transaction may have another session.
class PostgresPooler {
 public:
  /// @pre is_installed(). `server` outlives this.
  explicit PostgresPooler(const PostgresServer& server);
  ~PostgresPooler();
  PostgresPooler(const PostgresPooler&) = delete;
  PostgresPooler& operator=(const PostgresPooler&) = delete;

  [[nodiscard]] static bool is_installed();
  static constexpr const char* missing = "PgBouncer is not installed";
  /// One in front of the shared server; nullptr if something is not installed.
  [[nodiscard]] static const PostgresPooler* shared();

  [[nodiscard]] std::string url() const;

 private:
  TempFolder folder_;
  std::FILE* process_ = nullptr;
};

}  // namespace resumable::test
