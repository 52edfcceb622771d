/// @file
/// Arguments that every store refuses, checked in one place for all of them.
#pragma once

#include <string_view>

#include "resumable/export.hpp"
#include "resumable/lease.hpp"

namespace resumable::store {

/// @throws Error{Errc::bad_name}
RESUMABLE_EXPORT void check_run(std::string_view run);
/// @throws Error{Errc::bad_name}
RESUMABLE_EXPORT void check_record(RecordId id);
/// Also what a scan calls a damaged record of a batch.
/// @throws Error{Errc::bad_name}
void check_found(RecordId id);
/// @throws Error{Errc::bad_name}, Error{Errc::too_large}
void check_header(std::string_view path, std::string_view header);
/// @throws Error{Errc::bad_name}, Error{Errc::too_large}
RESUMABLE_EXPORT void check_put(const Put& put);
/// @throws Error{Errc::bad_name}, Error{Errc::too_large}
void check_batch(const Batch& batch);
/// @throws Error{Errc::cancelled}  when `wait` is over
void check_wait(const Wait& wait);

}  // namespace resumable::store
