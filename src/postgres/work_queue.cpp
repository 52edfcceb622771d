#include "postgres/work_queue.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "postgres/schema.hpp"
#include "store/work_state.hpp"
#include "sys/random.hpp"

namespace resumable::postgres {
namespace {

using std::chrono::milliseconds;
using store::WorkState;

// Statements have the states as numbers, so that the partial indexes can be used.
static_assert(number_of(WorkState::ready) == 0 && number_of(WorkState::claimed) == 1 &&
              number_of(WorkState::finished) == 2 && number_of(WorkState::lost) == 3 &&
              number_of(WorkState::withdrawn) == 4);

/// A column that lets a transaction not wait for the disk.
#define NOT_SYNCED "set_config('synchronous_commit', 'off', true)"

std::int64_t number(std::uint64_t id) { return static_cast<std::int64_t>(id); }

std::chrono::sys_seconds seconds(std::int64_t since_1970) {
  return std::chrono::sys_seconds{std::chrono::seconds{since_1970}};
}

/// The first of the tokens of a claim: nobody ever had it, also where a sequence of the server
/// begins again after a crash.
std::int64_t random_token() {
  std::uint64_t token = 0;
  sys::SystemRandom random;
  if (const auto error = random.fill(std::as_writable_bytes(std::span{&token, 1}))) {
    throw Error(Errc::store_failed,
                {.what = "no random number for a claim", .operation = "getrandom", .cause = error});
  }
  constexpr unsigned room = 2;  // neither negative nor, with the others behind it, too large
  return static_cast<std::int64_t>((token >> room) + 1);
}

WorkerInfo worker_in(const Rows& rows, int row, int column) {
  return {.id = static_cast<std::uint64_t>(rows.number(row, column)),
          .host = std::string{rows.bytes(row, column + 1)},
          .pid = rows.number(row, column + 2),
          .slots = static_cast<unsigned>(rows.number(row, column + 3)),
          .since = seconds(rows.number(row, column + 4))};
}

}  // namespace

Rows Work::run(const char* sql, const Parameters& parameters) const {
  return shared_.perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
    return connection.run(sql, parameters, limit);
  });
}

std::optional<Rows> Work::look(const char* sql, const Parameters& parameters) const {
  return shared_.perform(Errc::unreadable, {},
                         [&](Connection& connection, const Limit& limit) -> std::optional<Rows> {
                           if (connection.schema() < version_with_work)
                             connection.find_schema(limit);
                           if (connection.schema() < version_with_work) return std::nullopt;
                           return connection.run(sql, parameters, limit);
                         });
}

// ---- the owner ---------------------------------------------------------------------------------

/// Whether the run has this fence is in `o`, and so is its row. What an owner changes may remove
/// tasks, and so raises the run's stamp.
#define AS_OWNER                                                                       \
  "WITH o AS (UPDATE runs SET stamp = nextval('stamps'), calls = $3::bigint"           \
  " WHERE run = $1::text AND fence = $2::bigint AND calls < $3::bigint RETURNING id)," \
  " own AS (SELECT count(*) AS n FROM o)"

/// The first column of the answer is 0 if the run has another owner; `more` begin with $4.
Rows Work::as_owner(std::string_view run, std::uint64_t fence, const char* sql,
                    const Parameters& more) {
  Rows rows =
      shared_.perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
        Parameters parameters;
        parameters.add(run).add(number(fence));
        {
          const std::scoped_lock lock{guard_};
          parameters.add(++calls_);
        }
        for (const std::string& value : more.values()) parameters.add(std::string_view{value});
        return connection.run(sql, parameters, limit);
      });
  if (rows.number(0, 0) == 0) throw Claim{.site = shared_.site(run)}.fenced();
  return rows;
}

void Work::take_over(std::string_view run, std::uint64_t fence) {
  as_owner(run, fence,
           AS_OWNER
           ", d AS (DELETE FROM work USING o WHERE work.run = o.id AND state >= 2),"
           " u AS (UPDATE work SET fence = $2::bigint, stale = false, stop = false FROM o"
           " WHERE work.run = o.id AND state < 2) SELECT n FROM own",
           {});
}

void Work::publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks) {
  Array stages{Element::text}, items{Element::text}, pipelines{Element::text};
  Array programs{Element::text}, identities{Element::text}, contents{Element::bytes};
  for (const WorkTask& task : tasks) {
    stages.add(task.stage);
    items.add(task.item);
    pipelines.add(task.pipeline);
    programs.add(task.program);
    identities.add(task.identity);
    contents.add(task.task);
  }
  Parameters more;
  more.add(stages).add(items).add(pipelines).add(programs).add(identities).add(contents);
  as_owner(run, fence,
           AS_OWNER
           ", i AS (INSERT INTO work(run, fence, stage, item, pipeline, program, identity, task)"
           " SELECT o.id, $2::bigint, n.stage, n.item, n.pipeline, n.program, n.identity, n.task"
           " FROM o, unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[],"
           " $9::bytea[]) WITH ORDINALITY"
           " AS n(stage, item, pipeline, program, identity, task, nr) ORDER BY n.nr"
           " ON CONFLICT (run, stage, item) DO UPDATE SET seq = excluded.seq, state = 0,"
           " fence = excluded.fence, stale = false, pipeline = excluded.pipeline,"
           " program = excluded.program, identity = excluded.identity, token = 0, commits = 0,"
           " worker = 0, losses = 0, told = '', stop = false, task = excluded.task, result = NULL"
           " WHERE work.state >= 2 OR work.identity <> excluded.identity"
           " OR work.program <> excluded.program) SELECT n FROM own",
           more);
}

Array Work::handed_out(std::string_view run) {
  Array rows{Element::number};
  const std::scoped_lock lock{guard_};
  const auto found = handed_out_.find(run);
  if (found == handed_out_.end()) return rows;
  for (const std::int64_t row : found->second) rows.add(row);
  return rows;
}

/// Those that were handed out before are removed.
void Work::hand_out(std::string_view run, std::vector<std::int64_t> rows) {
  const std::scoped_lock lock{guard_};
  if (rows.empty()) {
    handed_out_.erase(std::string{run});
  } else {
    handed_out_.insert_or_assign(std::string{run}, std::move(rows));
  }
}

/// The server may have been away, or this process: then others get the time for a beat before
/// silence counts.
void Work::note_answer() {
  constexpr milliseconds longest_gap{1'000};
  constexpr milliseconds grace{2'000};
  const auto now = Clock::now();
  const std::scoped_lock lock{guard_};
  if (now - answered_ > longest_gap) grace_until_ = now + grace;
  answered_ = now;
}

bool Work::silence_counts() const {
  constexpr milliseconds longest_gap{1'000};
  const auto now = Clock::now();
  const std::scoped_lock lock{guard_};
  return now - answered_ <= longest_gap && now >= grace_until_;
}

/// What a worker has claimed that has missed its beats is ready again, or lost for good. It learns
/// that from its next beat or commit. A worker that is gone does not come back: it joins again.
void Work::reap() {
  constexpr milliseconds interval{100};
  {
    const std::scoped_lock lock{guard_};
    const auto now = Clock::now();
    if (now - reaped_ < interval) return;
    reaped_ = now;
  }
  shared_.perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
    const std::int64_t silence = silence_counts() ? 1 : 0;
    connection.run(
        "WITH dead AS (UPDATE workers SET gone = true WHERE NOT gone"
        " AND ($2::bigint = 1 AND until < clock_timestamp() OR id = ANY($3::bigint[]))"
        " RETURNING id)"
        " UPDATE work SET losses = losses + 1, token = 0, worker = 0,"
        " state = CASE WHEN losses + 1 >= $1::bigint THEN 3 ELSE 0 END,"
        " told = concat_ws(', ', nullif(told, ''), format('pid %s on %s, %s', pid, host,"
        " to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')))"
        " FROM workers WHERE work.worker = ANY(ARRAY(SELECT id FROM dead UNION ALL"
        " SELECT id FROM workers WHERE gone)) AND workers.id = work.worker AND state = 1"
        " RETURNING " NOT_SYNCED,
        Parameters{}
            .add(std::int64_t{WorkQueue::most_losses})
            .add(silence)
            .add(ended_here(connection, limit)),
        limit);
  });
}

/// Workers whose process was on this host, and has ended: nobody has to wait for their time.
Array Work::ended_here(Connection& connection, const Limit& limit) const {
  Array ended{Element::number};
  if (here_.empty()) return ended;
  const sys::SystemProcess& process = shared_.process();
  const Rows rows = connection.run(
      "SELECT id, pid, started FROM workers WHERE NOT gone AND boot = $1::text AND started <> 0",
      Parameters{}.add(here_), limit);
  for (int row = 0; row < rows.count(); ++row) {
    const std::uint64_t started = process.start_time(rows.number(row, 1));
    if (number(started) != rows.number(row, 2)) ended.add(rows.number(row, 0));
  }
  return ended;
}

std::vector<FinishedWork> Work::collect(std::string_view run, std::uint64_t fence) {
  reap();
  const Rows rows = this->run(
      "WITH o AS (UPDATE runs SET stamp = nextval('stamps') WHERE run = $1::text"
      " AND fence = $2::bigint AND cardinality($3::bigint[]) > 0 RETURNING id),"
      " d AS (DELETE FROM work USING o WHERE work.run = o.id AND state >= 2"
      " AND seq = ANY($3::bigint[]))"
      " SELECT (own.id IS NOT NULL)::int::bigint, seq, stage, item, result, state, told, "
      "work.worker,"
      " coalesce(workers.host, ''), coalesce(workers.pid, 0), coalesce(slots, 0),"
      " coalesce(floor(extract(epoch FROM workers.since)), 0)::bigint, " NOT_SYNCED
      " FROM (SELECT 1) AS one"
      " LEFT JOIN runs AS own ON own.run = $1::text AND own.fence = $2::bigint"
      " LEFT JOIN work ON work.run = own.id AND state >= 2 AND state <> 4"
      " AND seq <> ALL($3::bigint[])"
      " LEFT JOIN workers ON workers.id = work.worker ORDER BY seq",
      Parameters{}.add(run).add(number(fence)).add(handed_out(run)));
  note_answer();
  if (rows.number(0, 0) == 0) throw Claim{.site = shared_.site(run)}.fenced();
  std::vector<FinishedWork> through;
  std::vector<std::int64_t> seen;
  for (int row = 0; row < rows.count(); ++row) {
    if (rows.is_null(row, 1)) continue;
    seen.push_back(rows.number(row, 1));
    FinishedWork& one = through.emplace_back();
    one.stage = rows.bytes(row, 2);
    one.item = rows.bytes(row, 3);
    one.result = rows.bytes(row, 4);
    if (rows.number(row, 5) == number_of(WorkState::lost)) one.lost = rows.bytes(row, 6);
    one.by = worker_in(rows, row, 7);
  }
  hand_out(run, std::move(seen));
  return through;
}

std::vector<WorkItem> Work::withdraw(std::string_view run, std::uint64_t fence, bool stop) {
  const Rows rows =
      as_owner(run, fence,
               AS_OWNER
               ", d AS (DELETE FROM work USING o WHERE work.run = o.id AND state >= 2"
               " AND seq = ANY($4::bigint[])),"
               " s AS (UPDATE work SET stop = true FROM o WHERE work.run = o.id AND state = 1"
               " AND $5::bigint = 1),"
               " w AS (UPDATE work SET state = 4 FROM o WHERE work.run = o.id"
               " AND (state = 0 OR state = 4) AND seq <> ALL($4::bigint[])"
               " RETURNING seq, stage, item, losses)"
               " SELECT n, seq, stage, item, losses FROM own LEFT JOIN w ON true ORDER BY seq",
               Parameters{}.add(handed_out(run)).add(std::int64_t{stop ? 1 : 0}));
  std::vector<WorkItem> gone;
  std::vector<std::int64_t> seen;
  for (int row = 0; row < rows.count(); ++row) {
    if (rows.is_null(row, 1)) continue;
    seen.push_back(rows.number(row, 1));
    gone.push_back({.stage = std::string{rows.bytes(row, 2)},
                    .item = std::string{rows.bytes(row, 3)},
                    .losses = static_cast<unsigned>(rows.number(row, 4))});
  }
  hand_out(run, std::move(seen));
  return gone;
}

void Work::end(std::string_view run, std::uint64_t fence) {
  as_owner(run, fence,
           AS_OWNER ", d AS (DELETE FROM work USING o WHERE work.run = o.id) SELECT n FROM own",
           {});
  hand_out(run, {});
}

#undef AS_OWNER

// ---- a worker ----------------------------------------------------------------------------------

/// Its id is durable, and so never given again.
std::uint64_t Work::join(const WorkerInfo& worker, milliseconds ttl) {
  const sys::SystemProcess& process = shared_.process();
  const Parameters parameters = Parameters{}
                                    .add(worker.host)
                                    .add(here_)
                                    .add(worker.pid)
                                    .add(number(process.start_time(worker.pid)))
                                    .add(std::int64_t{worker.slots})
                                    .add(std::int64_t{ttl.count()});
  const Rows rows =
      shared_.perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
        if (connection.schema() != schema_version) {
          make_tables(connection, shared_.target(), limit);
        }
        return connection.run(
            "WITH old AS (DELETE FROM workers WHERE gone"
            " AND until < clock_timestamp() - interval '10 minutes'"
            " AND NOT EXISTS (SELECT FROM work WHERE worker = workers.id))"
            " INSERT INTO workers(host, boot, pid, started, slots, since, until)"
            " VALUES($1::text, $2::text, $3::bigint, $4::bigint, $5::bigint, clock_timestamp(),"
            " clock_timestamp() + $6::bigint * interval '1 millisecond') RETURNING id",
            parameters, limit);
      });
  return static_cast<std::uint64_t>(rows.number(0, 0));
}

Claimed Work::claim(std::uint64_t worker, std::string_view pipeline, std::string_view program,
                    std::string_view run, std::size_t most) {
  const std::int64_t token = random_token();
  const Parameters parameters = Parameters{}
                                    .add(number(worker))
                                    .add(pipeline)
                                    .add(program)
                                    .add(run)
                                    .add(static_cast<std::int64_t>(most))
                                    .add(token);
  bool sent = false;
  const Rows rows =
      shared_.perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
        if (std::exchange(sent, true)) {
          // The answer to the first attempt was lost: it may have claimed some.
          Rows found = connection.run(
              "SELECT 0::bigint, token, runs.run, work.fence, stage, item, identity, task"
              " FROM work JOIN runs ON runs.id = work.run WHERE state = 1"
              " AND token >= $1::bigint AND token < $1::bigint + $2::bigint ORDER BY token",
              Parameters{}.add(token).add(static_cast<std::int64_t>(most)), limit);
          if (!found.empty()) return found;
        }
        return connection.run(
            "WITH c AS MATERIALIZED (SELECT seq FROM work WHERE state = 0 AND NOT stale"
            " AND pipeline = $2::text AND program = $3::text"
            " AND ($4::text = '' OR run = (SELECT id FROM runs WHERE runs.run = $4::text))"
            " AND EXISTS (SELECT FROM workers WHERE id = $1::bigint AND NOT gone)"
            " ORDER BY seq LIMIT $5::bigint FOR UPDATE SKIP LOCKED),"
            " n AS (SELECT seq, row_number() OVER (ORDER BY seq) - 1 AS nr FROM c),"
            " t AS (UPDATE work SET state = 1, worker = $1::bigint, token = $6::bigint + n.nr,"
            " epoch = 0, since = clock_timestamp() FROM n WHERE work.seq = n.seq AND state = 0"
            " RETURNING token, run, fence, stage, item, identity, task),"
            " others AS (SELECT count(*) AS n FROM work WHERE NOT EXISTS (SELECT FROM c)"
            " AND state = 0 AND NOT stale AND pipeline = $2::text AND program <> $3::text"
            " AND ($4::text = '' OR run = (SELECT id FROM runs WHERE runs.run = $4::text)))"
            " SELECT others.n, token, runs.run, t.fence, stage, item, identity, task, " NOT_SYNCED
            " FROM others LEFT JOIN t ON true LEFT JOIN runs ON runs.id = t.run ORDER BY token",
            parameters, limit);
      });
  Claimed found{.claims = {}, .of_others = static_cast<std::size_t>(rows.number(0, 0))};
  for (int row = 0; row < rows.count(); ++row) {
    if (rows.is_null(row, 1)) continue;
    found.claims.push_back({.run = std::string{rows.bytes(row, 2)},
                            .fence = static_cast<std::uint64_t>(rows.number(row, 3)),
                            .token = static_cast<std::uint64_t>(rows.number(row, 1)),
                            .task = {.stage = std::string{rows.bytes(row, 4)},
                                     .item = std::string{rows.bytes(row, 5)},
                                     .pipeline = std::string{pipeline},
                                     .program = std::string{program},
                                     .identity = std::string{rows.bytes(row, 6)},
                                     .task = std::string{rows.bytes(row, 7)}}});
  }
  return found;
}

WorkBeat Work::beat(std::uint64_t worker, milliseconds ttl, std::span<const std::uint64_t> held) {
  Array tokens{Element::number};
  for (const std::uint64_t token : held) tokens.add(number(token));
  const Parameters parameters =
      Parameters{}.add(number(worker)).add(std::int64_t{ttl.count()}).add(tokens);
  const std::scoped_lock lock{beating_};
  const Rows rows = shared_.perform_on(
      beats_, Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
        return connection.run(
            "WITH b AS (UPDATE workers"
            " SET until = clock_timestamp() + $2::bigint * interval '1 millisecond'"
            " WHERE id = $1::bigint AND NOT gone RETURNING id),"
            " f AS (UPDATE work SET state = 0, token = 0, worker = 0 WHERE state = 1"
            " AND worker = $1::bigint AND token <> ALL($3::bigint[])"
            " AND since < clock_timestamp() - $2::bigint * interval '1 millisecond')"
            " SELECT (SELECT count(*) FROM b), h.token, (work.token IS NULL)::int::bigint,"
            " coalesce(work.stop, false)::int::bigint, " NOT_SYNCED
            " FROM (SELECT 1) AS one LEFT JOIN unnest($3::bigint[]) AS h(token) ON true"
            " LEFT JOIN work ON work.token = ANY($3::bigint[]) AND work.token = h.token"
            " AND work.state = 1",
            parameters, limit);
      });
  WorkBeat beat{.known = rows.number(0, 0) != 0, .stopped = {}, .lost = {}};
  for (int row = 0; row < rows.count(); ++row) {
    if (rows.is_null(row, 1)) continue;
    const auto token = static_cast<std::uint64_t>(rows.number(row, 1));
    if (rows.flag(row, 2)) beat.lost.push_back(token);
    if (rows.flag(row, 3)) beat.stopped.push_back(token);
  }
  return beat;
}

/// Of a claim that was refused.
ClaimState Work::state_of(const WorkClaim& claim) const {
  const Rows rows = run("SELECT 1::bigint FROM work WHERE token = $1::bigint AND state = 1",
                        Parameters{}.add(number(claim.token)));
  return rows.empty() ? ClaimState::lost : ClaimState::other_owner;
}

ClaimState Work::commit(const WorkClaim& claim, const Batch& batch, const CommitOptions& options) {
  Claim shown{
      .site = shared_.site(claim.run), .fence = number(claim.fence), .token = number(claim.token)};
  try {
    shared_.writer.commit(shown, batch, options, [] {});
    return ClaimState::held;
  } catch (const NotHeld&) {
    return state_of(claim);
  }
}

ClaimState Work::finish(const WorkClaim& claim, std::string_view result) {
  const Parameters token = Parameters{}.add(number(claim.token));
  bool sent = false;
  const bool done =
      shared_.perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
        const bool again = std::exchange(sent, true);
        Parameters both = token;
        const Rows rows = connection.run(
            "UPDATE work SET state = 2, result = $2::bytea WHERE token = $1::bigint AND state = 1"
            " AND NOT stale RETURNING " NOT_SYNCED,
            both.add(result), limit);
        if (!rows.empty() || !again) return !rows.empty();
        // The first attempt, whose answer was lost, may have done it.
        return !connection
                    .run("SELECT 1::bigint FROM work WHERE token = $1::bigint AND state = 2", token,
                         limit)
                    .empty();
      });
  return done ? ClaimState::held : state_of(claim);
}

void Work::give_back(const WorkClaim& claim) {
  run("UPDATE work SET state = 0, token = 0, worker = 0 WHERE token = $1::bigint AND state = 1"
      " RETURNING " NOT_SYNCED,
      Parameters{}.add(number(claim.token)));
}

/// A claim of its that is on its way to the server will be known to be lost.
void Work::leave(std::uint64_t worker) {
  run("WITH w AS (UPDATE work SET state = 0, token = 0, worker = 0"
      " WHERE worker = $1::bigint AND state = 1)"
      " UPDATE workers SET gone = true, until = clock_timestamp() WHERE id = $1::bigint"
      " RETURNING " NOT_SYNCED,
      Parameters{}.add(number(worker)));
}

#undef NOT_SYNCED

// ---- anybody -----------------------------------------------------------------------------------

std::vector<WorkerInfo> Work::workers() const {
  const auto rows = look(
      "SELECT id, host, pid, slots, floor(extract(epoch FROM since))::bigint FROM workers"
      " WHERE NOT gone AND until >= clock_timestamp() ORDER BY id",
      {});
  std::vector<WorkerInfo> all;
  for (int row = 0; rows && row < rows->count(); ++row) all.push_back(worker_in(*rows, row, 0));
  return all;
}

std::vector<WorkItem> Work::work(std::string_view run) const {
  const auto rows = look(
      "SELECT stage, item, worker, floor(extract(epoch FROM since))::bigint, losses FROM work"
      " WHERE run = (SELECT id FROM runs WHERE runs.run = $1::text) AND state < 2 AND NOT stale"
      " ORDER BY seq",
      Parameters{}.add(run));
  std::vector<WorkItem> all;
  for (int row = 0; rows && row < rows->count(); ++row) {
    all.push_back({.stage = std::string{rows->bytes(row, 0)},
                   .item = std::string{rows->bytes(row, 1)},
                   .worker = static_cast<std::uint64_t>(rows->number(row, 2)),
                   .since = seconds(rows->number(row, 3)),
                   .losses = static_cast<unsigned>(rows->number(row, 4))});
  }
  return all;
}

}  // namespace resumable::postgres
