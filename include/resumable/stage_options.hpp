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
      false;  ///< pass on the value itself, not the one decoded from its checkpoint
};

/// How an input is called: `p.input({.name = "company", .was = "firm"}, company)`.
struct InputOptions {
  Name name;
  FormerNames was{};  ///< what it was called before
};

}  // namespace v0
}  // namespace resumable
