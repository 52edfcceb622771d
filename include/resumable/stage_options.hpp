/// @file
/// How a stage is run: StageOptions. How an input is called: InputOptions.
#pragma once

#include <chrono>
#include <cstdint>

#include "resumable/handle.hpp"
#include "resumable/name.hpp"
#include "resumable/retry.hpp"

namespace resumable {
inline namespace v0 {

/// How long the store keeps a stage's value.
enum class Keep : std::uint8_t {
  always,
  /// Until what takes it is done. When a call ends `done`, the value's bytes are deleted from the
  /// store; what remains is the record that it was made, of what, and its identity, so nothing runs
  /// again because of that. Report and Records have no value then. If a stage or condition that
  /// takes it has to run later, the stage that made it runs first, and the plan says so
  /// (Reason::dropped). If the new value is not equal to the dropped one, whatever else takes it
  /// runs again as well.
  ///
  /// A value stays if nothing has taken it, if it has an artifact or files left in place
  /// (InPlaceFile), as long as a tag names it, or if its stage is pinned, accepted or told to
  /// ignore changes. Steps, effects and histories stay. Not for fan-outs (Errc::bad_option).
  until_used,
};

/// How a stage is run. Fill in by designated initialisers: `{.name = "draft", .revision = 2}`.
struct StageOptions {
  Name name;
  FormerNames was{};           ///< what it was called before
  std::uint32_t revision = 1;  ///< raise it when a change of code makes old values stale
  unsigned concurrency = 0;    ///< items at a time, at most as many as the call allows; 0: as many
  Retry retry{};
  std::chrono::milliseconds timeout{0};  ///< per attempt, through Context::stop_token(); 0: none
  std::chrono::seconds max_age{0};       ///< an older value is made again; 0: values do not age
  When when{};                           ///< a Condition, or its negation; default: always
  bool skip_round_trip =
      false;                 ///< pass on the value itself, not the one decoded from its checkpoint
  Keep keep = Keep::always;  ///< whether the value stays in the store once it has been used
};

/// How an input is called: `p.input({.name = "company", .was = "firm"}, company)`.
struct InputOptions {
  Name name;
  FormerNames was{};  ///< what it was called before
};

}  // namespace v0
}  // namespace resumable
