/// @file
/// Which of a run's files that were set aside may be removed.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "exports/set_aside.hpp"
#include "resumable/store.hpp"

namespace resumable::manage {

struct OldSetAside {
  std::string folder;  ///< the run's; empty where the store has none
  std::vector<exports::SetAside> files;
  std::string kept_because{};  ///< there are some, and none may go: why
};

/// All of them; none where the store has no folder for artifacts.
/// @throws Error{Errc::unreadable}
[[nodiscard]] std::vector<exports::SetAside> all_set_aside(const CheckpointStore& store,
                                                           std::string_view run,
                                                           sys::FileSystem& system);

/// Those that were set aside before `oldest`. None while one of them may be the only good copy: of
/// a run of which a record is damaged, or a record that was set aside has no whole newer
/// generation. Reads the payloads of the run where there are any.
/// @throws Error{Errc::unreadable}, Error{Errc::unknown_run}
[[nodiscard]] OldSetAside old_set_aside(CheckpointStore& store, std::string_view run,
                                        sys::FileSystem& system,
                                        std::chrono::system_clock::time_point oldest);

}  // namespace resumable::manage
