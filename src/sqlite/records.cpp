#include "sqlite/records.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "store/ranges.hpp"

namespace resumable::sqlite {
namespace {

Error damaged(const Connection& connection, RecordId id, std::string_view why) {
  return {Errc::damaged,
          {.what = fmt::format("checkpoint {}, generation {}, is damaged: {}", id.path,
                               id.generation, why),
           .file = connection.file(),
           .kept = "nothing was deleted",
           .next = "resume: an earlier generation is used, or the stage runs again"}};
}

std::optional<Tag> tag_of(std::string_view bytes) {
  Tag tag;
  if (bytes.size() != tag.raw.size()) return {};
  std::memcpy(tag.raw.data(), bytes.data(), bytes.size());
  return tag;
}

std::int64_t generation_of(RecordId id) { return static_cast<std::int64_t>(id.generation); }

std::string as_json(const std::vector<store::Range>& ranges) {
  core::Json list = core::Json::array();
  for (const store::Range& range : ranges) list.push_back({range.begin, range.end});
  return list.dump();
}

void insert_chunks(Connection& connection, std::int64_t record, const Payload& payload) {
  std::vector<char> buffer(chunk_bytes);
  std::int64_t number = 0;
  for (std::uint64_t at = 0; at < payload.size(); at += chunk_bytes) {
    const std::size_t count = payload.read(at, buffer);
    connection.prepare("INSERT INTO chunks VALUES(?, ?, ?)")
        .bind(1, record)
        .bind(2, number++)
        .bind_bytes(3, std::span{buffer}.first(count))
        .run();
  }
}

}  // namespace

std::optional<std::int64_t> run_row(Connection& connection, std::string_view run) {
  Statement statement = connection.prepare("SELECT id FROM runs WHERE run = ?");
  if (!statement.bind(1, run).step()) return {};
  return statement.number(0);
}

void insert_record(Connection& connection, std::int64_t run, const Put& put) {
  const bool in_chunks = put.payload->size() > chunk_bytes;
  std::string copy;
  std::optional<std::string_view> bytes;
  if (!in_chunks) bytes = put.payload->view();
  if (!in_chunks && !bytes) bytes = copy = read_all(*put.payload);
  const std::string_view tag{reinterpret_cast<const char*>(put.tag.raw.data()), put.tag.raw.size()};
  {
    Statement statement = connection.prepare(
        "INSERT INTO records(run, path, generation, payload_bytes, tag, header, payload)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)");
    statement.bind(1, run).bind(2, put.id.path).bind(3, generation_of(put.id));
    statement.bind(4, static_cast<std::int64_t>(put.payload->size()));
    statement.bind_bytes(5, tag).bind(6, put.header);
    if (bytes) statement.bind_bytes(7, *bytes);
    statement.run();
  }
  if (in_chunks) insert_chunks(connection, connection.last_row(), *put.payload);
}

void erase_record(Connection& connection, std::int64_t run, RecordId id) {
  connection
      .prepare(
          "DELETE FROM records WHERE run = ? AND path = ? AND generation = ?"
          " AND NOT quarantined")
      .bind(1, run)
      .bind(2, id.path)
      .bind(3, generation_of(id))
      .run();
}

void scan_records(Connection& connection, std::int64_t run, const ScanOptions& what,
                  FunctionRef<bool(const RecordHead&)> visit) {
  const auto ranges = store::ranges_of(what);
  const std::string list = ranges.size() == 1 ? std::string{} : as_json(ranges);
  // The second one reads a list of ranges: all of them in one snapshot.
  Statement rows = connection.prepare(
      ranges.size() == 1
          ? "SELECT path, generation, quarantined, payload_bytes, tag, header FROM records"
            " WHERE run = ?1 AND quarantined <= ?2 AND path >= ?3 AND path < ?4"
            " ORDER BY path, generation"
          : "SELECT records.path, generation, quarantined, payload_bytes, tag, header"
            " FROM json_each(?3) AS place CROSS JOIN records"
            " WHERE run = ?1 AND quarantined <= ?2"
            " AND records.path >= json_extract(place.value, '$[0]')"
            " AND records.path < json_extract(place.value, '$[1]')"
            " ORDER BY records.path, generation");
  rows.bind(1, run).bind(2, what.quarantined ? 1 : 0);
  if (ranges.size() == 1) {
    rows.bind(3, ranges.front().begin).bind(4, ranges.front().end);
  } else {
    rows.bind(3, list);
  }
  while (rows.step()) {
    RecordHead head;
    head.id = {rows.bytes(0), static_cast<std::uint64_t>(rows.number(1))};
    head.quarantined = rows.number(2) != 0;
    const auto tag = tag_of(rows.bytes(4));
    if (!tag) head.damage = Damage::torn;
    if (tag) {
      head.tag = *tag;
      head.header_bytes = rows.bytes(5).size();
      head.payload_bytes = static_cast<std::uint64_t>(rows.number(3));
    }
    if (tag && what.headers && !head.quarantined) head.header = rows.bytes(5);
    if (!visit(head)) return;
  }
}

RecordTotals sum_records(Connection& connection, std::int64_t run, std::string_view prefix) {
  const store::Range below = store::range_below(prefix);
  Statement rows = connection.prepare(
      "SELECT count(*), coalesce(sum(length(CAST(header AS BLOB))), 0),"
      " coalesce(sum(payload_bytes), 0) FROM records"
      " WHERE run = ? AND path >= ? AND path < ? AND NOT quarantined");
  rows.bind(1, run).bind(2, below.begin).bind(3, below.end).step();
  return {static_cast<std::uint64_t>(rows.number(0)), static_cast<std::uint64_t>(rows.number(1)),
          static_cast<std::uint64_t>(rows.number(2))};
}

std::optional<Row> find_record(Connection& connection, std::int64_t run, RecordId id) {
  Statement rows = connection.prepare(
      "SELECT id, payload_bytes, tag, header, payload FROM records"
      " WHERE run = ? AND path = ? AND generation = ? AND NOT quarantined");
  if (!rows.bind(1, run).bind(2, id.path).bind(3, generation_of(id)).step()) return {};
  const auto tag = tag_of(rows.bytes(2));
  if (!tag) throw damaged(connection, id, "its tag is not 64 bytes");
  Row row{rows.number(0),
          static_cast<std::uint64_t>(rows.number(1)),
          rows.is_null(4),
          {*tag, std::string{rows.bytes(3)}, nullptr}};
  if (row.in_chunks) return row;
  row.record.payload = std::make_shared<StringPayload>(std::string{rows.bytes(4)});
  if (row.record.payload->size() != row.payload_bytes) {
    throw damaged(connection, id, "its payload has another size than its row says");
  }
  return row;
}

std::size_t read_chunks(Connection& connection, const Row& row, std::uint64_t at,
                        std::span<char> to) {
  if (at >= row.payload_bytes) return 0;
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), row.payload_bytes - at));
  Statement rows = connection.prepare(
      "SELECT bytes FROM chunks WHERE record = ? AND number >= ? ORDER BY number");
  rows.bind(1, row.id).bind(2, static_cast<std::int64_t>(at / chunk_bytes));
  std::size_t skip = at % chunk_bytes;
  std::size_t copied = 0;
  while (copied < wanted && rows.step()) {
    const std::string_view chunk = rows.bytes(0);
    if (chunk.size() <= skip) break;
    const std::size_t count = std::min(wanted - copied, chunk.size() - skip);
    std::memcpy(to.data() + copied, chunk.data() + skip, count);
    copied += count;
    skip = 0;
  }
  if (copied == wanted) return copied;
  throw Error(Errc::unreadable, {.what = "a chunk of a payload is missing in the database",
                                 .file = connection.file(),
                                 .kept = "nothing was changed",
                                 .next = "check the database with sqlite3"});
}

}  // namespace resumable::sqlite
