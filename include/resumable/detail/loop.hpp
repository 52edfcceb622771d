/// @file
/// Saved loops, as Progress and History use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "resumable/detail/value_type.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

struct Compaction;
struct ProgressOptions;

namespace detail {

/// The entries of a history that compaction has left out: `count` of them, from number `first` on.
struct Gap {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// What a History holds, for its loop to save. Lives as long as the loop.
class HistoryEntries {
 public:
  virtual ~HistoryEntries() = default;
  /// How many were ever pushed.
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;
  [[nodiscard]] virtual Gap gap() const noexcept = 0;
  /// @pre number < size(), and outside of the gap
  [[nodiscard]] virtual const void* entry(std::size_t number) const noexcept = 0;
};

/// A saved loop, behind Progress and History. One thread at a time.
class RESUMABLE_EXPORT Loop {
 public:
  enum class Due : std::uint8_t { no, save, save_and_leave };
  virtual ~Loop();
  /// A turn of the loop is over. Allocates nothing and reads the clock at most once.
  [[nodiscard]] virtual Due pass() noexcept = 0;
  /// Commits what is not saved yet, as one batch.
  virtual void save() = 0;
  /// @throws Suspended
  [[noreturn]] virtual void leave() = 0;
};

class RESUMABLE_EXPORT ProgressLoop : public Loop {
 public:
  ~ProgressLoop() override;
  /// Where the state is from now on.
  virtual void bind(const void* state) noexcept = 0;
};

class RESUMABLE_EXPORT HistoryLoop : public Loop {
 public:
  ~HistoryLoop() override;
  virtual void bind(const HistoryEntries& entries) noexcept = 0;
  /// An entry was pushed; `compacted` if that changed the gap. Saves if that is due now.
  virtual void pushed(bool compacted) = 0;
};

struct ProgressCall {
  const ProgressOptions& options;
  const ValueType& type;
};
struct HistoryCall {
  std::string_view name;
  std::size_t every = 1;
  bool keep = false;
  const ValueType& type;
};
struct LoadedProgress {
  std::unique_ptr<ProgressLoop> loop;
  AnyValue state;  ///< null: nothing was saved
};
/// @throws Error{Errc::bad_option}
RESUMABLE_EXPORT void check(const Compaction& compaction, std::size_t every);
struct LoadedHistory {
  std::unique_ptr<HistoryLoop> loop;
  std::vector<AnyValue> entries;  ///< in order, without those in the gap
  Gap gap;
};

}  // namespace detail

}  // namespace v0
}  // namespace resumable
