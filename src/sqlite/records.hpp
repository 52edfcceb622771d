/// @file
/// Records as rows.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "resumable/store.hpp"
#include "sqlite/database.hpp"

namespace resumable::sqlite {

/// Payloads up to this size are in their row, larger ones in chunks of this size.
inline constexpr std::size_t chunk_bytes = std::size_t{64} << 10U;

/// The id of a run's row.
[[nodiscard]] std::optional<std::int64_t> run_row(Connection& connection, std::string_view run);

/// @throws Error that is_clash()  the record exists; what the payload throws
void insert_record(Connection& connection, std::int64_t run, const Put& put);
/// Not one that was set aside.
void erase_record(Connection& connection, std::int64_t run, RecordId id);

/// By path, then by generation.
void scan_records(Connection& connection, std::int64_t run, const ScanOptions& what,
                  FunctionRef<bool(const RecordHead&)> visit);

[[nodiscard]] RecordTotals sum_records(Connection& connection, std::int64_t run,
                                       std::string_view prefix);

/// A record as its row has it.
struct Row {
  std::int64_t id = 0;
  std::uint64_t payload_bytes = 0;
  bool in_chunks = false;
  StoredRecord record;  ///< without a payload that is in chunks
};
/// nullopt when there is none, or it was set aside. @throws Error{Errc::damaged}
[[nodiscard]] std::optional<Row> find_record(Connection& connection, std::int64_t run, RecordId id);

/// Copies bytes of a payload in chunks. @throws Error{Errc::unreadable}
std::size_t read_chunks(Connection& connection, const Row& row, std::uint64_t at,
                        std::span<char> to);

}  // namespace resumable::sqlite
