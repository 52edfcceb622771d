/// @file
/// The lease of a run: a kernel lock on an empty file, which is released with its process.
#pragma once

#include <optional>
#include <string>

#include "store/file/waiting.hpp"
#include "store/run_site.hpp"
#include "sys/file_system.hpp"

namespace resumable::sqlite {

/// `<database>-leases/`, with one file per run.
class RunLocks {
 public:
  RunLocks(sys::FileSystem& files, const std::string& database);

  /// Holds a run's lock until it is destroyed.
  class Lock {
   public:
    Lock(sys::FileSystem& files, sys::File file) noexcept
        : files_(&files), file_(std::move(file)) {}
    Lock(Lock&&) noexcept = default;
    Lock& operator=(Lock&&) = delete;
    ~Lock();

   private:
    sys::FileSystem* files_;
    sys::File file_;
  };

  /// nullopt if another process has it, and still does when `waiting` is over.
  /// @throws Error{Errc::store_failed}
  [[nodiscard]] std::optional<Lock> take(const store::RunSite& site, store::Waiting& waiting) const;
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] bool is_taken(const store::RunSite& site) const;
  /// The lock file of a run that was removed; called by the owner of its lock.
  void remove(const store::RunSite& site) const noexcept;
  /// Makes the folder, and the database as an empty file, 0600, where they are missing.
  /// @throws Error{Errc::store_failed}
  void prepare(const store::RunSite& site, bool shared) const;

 private:
  std::error_code open_or_make(const sys::File& folder, const std::string& name,
                               sys::File& out) const;

  sys::FileSystem& files_;
  std::string parent_;  ///< the folder of the database
  std::string database_;
  std::string leases_;
};

}  // namespace resumable::sqlite
