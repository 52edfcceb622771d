#include "sqlite/readers.hpp"

#include <filesystem>
#include <utility>

#include "sqlite/schema.hpp"
#include "sys/file_system.hpp"
#include "sys/process.hpp"

namespace resumable::sqlite {
namespace {

constexpr std::size_t most_idle = 16;

/// Whether there are commits that only the `-wal` file has.
bool has_log(const std::string& file) {
  const auto files = sys::posix_file_system();
  const std::filesystem::path path{sys::absolute_path(file)};
  sys::File folder;
  if (files->open_root(path.parent_path().string(), folder)) return true;
  sys::Stat stat;
  const auto error = files->stat(folder, path.filename().string() + "-wal", stat);
  return error ? error != std::errc::no_such_file_or_directory : stat.size > 0;
}

/// nullptr when there is no database, or one without tables yet.
std::unique_ptr<Connection> open_checked(const std::string& file, Mode mode) {
  auto connection = std::make_unique<Connection>(file, mode);
  if (!check_schema(*connection)) return nullptr;
  return connection;
}

std::unique_ptr<Connection> open_reader(const std::string& file) {
  try {
    return open_checked(file, Mode::read);
  } catch (const Error& error) {
    if (error.errc() != Errc::unreadable) throw;
    if (error.info().cause == std::errc::no_such_file_or_directory) return nullptr;
    // On read-only media the files beside the database cannot be made, and need not be.
    if (has_log(file)) throw;
    return open_checked(file, Mode::read_only);
  }
}

}  // namespace

void check_process(std::int64_t pid, const std::string& file) {
  if (sys::SystemProcess{}.pid() == pid) return;
  throw Error(Errc::forked, {.what = "the database was opened by the parent of this process",
                             .file = file,
                             .kept = "nothing was changed",
                             .next = "open the store in the process that uses it"});
}

Readers::Readers(std::string file) : file_(std::move(file)), pid_(sys::SystemProcess{}.pid()) {}

Readers::Reader::~Reader() {
  if (connection_) of_->give_back(std::move(connection_));
}

Readers::Reader Readers::take() {
  check_process(pid_, file_);
  {
    const std::scoped_lock lock{guard_};
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return {*this, std::move(connection)};
    }
  }
  return {*this, open_reader(file_)};
}

void Readers::give_back(std::unique_ptr<Connection> connection) {
  const std::scoped_lock lock{guard_};
  if (idle_.size() < most_idle) idle_.push_back(std::move(connection));
}

}  // namespace resumable::sqlite
