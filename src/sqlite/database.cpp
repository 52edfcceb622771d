#include "sqlite/database.hpp"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/run_site.hpp"
#include "sys/process.hpp"

namespace resumable::sqlite {
namespace {

class SqliteErrors final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "sqlite"; }
  [[nodiscard]] std::string message(int code) const override { return ::sqlite3_errstr(code); }
};

const std::error_category& sqlite_errors() {
  static const SqliteErrors errors;
  return errors;
}

int open_database(const std::string& file, Mode mode, sqlite3*& handle) {
  // A URI, so that a file whose name begins with "file:" or has a '?' is opened as it is named.
  std::string uri = "file:";
  for (const char c : file) {
    const bool special = c == '%' || c == '?' || c == '#';
    uri += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  if (mode == Mode::read_only) uri += "?immutable=1";
  const int flags = (mode == Mode::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  return ::sqlite3_open_v2(uri.c_str(), &handle, flags, nullptr);
}

/// The operating system's error where there is one. SQLite keeps that of an earlier failure.
std::error_code cause_of(sqlite3* handle, int code) {
  const int primary = code & 0xFF;
  if (primary == SQLITE_FULL) return std::make_error_code(std::errc::no_space_on_device);
  const bool is_systems = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
  const int system = handle != nullptr && is_systems ? ::sqlite3_system_errno(handle) : 0;
  return system != 0 ? std::error_code{system, std::generic_category()}
                     : std::error_code{code, sqlite_errors()};
}

std::string advice(int code, std::error_code cause) {
  if (cause.category() != sqlite_errors()) return store::advice(cause);
  if ((code & 0xFF) == SQLITE_READONLY) {
    return "make the database and its folder writable, then run again";
  }
  return "check the database with sqlite3";
}

}  // namespace

Error error_of(sqlite3* handle, int code, const std::string& file) {
  const int primary = code & 0xFF;
  const std::error_code cause = cause_of(handle, code);
  const bool unfinished = code == SQLITE_READONLY_ROLLBACK;
  const std::string message =
      unfinished
          ? "a process was killed while it wrote to it, and undoing that takes the permission"
            " to write"
          : (handle == nullptr ? ::sqlite3_errstr(code) : ::sqlite3_errmsg(handle));
  const bool reading = unfinished || primary == SQLITE_CORRUPT || primary == SQLITE_CANTOPEN ||
                       code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ;
  const Errc errc = primary == SQLITE_NOTADB ? Errc::foreign
                    : reading                ? Errc::unreadable
                                             : Errc::store_failed;
  return {errc,
          {.what = fmt::format("the database: {}", message),
           .file = file,
           .kept = "everything saved before is intact",
           .next = advice(code, cause),
           .cause = cause}};
}

namespace {

bool is_code(const Error& error, int primary) noexcept {
  const std::error_code cause = error.info().cause;
  return cause.category() == sqlite_errors() && (cause.value() & 0xFF) == primary;
}

}  // namespace

bool is_clash(const Error& error) noexcept { return is_code(error, SQLITE_CONSTRAINT); }

bool is_busy(const Error& error) noexcept { return is_code(error, SQLITE_BUSY); }

bool needs_rollback(const Error& error) noexcept {
  return error.info().cause == std::error_code{SQLITE_READONLY_ROLLBACK, sqlite_errors()};
}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  ::sqlite3_reset(statement_);
  ::sqlite3_clear_bindings(statement_);
}

Statement& Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.empty() ? "" : text.data();
  ::sqlite3_bind_text64(statement_, parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  ::sqlite3_bind_int64(statement_, parameter, number);
  return *this;
}

Statement& Statement::bind_bytes(int parameter, std::span<const char> bytes) {
  const char* data = bytes.empty() ? "" : bytes.data();
  ::sqlite3_bind_blob64(statement_, parameter, data, bytes.size(), SQLITE_STATIC);
  return *this;
}

bool Statement::step() {
  const int code = ::sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3* handle = ::sqlite3_db_handle(statement_);
  throw error_of(handle, ::sqlite3_extended_errcode(handle), *file_);
}

void Statement::run() {
  while (step()) {
  }
  ::sqlite3_reset(statement_);
}

bool Statement::is_null(int column) const {
  return ::sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Statement::number(int column) const {
  return ::sqlite3_column_int64(statement_, column);
}

std::string_view Statement::bytes(int column) const {
  const void* data = ::sqlite3_column_blob(statement_, column);
  const int size = ::sqlite3_column_bytes(statement_, column);
  return {static_cast<const char*>(data), data == nullptr ? 0 : static_cast<std::size_t>(size)};
}

Connection::Connection(const std::string& file, Mode mode)
    : file_(file), mode_(mode), pid_(sys::SystemProcess{}.pid()) {
  const int code = open_database(file, mode, handle_);
  if (code != SQLITE_OK) {
    const Error error = error_of(handle_, code, file_);
    ::sqlite3_close(handle_);
    throw error;
  }
  ::sqlite3_extended_result_codes(handle_, 1);
  ::sqlite3_busy_timeout(handle_, static_cast<int>(longest_wait.count()));
}

Connection::~Connection() {
  // SQLite must not be called in a child of the process that opened the connection.
  if (sys::SystemProcess{}.pid() != pid_) return;
  for (const auto& [sql, statement] : statements_) ::sqlite3_finalize(statement);
  ::sqlite3_close(handle_);
}

Statement Connection::prepare(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr) {
    const int code =
        ::sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) throw error_of(handle_, code, file_);
  }
  return {statement, file_};
}

void Connection::execute(const char* sql) {
  const int code = ::sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw error_of(handle_, code, file_);
}

std::int64_t Connection::changes() const { return ::sqlite3_changes64(handle_); }

std::int64_t Connection::last_row() const { return ::sqlite3_last_insert_rowid(handle_); }

bool Connection::is_full() const { return (::sqlite3_errcode(handle_) & 0xFF) == SQLITE_FULL; }

bool Connection::in_transaction() const { return ::sqlite3_get_autocommit(handle_) == 0; }

std::int64_t Connection::pragma(const char* sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.number(0) : 0;
}

}  // namespace resumable::sqlite
