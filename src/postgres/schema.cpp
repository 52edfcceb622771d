#include "postgres/schema.hpp"

#include <fmt/format.h>

#include "postgres/connection.hpp"
#include "resumable/error.hpp"

namespace resumable::postgres {
namespace {

// Paths and ids come in byte order. A run's row is updated by each commit: room in its page keeps
// that cheap. Payloads are stored as they are, outside the rows that a scan reads.
constexpr const char* tables = R"sql(
CREATE SEQUENCE stamps;
CREATE TABLE runs(
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run      text COLLATE "C" NOT NULL UNIQUE,
  twin     text COLLATE "C" NOT NULL UNIQUE,
  stamp    bigint NOT NULL,
  fence    bigint NOT NULL DEFAULT 0,
  epoch    bigint NOT NULL DEFAULT 0,
  owner    text NOT NULL DEFAULT '',
  host     text NOT NULL DEFAULT '',
  boot     text NOT NULL DEFAULT '',
  pid      bigint NOT NULL DEFAULT 0,
  started  bigint NOT NULL DEFAULT 0,
  since    timestamptz NOT NULL DEFAULT 'epoch',
  until    timestamptz,
  manifest bytea) WITH (fillfactor = 50);
CREATE TABLE records(
  run           bigint NOT NULL,
  path          text COLLATE "C" NOT NULL,
  generation    bigint NOT NULL,
  quarantined   boolean NOT NULL DEFAULT false,
  payload_bytes bigint NOT NULL,
  tag           bytea NOT NULL,
  header        bytea NOT NULL,
  payload       bytea NOT NULL,
  PRIMARY KEY(run, path, generation));
ALTER TABLE records ALTER payload SET STORAGE EXTERNAL;
CREATE VIEW run_list AS
SELECT runs.run, count(records.run) AS records, coalesce(sum(payload_bytes), 0)::bigint AS bytes,
       fence, host, pid, since, until
FROM runs LEFT JOIN records ON records.run = runs.id AND NOT quarantined
WHERE NOT starts_with(runs.run, '@')
GROUP BY runs.id ORDER BY runs.run;
CREATE TABLE version(version bigint NOT NULL);
)sql";

/// Of another process that makes the same tables at the same time, or made them just before.
bool exists_already(const Refused& error) {
  return error.is_duplicate() || error.is_conflict() || error.state == "42P06" ||
         error.state == "42P07" || error.state == "42710";
}

}  // namespace

void make_tables(Connection& connection, const Target& target, const Limit& limit) {
  if (connection.schema() != 0) return;
  try {
    connection.script(fmt::format("CREATE SCHEMA IF NOT EXISTS \"{}\"; {} INSERT INTO version"
                                  " VALUES({})",
                                  target.options.schema, tables, schema_version),
                      limit);
  } catch (const Refused& error) {
    if (!exists_already(error)) throw;
  }
  connection.find_schema(limit);
  if (connection.schema() != 0) return;
  throw Error(Errc::foreign,
              {.what = fmt::format("the schema '{}' has tables that are not resumable's",
                                   target.options.schema),
               .file = target.url,
               .kept = "they are untouched",
               .next = "choose another schema: ?schema=NAME in the URL"});
}

}  // namespace resumable::postgres
