#include "sqlite/schema.hpp"

#include <array>

#include <fmt/format.h>

namespace resumable::sqlite {
namespace {

/// `rsmb`: file(1) and other programs recognise our databases by it.
constexpr std::int64_t application_id = 0x72736D62;

constexpr const char* tables = R"sql(
CREATE TABLE counter(stamp INTEGER NOT NULL);
INSERT INTO counter VALUES(0);

CREATE TABLE runs(
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  run      TEXT NOT NULL UNIQUE,
  twin     TEXT NOT NULL,
  stamp    INTEGER NOT NULL,
  fence    INTEGER NOT NULL DEFAULT 0,
  host     TEXT NOT NULL DEFAULT '',
  pid      INTEGER NOT NULL DEFAULT 0,
  since    INTEGER NOT NULL DEFAULT 0,
  manifest TEXT);
CREATE INDEX runs_by_twin ON runs(twin);

CREATE TABLE records(
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES runs(id),
  path          TEXT NOT NULL,
  generation    INTEGER NOT NULL,
  quarantined   INTEGER NOT NULL DEFAULT 0,
  payload_bytes INTEGER NOT NULL,
  tag           BLOB NOT NULL,
  header        TEXT NOT NULL,
  payload       BLOB,
  UNIQUE(run, path, generation));

CREATE TABLE chunks(
  record INTEGER NOT NULL REFERENCES records(id),
  number INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  PRIMARY KEY(record, number)) WITHOUT ROWID;
CREATE TRIGGER chunks_go AFTER DELETE ON records WHEN old.payload IS NULL BEGIN
  DELETE FROM chunks WHERE record = old.id;
END;
)sql";

constexpr const char* views = R"sql(
CREATE VIEW run_list AS
SELECT runs.run, iif(json_valid(manifest), json_extract(manifest, '$.pipeline'), NULL) AS pipeline,
       iif(json_valid(manifest), json_extract(manifest, '$.status'), NULL) AS status,
       count(records.id) AS records, coalesce(sum(payload_bytes), 0) AS bytes,
       fence, host, pid, datetime(since, 'unixepoch') AS since
FROM runs LEFT JOIN records ON records.run = runs.id AND NOT quarantined
WHERE runs.run NOT LIKE '@%'
GROUP BY runs.id ORDER BY runs.run;

CREATE VIEW stages AS
SELECT runs.run,
       substr(path, 1, instr(path || '/', '/') - 1) AS stage,
       nullif(substr(path, instr(path || '/', '/') + 1), '') AS item,
       max(generation) AS generation,
       iif(json_valid(header), json_extract(header, '$.at'), NULL) AS at,
       iif(json_valid(header), json_extract(header, '$.seconds'), NULL) AS seconds,
       iif(json_valid(header), json_extract(header, '$.attempts'), NULL) AS attempts,
       payload_bytes AS bytes,
       records.id AS record
FROM records JOIN runs ON runs.id = records.run
WHERE path NOT LIKE '@%' AND NOT quarantined
GROUP BY records.run, path ORDER BY runs.run, path;
)sql";

constexpr const char* sharing = R"sql(
CREATE TABLE workers(
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  host    TEXT NOT NULL,
  pid     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  space   TEXT NOT NULL,
  boot    TEXT NOT NULL,
  slots   INTEGER NOT NULL,
  since   INTEGER NOT NULL,
  until   INTEGER NOT NULL);

CREATE TABLE work(
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,
  run      INTEGER NOT NULL REFERENCES runs(id),
  stage    TEXT NOT NULL,
  item     TEXT NOT NULL,
  state    INTEGER NOT NULL DEFAULT 0,
  fence    INTEGER NOT NULL,
  pipeline TEXT NOT NULL,
  program  TEXT NOT NULL,
  identity TEXT NOT NULL,
  task     BLOB NOT NULL,
  token    INTEGER NOT NULL DEFAULT 0,
  worker   INTEGER NOT NULL DEFAULT 0,
  since    INTEGER NOT NULL DEFAULT 0,
  losses   INTEGER NOT NULL DEFAULT 0,
  told     TEXT NOT NULL DEFAULT '',
  stop     INTEGER NOT NULL DEFAULT 0,
  result   BLOB,
  UNIQUE(run, stage, item));
CREATE INDEX work_by_token ON work(token) WHERE token <> 0;
CREATE INDEX work_by_state ON work(state, run);
)sql";

/// The first makes an empty database one of version 1; the next brings version 1 to 2; and so on.
constexpr std::array<const char*, schema_version> steps{tables, views, sharing};

Error newer(const Connection& connection, std::int64_t version) {
  return {Errc::newer,
          {.what = fmt::format("the database has the schema {}, this program knows those up to {}",
                               version, schema_version),
           .file = connection.file(),
           .kept = "untouched: a newer database is never rewritten",
           .next = "use a newer program"}};
}

Error foreign(const Connection& connection) {
  return {Errc::foreign,
          {.what = "the database is not one of resumable's",
           .file = connection.file(),
           .kept = "it is untouched",
           .next = "name another file, or move this one away"}};
}

}  // namespace

bool check_schema(Connection& connection) {
  // All three of one moment: another process may be making the tables.
  const bool alone = !connection.in_transaction();
  if (alone) connection.execute("BEGIN");
  const std::int64_t application = connection.pragma("PRAGMA application_id");
  const std::int64_t version = connection.pragma("PRAGMA user_version");
  const bool empty = connection.pragma("SELECT count(*) FROM sqlite_master") == 0;
  if (alone) connection.execute("COMMIT");
  if (application == 0 && version == 0 && empty) return false;
  if (application != application_id) throw foreign(connection);
  if (version > schema_version) throw newer(connection, version);
  return true;
}

void migrate(Connection& connection, std::int64_t to) {
  const std::int64_t from = check_schema(connection) ? connection.pragma("PRAGMA user_version") : 0;
  for (std::int64_t version = from; version < to; ++version) {
    connection.execute(steps.at(static_cast<std::size_t>(version)));
  }
  if (from >= to) return;
  connection.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
  connection.execute(fmt::format("PRAGMA user_version = {}", to).c_str());
}

}  // namespace resumable::sqlite
