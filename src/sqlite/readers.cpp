#include "sqlite/readers.hpp"

#include <utility>

#include "sqlite/schema.hpp"
#include "store/run_site.hpp"
#include "sys/file_system.hpp"
#include "sys/process.hpp"

namespace resumable::sqlite {
namespace {

using store::is_absent;

constexpr std::size_t most_idle = 16;

enum class Log : std::uint8_t { none, empty, used };

/// `used`: there may be commits that only the `-wal` file has.
Log log_of(const std::string& file) {
  sys::Stat stat;
  const auto error = sys::stat_path(file + "-wal", stat);
  if (error) return is_absent(error) ? Log::none : Log::used;
  return stat.size > 0 ? Log::used : Log::empty;
}

/// nullptr when there is no database, or one without tables yet.
std::unique_ptr<Connection> open_checked(const std::string& file, Mode mode) {
  auto connection = std::make_unique<Connection>(file, mode);
  if (!check_schema(*connection)) return nullptr;
  connection->note_files();
  return connection;
}

/// A process that is killed while it makes a database leaves one that cannot be read before its
/// transaction is undone. Later transactions are in the log, and need no undoing.
std::unique_ptr<Connection> open_undone(const std::string& file) {
  try {
    return open_checked(file, Mode::read);
  } catch (const Error& error) {
    if (!needs_rollback(error)) throw;
    static_cast<void>(open_checked(file, Mode::write));
    return open_checked(file, Mode::read);
  }
}

std::unique_ptr<Connection> open_reader(const std::string& file, int tries = 10) {
  try {
    return open_undone(file);
  } catch (const Error& error) {
    sys::Stat stat;
    if (is_absent(sys::stat_path(file, stat))) return nullptr;
    // A file that was not there is there now: another process has just made the database.
    const bool missed = error.info().cause == std::errc::no_such_file_or_directory;
    if (missed && tries > 1) return open_reader(file, tries - 1);
    const bool full = error.info().cause == std::errc::no_space_on_device;
    if (error.errc() != Errc::unreadable && !full) throw;
    // On read-only media, or without space, the files beside the database cannot be made, and need
    // not be.
    if (needs_rollback(error) || log_of(file) == Log::used) throw;
    return open_checked(file, Mode::read_only);
  }
}

bool is_current(const Connection& connection) {
  const OpenFiles& files = connection.files();
  return connection.mode() == Mode::read_only ? files.unchanged() : files.in_place();
}

}  // namespace

void check_process(std::int64_t pid, const std::string& file) {
  if (sys::SystemProcess{}.pid() == pid) return;
  throw Error(Errc::forked, {.what = "the database was opened by the parent of this process",
                             .file = file,
                             .kept = "nothing was changed",
                             .next = "open the store in the process that uses it"});
}

Readers::Readers(std::string file) : file_(std::move(file)), pid_(sys::SystemProcess{}.pid()) {
  idle_.reserve(most_idle);  // giving one back must not fail
}

Readers::~Readers() {
  if (sys::SystemProcess{}.pid() != pid_) return;
  try {
    idle_.clear();
    // The last connection that may write removes them.
    if (log_of(file_) == Log::empty) static_cast<void>(open_checked(file_, Mode::write));
  } catch (...) {  // NOLINT(bugprone-empty-catch): they do no harm
  }
}

Readers::Reader::~Reader() {
  if (connection_) of_->give_back(std::move(connection_));
}

Readers::Reader Readers::take() {
  check_process(pid_, file_);
  while (auto connection = take_idle()) {
    if (is_current(*connection)) return {*this, std::move(connection)};
  }
  return {*this, open_reader(file_)};
}

std::unique_ptr<Connection> Readers::take_idle() {
  const std::scoped_lock lock{guard_};
  if (idle_.empty()) return nullptr;
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

void Readers::give_back(std::unique_ptr<Connection> connection) noexcept {
  const std::scoped_lock lock{guard_};
  if (idle_.size() < most_idle) idle_.push_back(std::move(connection));
}

}  // namespace resumable::sqlite
