/// @file
/// `<run>/.resumable/owner`: the lock of a run, and who has it.
///
/// The lock is a kernel lock (an open-file-description lock), so it is released with its process,
/// however that ends. The text is for people, and keeps the fence: one line of JSON, padded to a
/// fixed length and written in place by one call. It ends with a check: a text that is not as it
/// was written is ignored. The file is never renamed, and deleted only with its run.
#pragma once

#include <memory>
#include <optional>

#include "store/file/backend.hpp"

namespace resumable::store {

/// What an owner leaves behind.
struct LastOwner {
  std::uint64_t fence = 0;
  /// Of its text, which no other owner has, not even of a run that was removed and begun again.
  std::uint64_t stamp = 0;
};

class OwnerLock {
 public:
  OwnerLock(const Backend& backend, sys::File file, const sys::Stat& stat)
      : backend_(&backend), file_(std::move(file)), stat_(stat) {}
  OwnerLock(OwnerLock&&) noexcept = default;
  OwnerLock& operator=(OwnerLock&&) noexcept = delete;
  ~OwnerLock();

  /// The lock, or nullopt with who has it in `owner`.
  /// @throws Error{Errc::store_failed}
  static std::optional<OwnerLock> take(const Backend& backend, const RunSite& site,
                                       const sys::File& own, Owner& owner);

  /// What the last owner wrote; nullopt if that is unknown.
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] std::optional<LastOwner> last_owner(const RunSite& site) const;
  /// Records, durably, that this process is the owner.
  /// @throws Error{Errc::store_failed}
  void write(const RunSite& site, std::uint64_t fence) const;
  /// Whether the file that is locked is still the one with the name.
  std::error_code is_in_place(const sys::File& own, bool& out) const;
  /// Refuses to write when it is not.
  /// @throws Error{Errc::fenced}, Error{Errc::store_failed}
  void check_in_place(const RunSite& site, const sys::File& own) const;

 private:
  const Backend* backend_;
  sys::File file_;
  sys::Stat stat_;
};

/// The stamp of the last owner, if there was one and no process has the lock; nullopt also if the
/// text is damaged. If two calls return the same, no process has written to the run in between.
/// @throws Error{Errc::unreadable}
[[nodiscard]] std::optional<std::uint64_t> idle_stamp(const Backend& backend, const RunSite& site,
                                                      const sys::File& own);

/// The process that has the lock; nullopt if there is none. Does not take the lock.
/// @throws Error{Errc::unreadable}
[[nodiscard]] std::optional<Owner> look_at_owner(const Backend& backend, const RunSite& site,
                                                 const sys::File& own);

}  // namespace resumable::store
