/// @file
/// Reading records.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "postgres/session.hpp"
#include "resumable/store.hpp"

namespace resumable::postgres {

/// By path, then by generation. The visitor may use the store.
void scan_records(Session& session, std::string_view run, const ScanOptions& what,
                  FunctionRef<bool(const RecordHead&)> visit);

/// nullopt when there is none, or it was set aside. @throws Error{Errc::damaged}
[[nodiscard]] std::optional<StoredRecord> get_record(Session& session, std::string_view run,
                                                     RecordId id, const Wait& wait);

/// Many in one statement. @throws Error{Errc::unreadable}, Error{Errc::cancelled}
void get_records(Session& session, std::string_view run, std::span<const RecordId> ids,
                 FunctionRef<bool(Fetched)> visit, const Wait& wait);

[[nodiscard]] RecordTotals sum_records(Session& session, std::string_view run,
                                       std::string_view prefix, const Wait& wait);

}  // namespace resumable::postgres
