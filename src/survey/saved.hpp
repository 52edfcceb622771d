/// @file
/// What resuming has saved, over all calls of a run.
#pragma once

#include <span>

#include "resumable/run_list.hpp"
#include "survey/records.hpp"

namespace resumable::survey {

/// As saved_by_resuming(), of a run with these records, whose headers were read.
[[nodiscard]] RESUMABLE_EXPORT Savings saved(std::span<const RecordView> records,
                                             std::span<const RunCall> calls);

}  // namespace resumable::survey
