/// @file
/// The conformance kit for stores (component `testing`): one call checks whether a store keeps
/// every promise of store.hpp and lease.hpp. It needs no test framework:
///
///     const auto report = resumable::testing::check_store([&](std::string_view place) {
///       return std::make_unique<MyStore>(folder / place);
///     });
///     std::cout << report.text();
///     return report.passed() ? 0 : 1;
///
/// With a test framework, make a test for each of store_checks() that calls run_store_check().
/// docs/writing-a-store.md lists the sections.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {

/// Opens the store at `place`, a short name of letters such as `BatchesAreWhole`: use it as a
/// folder, a database or a prefix. A place must be empty when it is first used, and no other check
/// uses it. It is opened several times, also while it is already open and in a child process, and
/// must each time have what was committed before. For a store in memory, return the same object for
/// the same place.
using OpenStore = std::function<std::shared_ptr<CheckpointStore>(std::string_view place)>;

struct StoreCheckOptions {
  /// Whether another process can open the same place. If false, as for a store in memory, the
  /// checks that fork(2) and kill a child are skipped.
  bool survives_process = true;
  std::vector<std::string> sections{};  ///< only these; empty: all
};

enum class Verdict : std::uint8_t {
  kept,
  broken,
  not_offered,  ///< an optional capability that this store says it lacks
};

/// One check.
struct StoreCheck {
  std::string_view section;  ///< the capability that it belongs to: `order`
  std::string_view name;     ///< unique: `ScansAreInOrder`
};

/// The result of one check.
struct CheckResult {
  std::string_view name;
  Verdict verdict = Verdict::kept;
  std::string detail{};  ///< if broken: the first promise that was broken, and how
};

/// The result for one capability.
struct SectionResult {
  std::string_view section;
  std::string_view promise;         ///< one sentence
  Verdict verdict = Verdict::kept;  ///< broken if one check is; not_offered if no check is offered
  std::vector<CheckResult> checks{};
};

struct RESUMABLE_EXPORT StoreReport {
  std::string store;  ///< the URL of the first store that was opened
  std::vector<SectionResult> sections{};

  /// Whether no promise is broken. Capabilities that are not offered do not count.
  [[nodiscard]] bool passed() const noexcept;
  /// nullptr if the section was not checked.
  [[nodiscard]] const SectionResult* find(std::string_view section) const noexcept;
  /// A line per section, and one below it for each broken check.
  [[nodiscard]] std::string text() const;
};

/// All checks, in the order in which check_store() runs them.
[[nodiscard]] RESUMABLE_EXPORT std::span<const StoreCheck> store_checks();

/// Runs one check. Does not throw what the store throws.
/// @throws Error{Errc::bad_option}  there is no check of this name
[[nodiscard]] RESUMABLE_EXPORT CheckResult run_store_check(std::string_view name,
                                                           const OpenStore& open,
                                                           const StoreCheckOptions& options = {});

/// Runs all checks, one after the other. Starts threads and child processes, which end before it
/// returns; call it while no other thread is running. Takes seconds on a local disk, and does not
/// clean up its places.
/// @throws Error{Errc::bad_option}  options.sections names one that does not exist
[[nodiscard]] RESUMABLE_EXPORT StoreReport check_store(const OpenStore& open,
                                                       const StoreCheckOptions& options = {});

}  // namespace testing
}  // namespace v0
}  // namespace resumable
