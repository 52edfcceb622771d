#include "postgres/records.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "store/fetched.hpp"
#include "store/ranges.hpp"

namespace resumable::postgres {
namespace {

constexpr std::size_t most_ids = 1'000;                       // of one statement
constexpr std::int64_t most_bytes = std::int64_t{16} << 20U;  // of its payloads

std::optional<Tag> tag_of(std::string_view bytes) {
  Tag tag;
  if (bytes.size() != tag.raw.size()) return {};
  std::memcpy(tag.raw.data(), bytes.data(), bytes.size());
  return tag;
}

/// The rows of `query` with a run's tables; nullopt when there are no tables.
template <class Query>
std::optional<Rows> rows_of(Session& session, const Wait& wait, const Query& query) {
  return session.perform(Errc::unreadable, wait,
                         [&](Connection& connection, const Limit& limit) -> std::optional<Rows> {
                           if (connection.schema() == 0) connection.find_schema(limit);
                           if (connection.schema() == 0) return std::nullopt;
                           return query(connection, limit);
                         });
}

/// From columns that begin at `column`: payload_bytes, tag, header, payload.
StoredRecord stored(const Session& session, std::string_view run, RecordId id, const Rows& rows,
                    int row, int column) {
  const store::RunSite site = session.site(run);
  const auto tag = tag_of(rows.bytes(row, column + 1));
  if (!tag) throw site.damaged(id, session.where(run, id), "its tag is not 64 bytes");
  const std::string_view payload = rows.bytes(row, column + 3);
  if (static_cast<std::int64_t>(payload.size()) != rows.number(row, column)) {
    throw site.damaged(id, session.where(run, id),
                       "its payload has another size than its row says");
  }
  return {*tag, std::string{rows.bytes(row, column + 2)},
          std::make_shared<StringPayload>(std::string{payload})};
}

#define HEADS                                                 \
  "SELECT path, generation, quarantined, payload_bytes, tag," \
  " octet_length(header)::bigint AS header_bytes"
#define FROM_RUN                                                         \
  " FROM records WHERE run = (SELECT id FROM runs WHERE run = $1::text)" \
  " AND (NOT quarantined OR $4::bigint = 1)"
#define ONE_RANGE FROM_RUN " AND path >= $2::text AND path < $3::text ORDER BY path, generation"
// OFFSET 0: planned by itself, with the index, also while the table is small.
#define OF_RANGES(heads)                                                     \
  "SELECT found.* FROM unnest($2::text[], $3::text[]) AS place(first, last)" \
  " CROSS JOIN LATERAL (" heads FROM_RUN                                     \
  " AND path >= place.first AND path < place.last"                           \
  " OFFSET 0) AS found ORDER BY path, generation"

/// Of one range of paths, as most scans have, or of several.
const char* scan_of(bool one_range, bool headers) {
  if (one_range) return headers ? HEADS ", header" ONE_RANGE : HEADS ONE_RANGE;
  return headers ? OF_RANGES(HEADS ", header") : OF_RANGES(HEADS);
}

#undef HEADS
#undef FROM_RUN
#undef ONE_RANGE
#undef OF_RANGES

std::optional<Rows> heads_in(Session& session, std::string_view run, const ScanOptions& what) {
  const auto ranges = store::ranges_of(what);
  Parameters parameters = Parameters{}.add(run);
  if (ranges.size() == 1) {
    parameters.add(ranges.front().begin).add(ranges.front().end);
  } else {
    Array begins{Element::text};
    Array ends{Element::text};
    for (const store::Range& range : ranges) {
      begins.add(range.begin);
      ends.add(range.end);
    }
    parameters.add(begins).add(ends);
  }
  parameters.add(std::int64_t{what.quarantined ? 1 : 0});
  const char* sql = scan_of(ranges.size() == 1, what.headers);
  return rows_of(session, what.wait, [&](Connection& connection, const Limit& limit) {
    return connection.run(sql, parameters, limit);
  });
}

}  // namespace

void scan_records(Session& session, std::string_view run, const ScanOptions& what,
                  FunctionRef<bool(const RecordHead&)> visit) {
  const auto rows = heads_in(session, run, what);
  if (!rows) return;
  for (int row = 0; row < rows->count(); ++row) {
    RecordHead head;
    head.id = {rows->bytes(row, 0), static_cast<std::uint64_t>(rows->number(row, 1))};
    head.quarantined = rows->flag(row, 2);
    const auto tag = tag_of(rows->bytes(row, 4));
    if (!tag) head.damage = Damage::torn;
    if (tag) {
      head.tag = *tag;
      head.payload_bytes = static_cast<std::uint64_t>(rows->number(row, 3));
      head.header_bytes = static_cast<std::uint64_t>(rows->number(row, 5));
    }
    if (tag && what.headers && !head.quarantined) head.header = rows->bytes(row, 6);
    if (!visit(head)) return;
  }
}

std::optional<StoredRecord> get_record(Session& session, std::string_view run, RecordId id,
                                       const Wait& wait) {
  const auto rows = rows_of(session, wait, [&](Connection& connection, const Limit& limit) {
    return connection.run(
        "SELECT payload_bytes, tag, header, payload FROM records"
        " WHERE run = (SELECT id FROM runs WHERE run = $1::text) AND path = $2::text"
        " AND generation = $3::bigint AND NOT quarantined",
        Parameters{}.add(run).add(id.path).add(static_cast<std::int64_t>(id.generation)), limit);
  });
  if (!rows || rows->empty()) return {};
  return stored(session, run, id, *rows, 0, 0);
}

namespace {

/// Up to most_ids of them. Rows: index, whether the payload is there, and what stored() reads.
std::optional<Rows> some_of(Session& session, std::string_view run, std::span<const RecordId> ids,
                            const Wait& wait) {
  Array paths{Element::text};
  Array generations{Element::number};
  for (const RecordId id : ids) {
    paths.add(id.path);
    generations.add(static_cast<std::int64_t>(id.generation));
  }
  const Parameters parameters = Parameters{}.add(run).add(paths).add(generations).add(most_bytes);
  return rows_of(session, wait, [&](Connection& connection, const Limit& limit) {
    return connection.run(
        "WITH found AS (SELECT n.index, payload_bytes, tag, header, payload,"
        " sum(payload_bytes) OVER (ORDER BY n.index) <= $4::bigint AS fits"
        " FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS n(path, generation, index)"
        " JOIN records ON records.run = (SELECT id FROM runs WHERE run = $1::text)"
        " AND records.path = n.path AND records.generation = n.generation"
        " WHERE NOT quarantined)"
        " SELECT index, fits, payload_bytes, tag, header, CASE WHEN fits THEN payload END"
        " FROM found ORDER BY index",
        parameters, limit);
  });
}

}  // namespace

void get_records(Session& session, std::string_view run, std::span<const RecordId> ids,
                 FunctionRef<bool(Fetched)> visit, const Wait& wait) {
  for (std::size_t begin = 0; begin < ids.size();) {
    const auto some = ids.subspan(begin, std::min(most_ids, ids.size() - begin));
    const auto rows = some_of(session, run, some, wait);
    int row = 0;
    std::size_t i = 0;
    for (; i < some.size(); ++i) {
      const bool found =
          rows && row < rows->count() && rows->number(row, 0) == static_cast<std::int64_t>(i) + 1;
      const bool fits = !found || rows->flag(row, 1);
      if (!fits && i > 0) break;  // the next statement begins with it
      Fetched one = store::fetched(begin + i, [&]() -> std::optional<StoredRecord> {
        if (!found) return std::nullopt;
        const int at = row++;
        if (!fits) return get_record(session, run, some[i], wait);
        return stored(session, run, some[i], *rows, at, 2);
      });
      if (!visit(std::move(one))) return;
    }
    begin += i;
  }
}

RecordTotals sum_records(Session& session, std::string_view run, std::string_view prefix,
                         const Wait& wait) {
  const store::Range below = store::range_below(prefix);
  const auto rows = rows_of(session, wait, [&](Connection& connection, const Limit& limit) {
    return connection.run(
        "SELECT count(*), coalesce(sum(octet_length(header)), 0)::bigint,"
        " coalesce(sum(payload_bytes), 0)::bigint FROM records"
        " WHERE run = (SELECT id FROM runs WHERE run = $1::text) AND path >= $2::text"
        " AND path < $3::text AND NOT quarantined",
        Parameters{}.add(run).add(below.begin).add(below.end), limit);
  });
  if (!rows) return {};
  return {static_cast<std::uint64_t>(rows->number(0, 0)),
          static_cast<std::uint64_t>(rows->number(0, 1)),
          static_cast<std::uint64_t>(rows->number(0, 2))};
}

}  // namespace resumable::postgres
