/// @file
/// The lease of a run: a kernel lock on an empty file, which is released with its process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "store/file/waiting.hpp"
#include "store/run_site.hpp"
#include "sys/file_system.hpp"

namespace resumable::sqlite {

/// `<database>-leases/`, with one file for each run that a process owns. Both go with the lease.
class RunLocks {
 public:
  RunLocks(sys::FileSystem& files, const std::string& database);

  /// Holds a run's lock until it is destroyed, and then removes its file. Must not outlive `of`.
  class Lock {
   public:
    Lock(const RunLocks& of, std::string name, sys::File file) noexcept
        : of_(&of), name_(std::move(name)), file_(std::move(file)) {}
    Lock(Lock&&) noexcept = default;
    Lock& operator=(Lock&&) = delete;
    ~Lock();

   private:
    const RunLocks* of_;
    std::string name_;
    sys::File file_;
  };

  /// nullopt if another process has it, and still does when `waiting` is over.
  /// @throws Error{Errc::store_failed}
  [[nodiscard]] std::optional<Lock> take(const store::RunSite& site, store::Waiting& waiting) const;
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] bool is_taken(const store::RunSite& site) const;
  /// Makes the database as an empty file, 0600, and the folders above it, where they are missing.
  /// @throws Error{Errc::store_failed}
  void prepare(const store::RunSite& site, bool shared) const;

 private:
  std::error_code open_or_make(const sys::File& folder, const std::string& name,
                               sys::File& out) const;
  std::error_code open_or_make_folder(sys::File& out) const;
  void remove(const std::string& name, const sys::File& file) const;

  sys::FileSystem& files_;
  std::int64_t pid_;
  std::string parent_;  ///< the folder of the database
  std::string database_;
  std::string leases_;
};

}  // namespace resumable::sqlite
