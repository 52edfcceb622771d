#include "sqlite/run_lock.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "store/file/limits.hpp"
#include "sys/process.hpp"

namespace resumable::sqlite {

using store::is_absent;

RunLocks::RunLocks(sys::FileSystem& files, const std::string& database)
    : files_(files), pid_(sys::SystemProcess{}.pid()) {
  const std::filesystem::path path{sys::absolute_path(database)};
  parent_ = path.parent_path().string();
  database_ = path.filename().string();
  leases_ = parent_ + '/' + database_ + "-leases";
}

RunLocks::Lock::~Lock() {
  if (!file_ || sys::SystemProcess{}.pid() != of_->pid_) return;
  try {
    of_->remove(name_, file_);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the next owner of the run removes it
  }
  // Not left to close(): a child forked at that moment would keep it.
  static_cast<void>(of_->files_.unlock(file_));
}

/// Under the lock: a process that waits for it finds that the file is gone, and makes another.
void RunLocks::remove(const std::string& name, const sys::File& file) const {
  sys::File folder;
  sys::Stat own;
  sys::Stat named;
  if (files_.open_root(leases_, folder) || files_.stat(file, own) ||
      files_.stat(folder, name, named) || !named.same_file(own) || files_.unlink(folder, name)) {
    return;
  }
  sys::File parent;
  if (files_.open_root(parent_, parent)) return;
  // Not while it has files of other runs.
  static_cast<void>(files_.remove_folder(parent, database_ + "-leases"));
}

std::error_code RunLocks::open_or_make(const sys::File& folder, const std::string& name,
                                       sys::File& out) const {
  auto error = files_.open(folder, name, sys::Open::read_write, out);
  if (!is_absent(error)) return error;
  error = files_.open(folder, name, sys::Open::new_private, out);
  if (error != std::errc::file_exists) return error;
  return files_.open(folder, name, sys::Open::read_write, out);
}

std::error_code RunLocks::open_or_make_folder(sys::File& out) const {
  auto error = files_.open_root(leases_, out);
  if (!is_absent(error)) return error;
  sys::File parent;
  error = files_.open_root(parent_, parent);
  if (!error) error = files_.make_folder(parent, database_ + "-leases", sys::Access::owner_only);
  if (error && error != std::errc::file_exists) return error;
  return files_.open_root(leases_, out);
}

std::optional<RunLocks::Lock> RunLocks::take(const store::RunSite& site,
                                             store::Waiting& waiting) const {
  const std::string where = fmt::format("{}/{}", leases_, site.name);
  for (int look = 0; look < store::limits::looks;) {
    sys::File folder;
    sys::File file;
    auto error = open_or_make_folder(folder);
    if (!error) error = open_or_make(folder, site.name, file);
    if (error) {
      if (!is_absent(error)) throw site.failed("open", where, error);
      ++look;  // removed just then
      continue;
    }
    error = files_.lock(file);
    if (error) {
      if (error != std::errc::resource_unavailable_try_again) {
        throw site.failed("lock", where, error);
      }
      if (!waiting.again()) return {};
      continue;
    }
    sys::Stat own;
    sys::Stat named;
    error = files_.stat(file, own);
    if (!error) error = files_.stat(folder, site.name, named);
    if (!error && named.same_file(own)) return Lock{*this, site.name, std::move(file)};
    static_cast<void>(files_.unlock(file));
    if (error && !is_absent(error)) throw site.failed("stat", where, error);
    ++look;  // removed by the owner whom this waited for
  }
  throw site.failed("lock", where, std::make_error_code(std::errc::device_or_resource_busy));
}

bool RunLocks::is_taken(const store::RunSite& site) const {
  sys::File folder;
  sys::File file;
  bool taken = false;
  auto error = files_.open_root(leases_, folder);
  if (!error) error = files_.open(folder, site.name, sys::Open::read, file);
  if (!error) error = files_.is_locked(file, taken);
  if (error && !is_absent(error)) {
    throw site.unreadable("open", fmt::format("{}/{}", leases_, site.name), error);
  }
  return taken;
}

void RunLocks::prepare(const store::RunSite& site, bool shared) const {
  sys::File parent;
  auto error = sys::open_or_make_root(files_, parent_, parent);
  if (error) throw site.failed("mkdir", parent_, error);
  sys::Volume volume;
  error = files_.volume(parent, volume);
  if (error && !shared) throw site.failed("statfs", parent_, error);
  if (volume.shared && !shared) {
    throw site.error(Errc::store_failed,
                     {.what = fmt::format("{} is on a file system that other machines can write to"
                                          " ({})",
                                          parent_, volume.type),
                      .kept = "nothing was changed",
                      .next = "use a local disk"});
  }
  if (!volume.local_locks.empty()) {
    throw site.error(Errc::store_failed,
                     {.what = fmt::format("the locks in {} hold on this host only: {}", parent_,
                                          volume.local_locks),
                      .kept = "nothing was changed: two hosts could write at the same time",
                      .next = "use a local disk"});
  }
  sys::File database;
  error = files_.open(parent, database_, sys::Open::new_private, database);
  if (error == std::errc::file_exists) return;
  if (!error) error = files_.sync_folder(parent);
  if (error) throw site.failed("open", parent_ + '/' + database_, error);
}

}  // namespace resumable::sqlite
