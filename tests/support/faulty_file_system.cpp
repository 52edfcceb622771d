#include "support/faulty_file_system.hpp"

#include <algorithm>
#include <utility>

namespace resumable::test {

std::string_view to_string(Op op) {
  static constexpr std::array<std::string_view, op_count> names{
      "open_root",     "open",      "create",      "close",    "make_folder", "stat",
      "list",          "volume",    "read",        "write",    "truncate",    "reserve",
      "sync",          "sync_data", "sync_folder", "rename",   "link",        "unlink",
      "remove_folder", "lock",      "unlock",      "is_locked"};
  return names[static_cast<std::size_t>(op)];
}

const std::set<Op>& writing_ops() {
  static const std::set<Op> ops{Op::create,  Op::make_folder, Op::write,     Op::truncate,
                                Op::reserve, Op::sync,        Op::sync_data, Op::sync_folder,
                                Op::rename,  Op::link,        Op::unlink,    Op::remove_folder};
  return ops;
}

void FaultyFileSystem::fail(std::optional<Fault> fault) {
  const std::lock_guard lock(guard_);
  fault_ = std::move(fault);
  matched_ = 0;
  struck_ = false;
}

bool FaultyFileSystem::struck() const {
  const std::lock_guard lock(guard_);
  return struck_;
}

void FaultyFileSystem::on_call(std::function<void(Op, std::uint64_t, bool)> call) {
  const std::lock_guard lock(guard_);
  on_call_ = std::move(call);
  total_ = 0;
}

void FaultyFileSystem::pretend(sys::Volume volume) {
  const std::lock_guard lock(guard_);
  volume_ = std::move(volume);
}

void FaultyFileSystem::move_at_most(std::size_t bytes) {
  const std::lock_guard lock(guard_);
  most_ = bytes;
}

std::uint64_t FaultyFileSystem::count(Op op) const {
  const std::lock_guard lock(guard_);
  return counts_[static_cast<std::size_t>(op)];
}

std::uint64_t FaultyFileSystem::syncs() const {
  return count(Op::sync) + count(Op::sync_data) + count(Op::sync_folder);
}

void FaultyFileSystem::reset_counts() {
  const std::lock_guard lock(guard_);
  counts_ = {};
  total_ = 0;
}

std::int64_t FaultyFileSystem::open_files() const {
  const std::lock_guard lock(guard_);
  return open_files_;
}

std::uint64_t FaultyFileSystem::second_syncs() const {
  const std::lock_guard lock(guard_);
  return second_syncs_;
}

std::error_code FaultyFileSystem::before(Op op) {
  std::function<void(Op, std::uint64_t, bool)> call;
  std::uint64_t total = 0;
  std::error_code error;
  {
    const std::lock_guard lock(guard_);
    ++counts_[static_cast<std::size_t>(op)];
    total = ++total_;
    call = on_call_;
    if (fault_ && (fault_->ops.empty() || fault_->ops.contains(op))) {
      ++matched_;
      if (matched_ == fault_->at || (fault_->sticky && matched_ > fault_->at)) {
        struck_ = true;
        error = std::make_error_code(fault_->error);
      }
    }
  }
  if (call) call(op, total, false);
  return error;
}

void FaultyFileSystem::after(Op op) {
  std::unique_lock lock(guard_);
  const auto call = on_call_;
  const std::uint64_t total = total_;
  lock.unlock();
  if (call) call(op, total, true);
}

std::error_code FaultyFileSystem::around(Op op, const std::function<std::error_code()>& call) {
  if (const auto error = before(op)) return error;
  const auto error = call();
  after(op);
  return error;
}

std::error_code FaultyFileSystem::synced(const sys::File& file, std::error_code error) {
  const std::lock_guard lock(guard_);
  if (lost_.contains(file.descriptor())) ++second_syncs_;
  if (error) lost_.insert(file.descriptor());
  return error;
}

bool FaultyFileSystem::interrupts() {
  const std::lock_guard lock(guard_);
  if (most_ == SIZE_MAX) return false;
  interrupted_ = !interrupted_;
  return interrupted_;
}

std::error_code FaultyFileSystem::open_root(const std::string& path, sys::File& out) {
  const auto error =
      around(Op::open_root, [&] { return ForwardingFileSystem::open_root(path, out); });
  const std::lock_guard lock(guard_);
  if (!error) ++open_files_;
  return error;
}

std::error_code FaultyFileSystem::open(const sys::File& folder, const std::string& name,
                                       sys::Open how, sys::File& out) {
  const bool is_new = how == sys::Open::new_private || how == sys::Open::new_public;
  const auto error = around(is_new ? Op::create : Op::open,
                            [&] { return ForwardingFileSystem::open(folder, name, how, out); });
  const std::lock_guard lock(guard_);
  if (!error) ++open_files_;
  return error;
}

std::error_code FaultyFileSystem::close(int descriptor) noexcept {
  // A close that fails has closed all the same.
  const auto error = before(Op::close);
  const auto real = ForwardingFileSystem::close(descriptor);
  {
    const std::lock_guard lock(guard_);
    --open_files_;
    lost_.erase(descriptor);
  }
  if (!error) after(Op::close);
  return error ? error : real;
}

std::error_code FaultyFileSystem::make_folder(const sys::File& parent, const std::string& name,
                                              sys::Access access) {
  return around(Op::make_folder,
                [&] { return ForwardingFileSystem::make_folder(parent, name, access); });
}

std::error_code FaultyFileSystem::stat(const sys::File& folder, const std::string& name,
                                       sys::Stat& out) {
  return around(Op::stat, [&] { return ForwardingFileSystem::stat(folder, name, out); });
}

std::error_code FaultyFileSystem::stat(const sys::File& file, sys::Stat& out) {
  return around(Op::stat, [&] { return ForwardingFileSystem::stat(file, out); });
}

std::error_code FaultyFileSystem::list(const sys::File& folder, std::vector<sys::Entry>& out) {
  return around(Op::list, [&] { return ForwardingFileSystem::list(folder, out); });
}

std::error_code FaultyFileSystem::volume(const sys::File& folder, sys::Volume& out) {
  return around(Op::volume, [&] {
    const auto error = ForwardingFileSystem::volume(folder, out);
    const std::lock_guard lock(guard_);
    if (volume_) out = *volume_;
    return error;
  });
}

std::error_code FaultyFileSystem::read(const sys::File& file, std::uint64_t at, std::span<char> to,
                                       std::size_t& count) {
  count = 0;
  if (interrupts()) return std::make_error_code(std::errc::interrupted);
  const auto part = to.first(std::min(to.size(), most_));
  return around(Op::read, [&] { return ForwardingFileSystem::read(file, at, part, count); });
}

std::error_code FaultyFileSystem::write(const sys::File& file, std::uint64_t at,
                                        std::string_view bytes, std::size_t& count) {
  count = 0;
  if (interrupts()) return std::make_error_code(std::errc::interrupted);
  const auto part = bytes.substr(0, most_);
  return around(Op::write, [&] { return ForwardingFileSystem::write(file, at, part, count); });
}

std::error_code FaultyFileSystem::truncate(const sys::File& file, std::uint64_t size) {
  return around(Op::truncate, [&] { return ForwardingFileSystem::truncate(file, size); });
}

std::error_code FaultyFileSystem::reserve(const sys::File& file, std::uint64_t size) {
  return around(Op::reserve, [&] { return ForwardingFileSystem::reserve(file, size); });
}

std::error_code FaultyFileSystem::sync(const sys::File& file) {
  return synced(file, around(Op::sync, [&] { return ForwardingFileSystem::sync(file); }));
}

std::error_code FaultyFileSystem::sync_data(const sys::File& file) {
  return synced(file, around(Op::sync_data, [&] { return ForwardingFileSystem::sync_data(file); }));
}

std::error_code FaultyFileSystem::sync_folder(const sys::File& folder) {
  return synced(folder,
                around(Op::sync_folder, [&] { return ForwardingFileSystem::sync_folder(folder); }));
}

std::error_code FaultyFileSystem::rename(const sys::File& from_folder, const std::string& from,
                                         const sys::File& to_folder, const std::string& to,
                                         sys::Rename how) {
  return around(Op::rename, [&] {
    return ForwardingFileSystem::rename(from_folder, from, to_folder, to, how);
  });
}

std::error_code FaultyFileSystem::link(const sys::File& from_folder, const std::string& from,
                                       const sys::File& to_folder, const std::string& to) {
  return around(Op::link,
                [&] { return ForwardingFileSystem::link(from_folder, from, to_folder, to); });
}

std::error_code FaultyFileSystem::unlink(const sys::File& folder, const std::string& name) {
  return around(Op::unlink, [&] { return ForwardingFileSystem::unlink(folder, name); });
}

std::error_code FaultyFileSystem::remove_folder(const sys::File& parent, const std::string& name) {
  return around(Op::remove_folder,
                [&] { return ForwardingFileSystem::remove_folder(parent, name); });
}

std::error_code FaultyFileSystem::lock(const sys::File& file) {
  return around(Op::lock, [&] { return ForwardingFileSystem::lock(file); });
}

std::error_code FaultyFileSystem::unlock(const sys::File& file) {
  return around(Op::unlock, [&] { return ForwardingFileSystem::unlock(file); });
}

std::error_code FaultyFileSystem::is_locked(const sys::File& file, bool& out) {
  return around(Op::is_locked, [&] { return ForwardingFileSystem::is_locked(file, out); });
}

}  // namespace resumable::test
