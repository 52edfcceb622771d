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

/// The larger time and the larger cost: that of a value includes its steps, unless a call that ran
/// some of them was killed.
[[nodiscard]] Savings larger(const Savings& one, const Savings& other) noexcept;

/// What a record took; nothing if there is none, or its header cannot be read.
[[nodiscard]] Savings spent_on(const record::RunFacts& facts, std::string_view path,
                               const plan::Row* row);

using StepsSpent = std::map<std::string, Savings, std::less<>>;
/// What the steps of a stage or of its items took, failed tries included, by the path of the
/// stage's or the item's value. Counts the steps of calls before the one with the lease `fence`.
/// Reads their headers.
[[nodiscard]] StepsSpent spent_on_steps(
    const record::RunFacts& facts, std::string_view stage,
    std::uint64_t fence = std::numeric_limits<std::uint64_t>::max());

}  // namespace resumable::run
