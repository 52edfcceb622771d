#include "sqlite/writer.hpp"

#include <algorithm>
#include <utility>

#include "sqlite/readers.hpp"
#include "sqlite/schema.hpp"
#include "store/file/waiting.hpp"
#include "sys/clock.hpp"
#include "sys/process.hpp"

namespace resumable::sqlite {

Writer::Writer(std::string file) : file_(std::move(file)), pid_(sys::SystemProcess{}.pid()) {}

Writer::~Writer() {
  if (!connection_ || sys::SystemProcess{}.pid() != pid_) return;
  try {
    if (connection_->files().in_place()) empty_log();
  } catch (...) {  // NOLINT(bugprone-empty-catch): the log keeps what it has
  }
}

void Writer::run(Work work, Durability durability) {
  check_process(pid_, file_);
  Request request{work, durability};
  queue_.run(request, [this](const std::vector<Request*>& group) { flush(group); });
}

void Writer::flush(const std::vector<Request*>& group) noexcept {
  try {
    if (connection_ && !connection_->files().in_place()) {
      note_displaced();
      connection_.reset();
    }
    if (!connection_) open();
    write(group);
  } catch (...) {
    for (Request* one : group) {
      if (!one->error) one->error = std::current_exception();
    }
    // Closing it rolls back what was begun.
    connection_.reset();
  }
}

// With synchronous = NORMAL a commit appends to the log without a sync. The next one that syncs
// makes it durable as well: a log is read up to its first gap.
void Writer::write(const std::vector<Request*>& group) {
  const bool syncs = std::ranges::any_of(
      group, [](const Request* one) { return one->durability == Durability::full; });
  if (syncs != syncs_) {
    connection_->execute(syncs ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    syncs_ = syncs;
  }
  connection_->prepare("BEGIN IMMEDIATE").run();
  for (Request* one : group) apply(*connection_, *one);
  check_in_place();
  commit();
}

void Writer::empty_log() {
  connection_->execute("PRAGMA busy_timeout = 0");  // a reader may last
  connection_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

/// A log that was removed is read here for the last time.
void Writer::note_displaced() {
  ++displaced_;
  if (!connection_->files().only_log_is_gone()) return;
  if (connection_->in_transaction()) connection_->execute("ROLLBACK");
  empty_log();
}

void Writer::check_in_place() {
  if (connection_->files().in_place()) return;
  note_displaced();
  throw Error(Errc::fenced,
              {.what = "the database was moved, removed or replaced while this process had it open",
               .file = file_,
               .kept = "everything saved before is where it was moved to",
               .next = "do not touch the database while it is in use; run again"});
}

void Writer::apply(Connection& connection, Request& request) {
  connection.prepare("SAVEPOINT one").run();
  try {
    request.work(connection);
  } catch (...) {
    request.error = std::current_exception();
    // After some errors SQLite has rolled back the whole transaction.
    if (!connection.in_transaction()) throw;
    connection.prepare("ROLLBACK TO one").run();
  }
  connection.prepare("RELEASE one").run();
}

void Writer::commit() {
  try {
    connection_->prepare("COMMIT").run();
  } catch (const Error& error) {
    if (connection_->is_full()) throw;
    ErrorInfo info = error.info();
    info.what = "it is unknown whether the last transaction is in the database: " + info.what;
    info.next = "resume again: it reads what the run holds";
    throw Error(Errc::outcome_unknown, std::move(info));
  }
}

namespace {

/// SQLite does not wait here: of several connections that change a new database at the same time,
/// each but one is refused at once.
void enter_wal(Connection& connection) {
  sys::SystemClock clock;
  store::Waiting waiting{clock, longest_wait, {}};
  for (;;) {
    try {
      return connection.execute("PRAGMA journal_mode = WAL");
    } catch (const Error& error) {
      if (!is_busy(error) || !waiting.again()) throw;
    }
  }
}

}  // namespace

void Writer::open() {
  auto connection = std::make_unique<Connection>(file_, Mode::write);
  static_cast<void>(check_schema(*connection));
  enter_wal(*connection);
  connection->execute("PRAGMA synchronous = FULL");
  connection->execute("BEGIN IMMEDIATE");
  migrate(*connection);
  connection->execute("COMMIT");
  connection->note_files();
  if (known_ && !known_->same_database(connection->files())) ++displaced_;
  known_ = connection->files();
  connection_ = std::move(connection);
  syncs_ = true;
}

}  // namespace resumable::sqlite
