/// @file
/// For a store of your own: which run ids are twins, and the errors that every store throws.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "resumable/error.hpp"
#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

/// Equal for two run ids that differ only in case or in how accents are written: a store refuses to
/// create the second one.
[[nodiscard]] RESUMABLE_EXPORT std::string run_twin_key(std::string_view run);

/// @throws Error{Errc::cancelled}  when `wait` is over; to be called before anything is changed
RESUMABLE_EXPORT void throw_if_over(const Wait& wait);

/// The errors of one run, with what was kept and what to do now. They are returned, not thrown.
class RESUMABLE_EXPORT StoreErrors {
 public:
  /// `store`: as in messages, such as CheckpointStore::url().
  StoreErrors(std::string_view store, std::string_view run);

  /// Errc::busy, of lease(): another process owns the run.
  [[nodiscard]] Error busy(const Owner& owner) const;
  /// Errc::unknown_run, of lease() with Create::never.
  [[nodiscard]] Error unknown() const;
  /// Errc::duplicate_name, of lease() with Create::must.
  [[nodiscard]] Error exists() const;
  /// Errc::duplicate_name, of lease(): `other` is a twin of this run.
  [[nodiscard]] Error twin(std::string_view other) const;
  /// Errc::fenced, of commit(): the record exists already, in `place`.
  [[nodiscard]] Error record_exists(RecordId id, std::string place) const;
  /// Errc::fenced, of a lease whose run has another owner now.
  [[nodiscard]] Error fenced() const;
  /// Errc::forked, of a lease in a child of the process that took it.
  [[nodiscard]] Error forked() const;
  /// Errc::store_failed: nothing was changed. `cause` decides what to do now.
  [[nodiscard]] Error failed(std::string operation, std::string place, std::error_code cause) const;
  /// Errc::unreadable.
  [[nodiscard]] Error unreadable(std::string operation, std::string place,
                                 std::error_code cause) const;
  /// Errc::damaged, of get(): `why` is the end of a sentence.
  [[nodiscard]] Error damaged(RecordId id, std::string place, std::string why) const;

 private:
  std::string store_;
  std::string run_;
};

}  // namespace v0
}  // namespace resumable
