/// @file
/// What a session has on record, read without running it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <resumable/store.hpp>
#include <string>
#include <string_view>

namespace research {

/// The value of the newest whole record at `path` (docs/format.md lists the paths); nullopt when
/// there is none.
/// @throws resumable::Error{Errc::damaged}  none is whole
std::optional<nlohmann::json> recorded(const resumable::CheckpointStore& store,
                                       std::string_view session, std::string_view path);

/// The same for an input that is text; empty when there is none.
std::string recorded_input(const resumable::CheckpointStore& store, std::string_view session,
                           std::string_view name);

}  // namespace research
