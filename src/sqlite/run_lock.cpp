#include "sqlite/run_lock.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "store/file/limits.hpp"

namespace resumable::sqlite {

using store::is_absent;

RunLocks::RunLocks(sys::FileSystem& files, const std::string& database) : files_(files) {
  const std::filesystem::path path{sys::absolute_path(database)};
  parent_ = path.parent_path().string();
  database_ = path.filename().string();
  leases_ = database_ + "-leases";
}

RunLocks::Lock::~Lock() {
  // Not left to close(): a child forked at that moment would keep it.
  if (file_) static_cast<void>(files_->unlock(file_));
}

std::error_code RunLocks::open_or_make(const sys::File& folder, const std::string& name,
                                       sys::File& out) const {
  auto error = files_.open(folder, name, sys::Open::read_write, out);
  if (!is_absent(error)) return error;
  error = files_.open(folder, name, sys::Open::new_private, out);
  if (error != std::errc::file_exists) return error;
  return files_.open(folder, name, sys::Open::read_write, out);
}

std::optional<RunLocks::Lock> RunLocks::take(const store::RunSite& site,
                                             store::Waiting& waiting) const {
  const std::string where = fmt::format("{}/{}/{}", parent_, leases_, site.name);
  sys::File folder;
  if (const auto error = files_.open_root(fmt::format("{}/{}", parent_, leases_), folder)) {
    throw site.failed("open", where, error);
  }
  for (int look = 0; look < store::limits::looks;) {
    sys::File file;
    if (const auto error = open_or_make(folder, site.name, file)) {
      if (!is_absent(error)) throw site.failed("open", where, error);
      ++look;  // removed just then
      continue;
    }
    if (const auto error = files_.lock(file)) {
      if (error != std::errc::resource_unavailable_try_again) {
        throw site.failed("lock", where, error);
      }
      if (!waiting.again()) return {};
      continue;
    }
    sys::Stat own;
    sys::Stat named;
    auto error = files_.stat(file, own);
    Lock lock{files_, std::move(file)};
    if (!error) error = files_.stat(folder, site.name, named);
    if (!error && named.same_file(own)) return lock;
    if (error && !is_absent(error)) throw site.failed("stat", where, error);
    ++look;  // the run was removed by the owner whom this waited for
  }
  throw site.failed("lock", where, std::make_error_code(std::errc::device_or_resource_busy));
}

bool RunLocks::is_taken(const store::RunSite& site) const {
  const std::string path = fmt::format("{}/{}", parent_, leases_);
  sys::File folder;
  sys::File file;
  bool taken = false;
  auto error = files_.open_root(path, folder);
  if (!error) error = files_.open(folder, site.name, sys::Open::read, file);
  if (!error) error = files_.is_locked(file, taken);
  if (error && !is_absent(error)) {
    throw site.unreadable("open", fmt::format("{}/{}", path, site.name), error);
  }
  return taken;
}

void RunLocks::remove(const store::RunSite& site) const noexcept {
  sys::File folder;
  if (files_.open_root(parent_ + '/' + leases_, folder)) return;
  static_cast<void>(files_.unlink(folder, site.name));
}

void RunLocks::prepare(const store::RunSite& site, bool shared) const {
  sys::File parent;
  auto error = sys::open_or_make_root(files_, parent_, parent);
  if (error) throw site.failed("mkdir", parent_, error);
  sys::Volume volume;
  error = files_.volume(parent, volume);
  if (!error && volume.shared && !shared) {
    throw site.error(Errc::store_failed,
                     {.what = fmt::format("{} is on a file system that other machines can write to"
                                          " ({})",
                                          parent_, volume.type),
                      .kept = "nothing was changed",
                      .next = "use a local disk"});
  }
  error = files_.make_folder(parent, leases_, sys::Access::owner_only);
  if (error && error != std::errc::file_exists) throw site.failed("mkdir", leases_, error);
  sys::File database;
  error = files_.open(parent, database_, sys::Open::new_private, database);
  if (error == std::errc::file_exists) return;
  if (!error) error = files_.sync_folder(parent);
  if (error) throw site.failed("open", parent_ + '/' + database_, error);
}

}  // namespace resumable::sqlite
