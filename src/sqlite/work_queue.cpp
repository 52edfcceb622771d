#include "sqlite/work_queue.hpp"

#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "sqlite/records.hpp"
#include "store/work_state.hpp"

namespace resumable::sqlite {
namespace {

constexpr std::int64_t ready = number_of(store::WorkState::ready);
constexpr std::int64_t claimed = number_of(store::WorkState::claimed);
constexpr std::int64_t finished = number_of(store::WorkState::finished);
constexpr std::int64_t lost = number_of(store::WorkState::lost);

std::int64_t number(std::uint64_t id) { return static_cast<std::int64_t>(id); }

std::chrono::sys_seconds seconds(std::int64_t since_1970) {
  return std::chrono::sys_seconds{std::chrono::seconds{since_1970}};
}

/// Neither changes while a process lives, nor for its children.
const std::string& this_boot() {
  static const std::string id = sys::SystemProcess{}.boot_id();
  return id;
}
const std::string& this_space() {
  static const std::string name = sys::pid_namespace();
  return name;
}

/// A database that no process of this version has written to has no tasks.
bool has_tables(Connection& connection) {
  constexpr std::int64_t first_version = 3;
  return connection.pragma("PRAGMA user_version") >= first_version;
}

std::int64_t wall_seconds(const sys::Clock& clock) {
  return std::chrono::floor<std::chrono::seconds>(clock.wall()).time_since_epoch().count();
}

}  // namespace

std::int64_t Work::now() const {
  return std::chrono::floor<std::chrono::milliseconds>(shared_.clock.boot())
      .time_since_epoch()
      .count();
}

template <class Action>
void Work::as_owner(std::string_view run, std::uint64_t fence, Action action) {
  const auto checked = [&](Connection& connection) {
    Statement row = connection.prepare("SELECT id FROM runs WHERE run = ? AND fence = ?");
    if (!row.bind(1, run).bind(2, number(fence)).step()) {
      const store::RunSite site = shared_.site(run);
      throw site.error(
          Errc::fenced,
          {.what = fmt::format("run {} was taken from this process: its row has another fence,"
                               " or is gone",
                               site.name),
           .file = shared_.database,
           .kept = "everything saved before",
           .next = "resume again"});
    }
    action(connection, row.number(0));
  };
  // Tasks are not needed after a power loss: their owner has ended, too.
  shared_.writer.run(checked, Durability::data);
}

// ---- the owner ---------------------------------------------------------------------------------

void Work::take_over(std::string_view run, std::uint64_t fence) {
  as_owner(run, fence, [&](Connection& connection, std::int64_t row) {
    connection.prepare("DELETE FROM work WHERE run = ? AND state >= ?")
        .bind(1, row)
        .bind(2, finished)
        .run();
    connection.prepare("UPDATE work SET fence = ?, stop = 0 WHERE run = ?")
        .bind(1, number(fence))
        .bind(2, row)
        .run();
  });
}

void Work::publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks) {
  as_owner(run, fence, [&](Connection& connection, std::int64_t row) {
    for (const WorkTask& task : tasks) {
      connection
          .prepare(
              "DELETE FROM work WHERE run = ? AND stage = ? AND item = ?"
              " AND NOT (identity = ? AND program = ?)")
          .bind(1, row)
          .bind(2, task.stage)
          .bind(3, task.item)
          .bind(4, task.identity)
          .bind(5, task.program)
          .run();
      connection
          .prepare(
              "INSERT OR IGNORE INTO work(run, stage, item, fence, pipeline, program,"
              " identity, task) VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
          .bind(1, row)
          .bind(2, task.stage)
          .bind(3, task.item)
          .bind(4, number(fence))
          .bind(5, task.pipeline)
          .bind(6, task.program)
          .bind(7, task.identity)
          .bind_bytes(8, task.task)
          .run();
    }
  });
}

bool Work::has_finished(Connection& connection, std::string_view run) {
  Statement row = connection.prepare(
      "SELECT 1 FROM work JOIN runs ON runs.id = work.run WHERE runs.run = ? AND state >= ?"
      " LIMIT 1");
  return row.bind(1, run).bind(2, finished).step();
}

/// A process that has ended is gone at once; one that is silent when its time has passed. If this
/// process did not look for a while, the machine may have slept, or somebody may have held the
/// database: then the others get the time for a beat.
std::vector<Work::Dead> Work::dead_workers(Connection& connection) {
  constexpr std::int64_t longest_gap = 1000;
  constexpr std::int64_t grace = 2000;
  std::vector<Dead> dead;
  const std::int64_t time = now();
  const std::int64_t before = last_look_.exchange(time);
  if (before != 0 && time - before > longest_gap) grace_until_ = time + grace;
  const bool silent_counts = time >= grace_until_;
  const std::string& boot = this_boot();
  const std::string& space = this_space();
  Statement rows =
      connection.prepare("SELECT id, host, pid, started, space, boot, until FROM workers");
  while (rows.step()) {
    const bool is_near = !space.empty() && rows.bytes(4) == space && rows.number(3) != 0;
    const bool ended = is_near && shared_.process.start_time(rows.number(2)) !=
                                      static_cast<std::uint64_t>(rows.number(3));
    const bool silent = silent_counts && rows.number(6) < time;
    if (rows.bytes(5) == boot && !silent && !ended) continue;
    dead.push_back({rows.number(0), rows.number(6),
                    fmt::format("pid {} on {}, {:%FT%TZ}", rows.number(2), rows.bytes(1),
                                seconds(wall_seconds(shared_.clock)))});
  }
  return dead;
}

namespace {

/// What a worker has claimed is ready again, or lost for good. It learns it from its next beat or
/// commit.
void lose(Connection& connection, std::int64_t worker, const std::string& told) {
  connection
      .prepare(
          "UPDATE work SET losses = losses + 1, state = iif(losses + 1 >= ?, ?, ?),"
          " told = iif(told = '', ?, told || ', ' || ?), token = 0, worker = 0"
          " WHERE state = ? AND worker = ?")
      .bind(1, std::int64_t{WorkQueue::most_losses})
      .bind(2, lost)
      .bind(3, ready)
      .bind(4, told)
      .bind(5, told)
      .bind(6, claimed)
      .bind(7, worker)
      .run();
  connection.prepare("DELETE FROM workers WHERE id = ?").bind(1, worker).run();
}

}  // namespace

/// Called often: it writes only when there is something to write.
std::vector<FinishedWork> Work::collect(std::string_view run, std::uint64_t fence) {
  std::vector<FinishedWork> through;
  std::vector<Dead> dead;
  {
    const auto reader = shared_.readers.take();
    if (!reader) return through;
    dead = dead_workers(*reader);
    if (dead.empty() && !has_finished(*reader, run)) return through;
  }
  as_owner(run, fence, [&](Connection& connection, std::int64_t row) {
    through.clear();
    for (const Dead& one : dead) {
      Statement same = connection.prepare("SELECT 1 FROM workers WHERE id = ? AND until = ?");
      const bool is_dead = same.bind(1, one.id).bind(2, one.until).step();
      if (is_dead) lose(connection, one.id, one.told);
    }
    {
      Statement rows = connection.prepare(
          "SELECT stage, item, result, told, work.worker, host, pid, slots, workers.since, state"
          " FROM work LEFT JOIN workers ON workers.id = work.worker"
          " WHERE run = ? AND state >= ? ORDER BY seq");
      rows.bind(1, row).bind(2, finished);
      while (rows.step()) {
        FinishedWork& one = through.emplace_back();
        one.stage = rows.bytes(0);
        one.item = rows.bytes(1);
        one.result = rows.bytes(2);
        if (rows.number(9) == lost) one.lost = rows.bytes(3);
        one.by = {.id = static_cast<std::uint64_t>(rows.number(4)),
                  .host = std::string{rows.bytes(5)},
                  .pid = rows.number(6),
                  .slots = static_cast<unsigned>(rows.number(7)),
                  .since = seconds(rows.number(8))};
      }
    }
    connection.prepare("DELETE FROM work WHERE run = ? AND state >= ?")
        .bind(1, row)
        .bind(2, finished)
        .run();
  });
  return through;
}

std::vector<WorkItem> Work::withdraw(std::string_view run, std::uint64_t fence, bool stop) {
  std::vector<WorkItem> gone;
  as_owner(run, fence, [&](Connection& connection, std::int64_t row) {
    gone.clear();
    {
      Statement rows = connection.prepare(
          "SELECT stage, item, losses FROM work WHERE run = ? AND state = ? ORDER BY seq");
      rows.bind(1, row).bind(2, ready);
      while (rows.step()) {
        gone.push_back({.stage = std::string{rows.bytes(0)},
                        .item = std::string{rows.bytes(1)},
                        .losses = static_cast<unsigned>(rows.number(2))});
      }
    }
    connection.prepare("DELETE FROM work WHERE run = ? AND state = ?")
        .bind(1, row)
        .bind(2, ready)
        .run();
    if (stop) connection.prepare("UPDATE work SET stop = 1 WHERE run = ?").bind(1, row).run();
  });
  return gone;
}

void Work::end(std::string_view run, std::uint64_t fence) {
  as_owner(run, fence, [&](Connection& connection, std::int64_t row) {
    connection.prepare("DELETE FROM work WHERE run = ?").bind(1, row).run();
  });
}

// ---- a worker ----------------------------------------------------------------------------------

std::uint64_t Work::join(const WorkerInfo& worker, std::chrono::milliseconds ttl) {
  std::int64_t id = 0;
  const std::string& boot = this_boot();
  const std::string& space = this_space();
  const auto started = static_cast<std::int64_t>(shared_.process.start_time(worker.pid));
  shared_.writer.run(
      [&](Connection& connection) {
        connection
            .prepare(
                "INSERT INTO workers(host, pid, started, space, boot, slots, since, until)"
                " VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
            .bind(1, worker.host)
            .bind(2, worker.pid)
            .bind(3, started)
            .bind(4, space)
            .bind(5, boot)
            .bind(6, std::int64_t{worker.slots})
            .bind(7, wall_seconds(shared_.clock))
            .bind(8, now() + ttl.count())
            .run();
        id = connection.last_row();
      },
      Durability::data);
  return static_cast<std::uint64_t>(id);
}

Claimed Work::claim(std::uint64_t worker, std::string_view pipeline, std::string_view program,
                    std::string_view run, std::size_t most) {
  Claimed found;
  {
    const auto reader = shared_.readers.take();
    if (!reader) return found;
    Statement own = (*reader).prepare(
        "SELECT 1 FROM work JOIN runs ON runs.id = work.run WHERE state = 0"
        " AND program = ?1 AND pipeline = ?2 AND (?3 = '' OR runs.run = ?3) LIMIT 1");
    if (!own.bind(1, program).bind(2, pipeline).bind(3, run).step()) {
      Statement others = (*reader).prepare(
          "SELECT count(*) FROM work JOIN runs ON runs.id = work.run WHERE state = 0"
          " AND program <> ?1 AND pipeline = ?2 AND (?3 = '' OR runs.run = ?3)");
      others.bind(1, program).bind(2, pipeline).bind(3, run).step();
      found.of_others = static_cast<std::size_t>(others.number(0));
      return found;
    }
  }
  shared_.writer.run(
      [&](Connection& connection) {
        found.claims.clear();
        Statement known = connection.prepare("SELECT 1 FROM workers WHERE id = ?");
        if (!known.bind(1, number(worker)).step()) return;
        std::vector<std::int64_t> rows;
        {
          Statement tasks = connection.prepare(
              "SELECT seq, runs.run, work.fence, stage, item, identity, task"
              " FROM work JOIN runs ON runs.id = work.run"
              " WHERE state = 0 AND pipeline = ?2 AND program = ?1 AND (?3 = '' OR runs.run = ?3)"
              " AND runs.fence = work.fence ORDER BY seq LIMIT ?4");
          tasks.bind(1, program)
              .bind(2, pipeline)
              .bind(3, run)
              .bind(4, static_cast<std::int64_t>(most));
          while (tasks.step()) {
            rows.push_back(tasks.number(0));
            found.claims.push_back({.run = std::string{tasks.bytes(1)},
                                    .fence = static_cast<std::uint64_t>(tasks.number(2)),
                                    .task = {.stage = std::string{tasks.bytes(3)},
                                             .item = std::string{tasks.bytes(4)},
                                             .pipeline = std::string{pipeline},
                                             .program = std::string{program},
                                             .identity = std::string{tasks.bytes(5)},
                                             .task = std::string{tasks.bytes(6)}}});
          }
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
          connection.prepare("UPDATE counter SET stamp = stamp + 1").run();
          const std::int64_t token = connection.pragma("SELECT stamp FROM counter");
          found.claims[i].token = static_cast<std::uint64_t>(token);
          connection
              .prepare(
                  "UPDATE work SET state = ?, worker = ?, token = ?, since = ?"
                  " WHERE seq = ?")
              .bind(1, claimed)
              .bind(2, number(worker))
              .bind(3, token)
              .bind(4, wall_seconds(shared_.clock))
              .bind(5, rows[i])
              .run();
        }
      },
      Durability::data);
  return found;
}

WorkBeat Work::beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                    std::span<const std::uint64_t> held) {
  WorkBeat beat;
  shared_.writer.run(
      [&](Connection& connection) {
        beat = {};
        connection.prepare("UPDATE workers SET until = ? WHERE id = ?")
            .bind(1, now() + ttl.count())
            .bind(2, number(worker))
            .run();
        beat.known = connection.changes() == 1;
        for (const std::uint64_t token : held) {
          Statement row = connection.prepare("SELECT stop FROM work WHERE token = ? AND state = ?");
          if (!row.bind(1, number(token)).bind(2, claimed).step()) {
            beat.lost.push_back(token);
          } else if (row.number(0) != 0) {
            beat.stopped.push_back(token);
          }
        }
      },
      Durability::data);
  return beat;
}

ClaimState Work::state_of(Connection& connection, const WorkClaim& claim) const {
  Statement row = connection.prepare(
      "SELECT work.fence = runs.fence FROM work JOIN runs ON runs.id = work.run"
      " WHERE token = ? AND state = ? AND runs.run = ?");
  if (!row.bind(1, number(claim.token)).bind(2, claimed).bind(3, claim.run).step()) {
    return ClaimState::lost;
  }
  return row.number(0) != 0 ? ClaimState::held : ClaimState::other_owner;
}

ClaimState Work::commit(const WorkClaim& claim, const Batch& batch, const CommitOptions& options) {
  ClaimState state = ClaimState::lost;
  shared_.writer.run(
      [&](Connection& connection) {
        state = state_of(connection, claim);
        if (state != ClaimState::held) return;
        const std::int64_t row = *run_row(connection, claim.run);
        for (const Put& put : batch.puts) {
          try {
            insert_record(connection, row, put);
          } catch (const Error& error) {
            if (!is_clash(error)) throw;
            throw shared_.site(claim.run).record_exists(put.id, shared_.where(claim.run, put.id));
          }
        }
        for (const RecordId id : batch.erases) erase_record(connection, row, id);
        raise_stamp(connection, row);
      },
      options.durability == Durability::data ? Durability::data : Durability::full);
  return state;
}

ClaimState Work::finish(const WorkClaim& claim, std::string_view result) {
  ClaimState state = ClaimState::lost;
  shared_.writer.run(
      [&](Connection& connection) {
        state = state_of(connection, claim);
        if (state != ClaimState::held) return;
        connection.prepare("UPDATE work SET state = ?, result = ? WHERE token = ?")
            .bind(1, finished)
            .bind_bytes(2, result)
            .bind(3, number(claim.token))
            .run();
      },
      Durability::data);
  return state;
}

void Work::give_back(const WorkClaim& claim) {
  shared_.writer.run(
      [&](Connection& connection) {
        connection
            .prepare(
                "UPDATE work SET state = ?, worker = 0, token = 0"
                " WHERE token = ? AND state = ?")
            .bind(1, ready)
            .bind(2, number(claim.token))
            .bind(3, claimed)
            .run();
      },
      Durability::data);
}

void Work::leave(std::uint64_t worker) {
  shared_.writer.run(
      [&](Connection& connection) {
        connection
            .prepare(
                "UPDATE work SET state = ?, worker = 0, token = 0"
                " WHERE worker = ? AND state = ?")
            .bind(1, ready)
            .bind(2, number(worker))
            .bind(3, claimed)
            .run();
        connection.prepare("DELETE FROM workers WHERE id = ?").bind(1, number(worker)).run();
      },
      Durability::data);
}

// ---- anybody -----------------------------------------------------------------------------------

std::vector<WorkerInfo> Work::workers() const {
  std::vector<WorkerInfo> all;
  const auto reader = shared_.readers.take();
  if (!reader || !has_tables(*reader)) return all;
  const std::string& boot = this_boot();
  Statement rows = (*reader).prepare(
      "SELECT id, host, pid, slots, since FROM workers WHERE until >= ? AND boot = ? ORDER BY id");
  rows.bind(1, now()).bind(2, boot);
  while (rows.step()) {
    all.push_back({.id = static_cast<std::uint64_t>(rows.number(0)),
                   .host = std::string{rows.bytes(1)},
                   .pid = rows.number(2),
                   .slots = static_cast<unsigned>(rows.number(3)),
                   .since = seconds(rows.number(4))});
  }
  return all;
}

std::vector<WorkItem> Work::work(std::string_view run) const {
  std::vector<WorkItem> all;
  const auto reader = shared_.readers.take();
  if (!reader || !has_tables(*reader)) return all;
  Statement rows = (*reader).prepare(
      "SELECT stage, item, worker, work.since, losses FROM work JOIN runs ON runs.id = work.run"
      " WHERE runs.run = ? AND state < ? AND work.fence = runs.fence ORDER BY seq");
  rows.bind(1, run).bind(2, finished);
  while (rows.step()) {
    all.push_back({.stage = std::string{rows.bytes(0)},
                   .item = std::string{rows.bytes(1)},
                   .worker = static_cast<std::uint64_t>(rows.number(2)),
                   .since = seconds(rows.number(3)),
                   .losses = static_cast<unsigned>(rows.number(4))});
  }
  return all;
}

}  // namespace resumable::sqlite
