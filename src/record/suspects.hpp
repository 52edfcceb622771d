/// @file
/// Records that a reader of this process has found damaged. Readers write nothing, so their
/// findings are kept here, and the next gathering of facts for that run verifies these records
/// first.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace resumable::record {

/// A record by its path and generation.
using Suspect = std::pair<std::string, std::uint64_t>;

/// Only a hint: a record that turns out to be whole stays as it is. Safe to use from several
/// threads.
void suspect(const std::string& store, const std::string& run, Suspect record);
/// All that are known of a run.
[[nodiscard]] std::vector<Suspect> suspects(const std::string& store, const std::string& run);
/// This record is whole, gone or set aside.
void clear_suspect(const std::string& store, const std::string& run, const Suspect& record);

}  // namespace resumable::record
