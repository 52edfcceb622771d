/// @file
/// Damage that is found after the call of resume(), when the report reads a value.
#pragma once

#include "record/record_index.hpp"
#include "resumable/error.hpp"
#include "run/report_data.hpp"

namespace resumable::run {

/// Marks the record in the store, and every other value that is damaged as well, so that the next
/// call verifies them, sets them aside and makes them again. Returns what to throw; its advice
/// depends on whether the mark could be written.
[[nodiscard]] Error late_damage(const detail::ReportData& report,
                                const record::DamagedRecord& record);

}  // namespace resumable::run
