/// @file
/// One look at all records of a run.
#pragma once

#include <string_view>

#include "manage/run_records.hpp"
#include "resumable/store.hpp"

namespace resumable::manage {

/// Each header is read once. `last`: a record that its owner has erased meanwhile is damage.
/// @throws record::VanishedRecord, and what read_run() throws; a run that does not exist is empty
[[nodiscard]] RunRecords read_records(const CheckpointStore& store, std::string_view run,
                                      Payloads payloads, const Wait& wait, bool last);

}  // namespace resumable::manage
