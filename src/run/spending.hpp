/// @file
/// What recorded work took, whichever call did it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "record/run_facts.hpp"
#include "resumable/report.hpp"

namespace resumable::run {

/// What a record took; nothing if there is none, or its header cannot be read.
[[nodiscard]] Savings spent_on(const record::RunFacts& facts, std::string_view path,
                               const plan::Row* row);

using SpentInside = std::map<std::string, Savings, std::less<>>;
/// What the steps of a stage or of its items took, failed tries included, or the loops that are on
/// record, by the path of the stage's or the item's value. Counts what calls before the one with
/// the lease `fence` did. Reads the headers of steps, and one for each loop.
[[nodiscard]] SpentInside spent_inside(
    const record::RunFacts& facts, std::string_view stage,
    std::uint64_t fence = std::numeric_limits<std::uint64_t>::max());

}  // namespace resumable::run
