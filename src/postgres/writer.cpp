#include "postgres/writer.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "postgres/schema.hpp"

namespace resumable::postgres {
namespace {

constexpr std::size_t most_joined_bytes = std::size_t{8} << 20U;  // of one statement of several
constexpr std::uint64_t largest_payload = std::uint64_t{256} << 20U;

// Who may write: a run or task whose numbers are others has no row in `o`, and so nothing of it is
// written. A task counts its commits, which are part of the stamp of its run.
#define SHOWN " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS e(key, fence, epoch)"
#define OF_LEASES                                                            \
  "UPDATE runs SET stamp = nextval('stamps')" SHOWN                          \
  " WHERE runs.id = e.key AND runs.fence = e.fence AND runs.epoch = e.epoch" \
  " RETURNING runs.id AS key, runs.id AS run"
// With ANY, the index of tokens is searched for these alone, whatever the planner thinks of a join.
#define OF_TASKS                                                                    \
  "UPDATE work SET commits = commits + 1, epoch = e.epoch" SHOWN                    \
  " WHERE work.token = ANY($1::bigint[]) AND work.token = e.key AND work.state = 1" \
  " AND NOT work.stale AND work.fence >= e.fence AND work.epoch <= e.epoch"         \
  " RETURNING work.token AS key, work.run"
#define COMMIT_SQL(who)                                                                      \
  "WITH o AS (" who                                                                          \
  "),"                                                                                       \
  " d AS (DELETE FROM records USING o,"                                                      \
  " unnest($4::bigint[], $5::text[], $6::bigint[]) AS x(key, path, generation)"              \
  " WHERE o.key = x.key AND records.run = o.run AND records.path = x.path"                   \
  " AND records.generation = x.generation AND NOT records.quarantined),"                     \
  " i AS (INSERT INTO records(run, path, generation, payload_bytes, tag, header, payload)"   \
  " SELECT o.run, n.path, n.generation, octet_length(n.payload), n.tag, n.header, n.payload" \
  " FROM o, unnest($7::bigint[], $8::text[], $9::bigint[], $10::bytea[], $11::bytea[],"      \
  " $12::bytea[]) AS n(key, path, generation, tag, header, payload) WHERE o.key = n.key) "

// The same of one record alone: to start and end a plan with twelve arrays takes longer than to
// insert a row.
#define OF_ONE_LEASE                                                                       \
  "UPDATE runs SET stamp = nextval('stamps') WHERE id = $1::bigint AND fence = $2::bigint" \
  " AND epoch = $3::bigint RETURNING id AS key, id AS run"
#define OF_ONE_TASK                                                                    \
  "UPDATE work SET commits = commits + 1, epoch = $3::bigint WHERE token = $1::bigint" \
  " AND state = 1 AND NOT stale AND fence >= $2::bigint AND epoch <= $3::bigint"       \
  " RETURNING token AS key, run"
#define COMMIT_ONE_SQL(who)                                                                \
  "WITH o AS (" who                                                                        \
  "),"                                                                                     \
  " i AS (INSERT INTO records(run, path, generation, payload_bytes, tag, header, payload)" \
  " SELECT run, $4::text, $5::bigint, octet_length($8::bytea), $6::bytea, $7::bytea,"      \
  " $8::bytea FROM o) "

#define FULL "SELECT key FROM o"
// Its transaction does not wait for the disk; the next one that does makes it durable as well.
#define DATA "SELECT key, set_config('synchronous_commit', 'off', true) FROM o"

/// By who writes, of one record alone or not, and how durable.
constexpr const char* commit_sql[2][2][2]{
    {{COMMIT_SQL(OF_LEASES) FULL, COMMIT_SQL(OF_LEASES) DATA},
     {COMMIT_ONE_SQL(OF_ONE_LEASE) FULL, COMMIT_ONE_SQL(OF_ONE_LEASE) DATA}},
    {{COMMIT_SQL(OF_TASKS) FULL, COMMIT_SQL(OF_TASKS) DATA},
     {COMMIT_ONE_SQL(OF_ONE_TASK) FULL, COMMIT_ONE_SQL(OF_ONE_TASK) DATA}}};

#undef SHOWN
#undef OF_LEASES
#undef OF_TASKS
#undef COMMIT_SQL
#undef OF_ONE_LEASE
#undef OF_ONE_TASK
#undef COMMIT_ONE_SQL
#undef FULL
#undef DATA

const char* statement_for(const Claim& claim, bool one, bool full) {
  return commit_sql[claim.token != 0 ? 1 : 0][one ? 1 : 0][full ? 0 : 1];
}

std::string_view bytes_of(const Tag& tag) {
  return {reinterpret_cast<const char*>(tag.raw.data()), tag.raw.size()};
}

bool is_same(RecordId a, RecordId b) { return a.path == b.path && a.generation == b.generation; }

bool has_put(const Batch& batch, RecordId id) {
  return std::ranges::any_of(batch.puts, [&](const Put& put) { return is_same(put.id, id); });
}

}  // namespace

Error Claim::fenced() const {
  return site.error(
      Errc::fenced,
      {.what = fmt::format("run {} was taken from this process: its row has another fence, or is"
                           " gone",
                           site.name),
       .file = site.store,
       .kept = "everything saved before",
       .next = "resume again; if this process was suspended or cut off for long, choose a longer"
               " ttl"});
}

std::exception_ptr Writer::refusal(const Claim& claim) {
  return claim.token != 0 ? std::make_exception_ptr(NotHeld{})
                          : std::make_exception_ptr(claim.fenced());
}

void Writer::read_payloads(Request& request) {
  const auto puts = request.batch->puts;
  request.copies.reserve(puts.size());  // views of it stay valid
  for (const Put& put : puts) {
    const std::uint64_t size = put.payload->size();
    if (size > largest_payload) {
      throw request.claim.site.error(
          Errc::too_large,
          {.what = fmt::format("the value of {} has {} bytes, and a PostgreSQL store takes {}",
                               put.id.path, size, largest_payload),
           .kept = "nothing was changed",
           .next = "keep large values as files (resumable::File) in another store, or split them"});
    }
    auto view = put.payload->view();
    if (!view) view = request.copies.emplace_back(read_all(*put.payload));
    request.payloads.push_back(*view);
    request.bytes += view->size() + put.header.size();
  }
}

void Writer::commit(Claim& claim, const Batch& batch, const CommitOptions& options,
                    FunctionRef<void()> committed) {
  session_.check_process();
  Request request{.claim = claim, .batch = &batch, .options = options, .committed = committed};
  read_payloads(request);
  queue_.run(request, [this](const Part& group) { flush(group); });
  // A statement does not see what it puts itself.
  const auto was_put = [&](RecordId id) { return has_put(batch, id); };
  if (!std::ranges::any_of(batch.erases, was_put)) return;
  const Batch rest{.puts = {}, .erases = batch.erases};
  Request again{.claim = claim, .batch = &rest, .options = options};
  queue_.run(again, [this](const Part& group) { flush(group); });
}

bool Writer::update(Claim& claim, const char* sql, const Parameters& more, const Wait& wait) {
  session_.check_process();
  Request request{.claim = claim, .options = {.wait = wait}, .sql = sql, .more = &more};
  queue_.run(request, [this](const Part& group) { flush(group); });
  return request.changed;
}

/// The end of the part that begins there: one statement, of leases or of workers. An erase must see
/// what earlier commits put.
std::size_t Writer::part_at(const Part& group, std::size_t begin) {
  std::size_t bytes = group[begin]->bytes;
  std::size_t end = begin + 1;
  if (group[begin]->batch == nullptr) return end;
  for (; end < group.size() && group[end]->batch != nullptr; ++end) {
    const Request& next = *group[end];
    bytes += next.bytes;
    const bool needs_earlier = std::ranges::any_of(next.batch->erases, [&](RecordId id) {
      return std::any_of(group.begin() + static_cast<std::ptrdiff_t>(begin),
                         group.begin() + static_cast<std::ptrdiff_t>(end), [&](const Request* one) {
                           return one->claim.row == next.claim.row && has_put(*one->batch, id);
                         });
    });
    const bool is_alike = (next.claim.token != 0) == (group[begin]->claim.token != 0);
    if (bytes > most_joined_bytes || needs_earlier || !is_alike) break;
  }
  return end;
}

void Writer::flush(const Part& group) noexcept {
  for (std::size_t begin = 0; begin < group.size();) {
    const std::size_t end = part_at(group, begin);
    Part part{group.begin() + static_cast<std::ptrdiff_t>(begin),
              group.begin() + static_cast<std::ptrdiff_t>(end)};
    begin = end;
    try {
      write(part);
    } catch (...) {
      for (Request* one : part) one->error = std::current_exception();
    }
  }
}

/// Settles each of the part, whatever happens to the connection.
void Writer::write(Part part) {
  Patience patience{session_.target(), {}};
  bool sent = false;  // what was sent may have happened
  while (!part.empty()) {
    Limit limit = patience.limit();
    limit.waits.clear();
    for (const Request* one : part) limit.waits.push_back(one->options.wait);
    try {
      connect(limit);
      const bool unknown = sent || std::ranges::any_of(part, [](const Request* one) {
                             return one->claim.epoch_is_old;
                           });
      if (unknown) part = unfinished(part, limit);
      if (part.empty()) return;
      sent = true;
      send(part, limit);
      return;
    } catch (const Refused& error) {
      sent = false;
      if (!error.is_conflict() || !patience.again()) return refused(part, error, limit);
    } catch (...) {
      connection_.reset();
      if (sent) {
        for (const Request* one : part) one->claim.epoch_is_old = true;
      }
      try {
        session_.handle(Errc::store_failed, patience);
      } catch (const Error& error) {
        give_up(part, error, sent);
      }
    }
  }
}

void Writer::give_up(Part& part, const Error& error, bool sent) {
  const bool of_some = error.errc() == Errc::cancelled;
  std::erase_if(part, [&](Request* one) {
    if (of_some && !one->options.wait.is_over()) return false;
    ErrorInfo info = error.info();
    if (sent) {
      info.what = "it is unknown whether the last commit is in the database: " + info.what;
      info.kept = "everything saved before is intact";
      info.next = "resume again: it reads what the run holds";
    }
    const Error own = one->claim.site.error(sent ? Errc::outcome_unknown : error.errc(), info);
    one->error = std::make_exception_ptr(own);
    return true;
  });
}

void Writer::connect(const Limit& limit) {
  if (session_.connect(connection_, limit)) ++connections_;
}

void Writer::send(const Part& part, const Limit& limit) {
  Request& first = *part.front();
  if (first.batch == nullptr) return send_update(first, limit);
  if (part.size() == 1 && first.batch->puts.size() == 1 && first.batch->erases.empty()) {
    return send_one(first, limit);
  }
  Array keys{Element::number}, fences{Element::number}, epochs{Element::number};
  Array gone_keys{Element::number}, gone_paths{Element::text}, gone_generations{Element::number};
  Array put_keys{Element::number}, paths{Element::text}, generations{Element::number};
  Array tags{Element::bytes}, headers{Element::bytes}, payloads{Element::bytes};
  std::set<std::int64_t> named;
  bool full = false;
  for (const Request* one : part) {
    const Claim& claim = one->claim;
    full = full || one->options.durability != Durability::data;
    if (named.insert(claim.key()).second) {
      keys.add(claim.key());
      fences.add(claim.fence);
      epochs.add(epoch_of(claim));
    }
    for (const RecordId id : one->batch->erases) {
      gone_keys.add(claim.key());
      gone_paths.add(id.path);
      gone_generations.add(static_cast<std::int64_t>(id.generation));
    }
    for (std::size_t i = 0; i < one->batch->puts.size(); ++i) {
      const Put& put = one->batch->puts[i];
      put_keys.add(claim.key());
      paths.add(put.id.path);
      generations.add(static_cast<std::int64_t>(put.id.generation));
      tags.add(bytes_of(put.tag));
      headers.add(put.header);
      payloads.add(one->payloads[i]);
    }
  }
  Parameters parameters;
  parameters.add(keys).add(fences).add(epochs);
  parameters.add(gone_keys).add(gone_paths).add(gone_generations);
  parameters.add(put_keys).add(paths).add(generations).add(tags).add(headers).add(payloads);
  const Rows answer = connection_->run(statement_for(first.claim, false, full), parameters, limit);
  std::set<std::int64_t> written;
  for (int i = 0; i < answer.count(); ++i) written.insert(answer.number(i, 0));
  for (Request* one : part) {
    if (written.contains(one->claim.key())) {
      one->finish();
    } else {
      one->error = refusal(one->claim);
    }
  }
}

void Writer::send_one(Request& request, const Limit& limit) {
  const Claim& claim = request.claim;
  const Put& put = request.batch->puts.front();
  Parameters parameters;
  parameters.add(claim.key()).add(claim.fence).add(epoch_of(claim)).add(put.id.path);
  parameters.add(static_cast<std::int64_t>(put.id.generation));
  parameters.add(bytes_of(put.tag)).add(put.header).add(request.payloads.front());
  const bool full = request.options.durability != Durability::data;
  const Rows answer = connection_->run(statement_for(claim, true, full), parameters, limit);
  if (answer.empty()) {
    request.error = refusal(claim);
  } else {
    request.finish();
  }
}

void Writer::send_update(Request& request, const Limit& limit) {
  const Claim& claim = request.claim;
  Parameters parameters;
  parameters.add(claim.row).add(claim.fence).add(claim.epoch);
  for (const std::string& value : request.more->values()) parameters.add(std::string_view{value});
  request.changed = !connection_->run(request.sql, parameters, limit).empty();
  if (request.changed) return;
  const Rows own = connection_->run(
      "SELECT 1::bigint FROM runs WHERE id = $1::bigint AND fence ="
      " $2::bigint AND epoch = $3::bigint",
      Parameters{}.add(claim.row).add(claim.fence).add(claim.epoch), limit);
  if (own.empty()) request.error = std::make_exception_ptr(claim.fenced());
}

void Writer::refused(const Part& part, const Refused& error, const Limit& limit) {
  if (part.size() > 1) {
    for (Request* one : part) write({one});
    return;
  }
  Request& one = *part.front();
  one.error = std::make_exception_ptr(
      error.is_duplicate() ? clash(one, limit)
                           : session_.failed(Errc::store_failed, error.what(), error.state));
}

/// Names the record that exists.
Error Writer::clash(const Request& request, const Limit& limit) {
  RecordId id = request.batch->puts.front().id;
  try {
    for (const Put& put : request.batch->puts) {
      const Rows rows = connection_->run(
          "SELECT 1::bigint FROM records WHERE run = (SELECT id FROM runs WHERE run = $1::text)"
          " AND path = $2::text AND generation = $3::bigint",
          Parameters{}
              .add(request.claim.site.run)
              .add(put.id.path)
              .add(static_cast<std::int64_t>(put.id.generation)),
          limit);
      if (rows.empty()) continue;
      id = put.id;
      break;
    }
  } catch (const std::exception&) {
    connection_.reset();  // then the first one is named
  }
  const store::RunSite& site = request.claim.site;
  return site.record_exists(id, session_.where(site.run, id));
}

bool Writer::renew_epoch(Claim& claim, const Limit& limit) {
  const Rows rows =
      claim.token != 0
          ? connection_->run(
                "UPDATE work SET epoch = $2::bigint WHERE token = $1::bigint AND state = 1 "
                "RETURNING epoch",
                Parameters{}.add(claim.token).add(connections_), limit)
          : connection_->run(
                "UPDATE runs SET epoch = epoch + 1 WHERE id = $1::bigint AND fence = $2::bigint"
                " RETURNING epoch",
                Parameters{}.add(claim.row).add(claim.fence), limit);
  if (rows.empty()) return false;
  claim.epoch = rows.number(0, 0);
  claim.epoch_is_old = false;
  return true;
}

bool Writer::is_there(const Claim& claim, const Put& put, const Limit& limit) {
  const Rows rows = connection_->run(
      "SELECT tag FROM records WHERE run = (SELECT id FROM runs WHERE run = $1::text)"
      " AND path = $2::text AND generation = $3::bigint",
      Parameters{}
          .add(claim.site.run)
          .add(put.id.path)
          .add(static_cast<std::int64_t>(put.id.generation)),
      limit);
  return !rows.empty() && rows.bytes(0, 0) == bytes_of(put.tag);
}

/// Those of a part, sent on a connection that is lost, which have not happened. Erases and updates
/// may happen twice.
Writer::Part Writer::unfinished(const Part& part, const Limit& limit) {
  std::set<const Claim*> taken;
  for (const Request* one : part) {
    if (!one->claim.epoch_is_old) continue;
    if (!renew_epoch(one->claim, limit)) taken.insert(&one->claim);
  }
  Part rest;
  for (Request* one : part) {
    const bool put = one->batch != nullptr && !one->batch->puts.empty();
    if (put && is_there(one->claim, one->batch->puts.front(), limit)) {
      one->finish();
    } else if (taken.contains(&one->claim)) {
      one->error = refusal(one->claim);
    } else {
      rest.push_back(one);
    }
  }
  return rest;
}

}  // namespace resumable::postgres
