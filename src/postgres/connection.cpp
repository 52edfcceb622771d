#include "postgres/connection.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "postgres/schema.hpp"
#include "resumable/error.hpp"
#include "sys/readiness.hpp"

namespace resumable::postgres {
namespace {

using std::chrono::steady_clock;
using sys::Readiness;

std::string first_line(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

/// What libpq says in its verbose form, `FATAL:  28P01: text`, which has the code in every
/// language.
ConnectFailed connect_failed(const std::string& text) {
  for (std::size_t at = 0; (at = text.find(":  ", at)) != text.npos; at += 3) {
    const std::string state = text.substr(at + 3, 5);
    const bool is_state = state.size() == 5 && std::ranges::all_of(state, [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
                          });
    if (is_state && text.substr(at + 8, 2) == ": ") {
      return {first_line(text.substr(at + 10)), state};
    }
  }
  return {first_line(text), ""};
}

std::string field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? "" : text;
}

/// After which the server closes the connection: what it had in hand may be committed or not.
bool ends_connection(const std::string& state) {
  return state.starts_with("08") || state.starts_with("57P0");
}

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Leaves the pipeline mode once the answer is there; a connection that is broken is not used
/// again.
struct PipelineEnd {
  PGconn* handle;
  ~PipelineEnd() { static_cast<void>(PQexitPipelineMode(handle)); }
};

Error unusable(const Target& target, std::string what, std::string next) {
  return {Errc::unreadable,
          {.what = std::move(what),
           .file = target.url,
           .kept = "nothing was changed",
           .next = std::move(next)}};
}

}  // namespace

std::int64_t Rows::changed() const { return number_of(PQcmdTuples(result_.get())); }

Connection::Connection(const Target& target, const Limit& limit) : target_(target) {
  try {
    connect(limit);
    prepare_session(limit);
  } catch (...) {
    PQfinish(handle_);
    throw;
  }
}

Connection::~Connection() { PQfinish(handle_); }

std::string Connection::message() const { return target_.masked(PQerrorMessage(handle_)); }

void Connection::connect(const Limit& limit) {
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : target_.keywords) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  handle_ = PQconnectStartParams(keywords.data(), values.data(), 0);
  if (handle_ == nullptr) throw std::bad_alloc();
  PQsetErrorVerbosity(handle_, PQERRORS_VERBOSE);
  PQsetNoticeProcessor(
      handle_, [](void*, const char*) {}, nullptr);
  auto state = PQstatus(handle_) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (state != PGRES_POLLING_OK) {
    if (state == PGRES_POLLING_FAILED) {
      if (PQconnectionNeedsPassword(handle_) == 1)
        throw ConnectFailed("no password was given", "28P01");
      throw connect_failed(message());
    }
    try {
      await(state == PGRES_POLLING_READING ? Readiness::to_read : Readiness::to_write, limit);
    } catch (const ConnectionLost& lost) {
      throw ConnectFailed(lost.what(), "");
    }
    state = PQconnectPoll(handle_);
  }
  PQsetErrorVerbosity(handle_, PQERRORS_DEFAULT);
  PQsetnonblocking(handle_, 1);
}

/// An administrator may have made commits weaker for all: not ours. Plans are made once, perhaps of
/// empty tables: they use the indexes, and are not worth compiling. `local`: whether the settings
/// end with the transaction.
std::string Connection::settings(const std::string& local) const {
  return fmt::format(
      "set_config('search_path', '\"{0}\"', {1}),"
      " set_config('plan_cache_mode', 'force_generic_plan', {1}),"
      " set_config('enable_seqscan', 'off', {1}),"
      " set_config('enable_hashjoin', 'off', {1}),"
      " set_config('enable_mergejoin', 'off', {1}),"
      " set_config('jit', 'off', {1}),"
      " CASE current_setting('synchronous_commit') WHEN 'off' THEN"
      " set_config('synchronous_commit', 'on', {1}) END",
      target_.options.schema, local);
}

void Connection::prepare_session(const Limit& limit) {
  try {
    // A pooler hands out keys of its own for cancelling, and with them a process id. What it is
    // told about a session may reach another client's. All in one statement: each takes a round
    // trip.
    const std::string is_pooled = fmt::format("pg_backend_pid() <> {}", PQbackendPID(handle_));
    const Rows rows =
        script(fmt::format("SELECT current_setting('server_version_num'), pg_is_in_recovery(),"
                           " current_setting('transaction_read_only'), getdatabaseencoding(),"
                           " to_regclass('\"{}\".version') IS NOT NULL, {}, {}",
                           target_.options.schema, is_pooled, settings(is_pooled)),
               limit);
    const std::int64_t version = number_of(rows.bytes(0, 0));
    if (version < oldest_server) {
      throw unusable(target_,
                     fmt::format("the PostgreSQL server has the version {}, and 13 is the oldest"
                                 " that this program can use",
                                 version / 10'000),
                     "upgrade the server, or use another one");
    }
    if (rows.bytes(0, 1) == "t" || rows.bytes(0, 2) == "on") {
      throw unusable(target_, "the PostgreSQL server is read-only: a standby, or set so",
                     "name the primary server in the URL");
    }
    if (rows.bytes(0, 3) != "UTF8" && rows.bytes(0, 3) != "SQL_ASCII") {
      throw unusable(target_,
                     fmt::format("the database has the encoding {}, which cannot hold every run id",
                                 rows.bytes(0, 3)),
                     "make one with the encoding UTF8: createdb -E UTF8 -T template0 NAME");
    }
    if (rows.bytes(0, 5) == "t") settings_ = "SELECT " + settings("true");
    if (rows.bytes(0, 4) == "t") read_version(limit);
  } catch (const ConnectionLost& lost) {
    throw ConnectFailed(lost.what(), "");
  } catch (const Refused& refused) {
    if (refused.state != "42704") throw ConnectFailed(refused.what(), refused.state);
    throw unusable(target_,
                   "the PostgreSQL server is too old: 13 is the oldest version that this program"
                   " can use",
                   "upgrade the server, or use another one");
  }
}

void Connection::find_schema(const Limit& limit) {
  const Rows table = script(
      fmt::format("SELECT to_regclass('\"{}\".version') IS NOT NULL", target_.options.schema),
      limit);
  schema_ = 0;
  if (table.bytes(0, 0) == "t") read_version(limit);
}

void Connection::read_version(const Limit& limit) {
  const Rows rows = script("SELECT version FROM version", limit);
  const std::int64_t version = rows.empty() ? 0 : number_of(rows.bytes(0, 0));
  if (version > schema_version) {
    throw Error(Errc::newer,
                {.what = fmt::format("the tables in '{}' have the version {}, this program knows"
                                     " those up to {}",
                                     target_.options.schema, version, schema_version),
                 .file = target_.url,
                 .kept = "untouched: newer tables are never rewritten",
                 .next = "use a newer program"});
  }
  schema_ = version;
}

bool Connection::usable() {
  if (broken_ || PQstatus(handle_) != CONNECTION_OK) return false;
  const bool silent = !sys::wait_until_ready(PQsocket(handle_), Readiness::to_read, {});
  return silent || (PQconsumeInput(handle_) == 1 && PQstatus(handle_) == CONNECTION_OK);
}

void Connection::lose() {
  broken_ = true;
  throw ConnectionLost(first_line(message()));
}

void Connection::await(Readiness wanted, const Limit& limit) {
  constexpr std::chrono::milliseconds slice{50};  // a stop token wakes nobody
  for (;;) {
    const auto now = steady_clock::now();
    if (limit.is_over()) {
      broken_ = true;
      throw WaitOver{};
    }
    if (now >= limit.end) {
      broken_ = true;
      throw ConnectionLost("the server did not answer in time");
    }
    auto end = limit.end;
    for (const Wait& wait : limit.waits) {
      if (wait.deadline) end = std::min(end, *wait.deadline);
      if (wait.stop.stop_possible()) end = std::min(end, now + slice);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now);
    const auto pause = std::min(left, std::chrono::milliseconds{60'000});
    if (sys::wait_until_ready(PQsocket(handle_), wanted, pause)) return;
  }
}

void Connection::flush(const Limit& limit) {
  for (int left = 0; (left = PQflush(handle_)) != 0;) {
    if (left < 0) lose();
    await(Readiness::to_read_or_write, limit);
    if (PQconsumeInput(handle_) == 0) lose();  // it may have to be read first
  }
}

/// The last of the answers.
Rows Connection::answer(const Limit& limit) {
  flush(limit);
  std::optional<Rows> rows;
  std::optional<Refused> refused;
  for (;;) {
    while (PQisBusy(handle_) != 0) {
      await(Readiness::to_read, limit);
      if (PQconsumeInput(handle_) == 0) lose();
    }
    PGresult* result = PQgetResult(handle_);
    if (result == nullptr) {
      if (PQpipelineStatus(handle_) == PQ_PIPELINE_OFF) break;
      if (PQstatus(handle_) != CONNECTION_OK) lose();
      continue;  // the answer to the next statement, or the end of the transaction
    }
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC || status == PGRES_PIPELINE_ABORTED) {
      PQclear(result);
      if (status == PGRES_PIPELINE_SYNC) break;
      continue;
    }
    const bool fine = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
    const std::string state = field(result, PG_DIAG_SQLSTATE);
    if (!fine && !refused) {
      refused.emplace(target_.masked(field(result, PG_DIAG_MESSAGE_PRIMARY)), state);
    }
    rows.emplace(result);
    if (!fine && (state.empty() || ends_connection(state))) {
      broken_ = true;
      throw ConnectionLost(state.empty() ? first_line(message()) : refused->what());
    }
  }
  if (refused) throw Refused(*refused);
  if (PQstatus(handle_) != CONNECTION_OK || !rows) lose();
  return *rows;
}

/// The name of the prepared statement.
const std::string& Connection::prepared(const char* sql, int count, const Limit& limit) {
  const auto known = prepared_.find(sql);
  if (known != prepared_.end()) return known->second;
  const std::string name = fmt::format("s{}", prepared_.size());
  if (PQsendPrepare(handle_, name.c_str(), sql, count, nullptr) == 0) lose();
  static_cast<void>(answer(limit));
  return prepared_.emplace(sql, name).first->second;
}

Rows Connection::run(const char* sql, const Parameters& parameters, const Limit& limit) {
  const auto values = parameters.values();
  const int count = static_cast<int>(values.size());
  std::vector<const char*> bytes;
  std::vector<int> sizes;
  for (const std::string& value : values) {
    bytes.push_back(value.data());
    sizes.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> binary(values.size(), 1);
  if (settings_.empty()) {
    const std::string& name = prepared(sql, count, limit);
    if (PQsendQueryPrepared(handle_, name.c_str(), count, bytes.data(), sizes.data(), binary.data(),
                            1) == 0) {
      lose();
    }
    return answer(limit);
  }
  // What is sent before a sync is one transaction.
  const bool sent = PQenterPipelineMode(handle_) == 1 &&
                    PQsendQueryParams(handle_, settings_.c_str(), 0, nullptr, nullptr, nullptr,
                                      nullptr, 1) == 1 &&
                    PQsendQueryParams(handle_, sql, count, nullptr, bytes.data(), sizes.data(),
                                      binary.data(), 1) == 1 &&
                    PQpipelineSync(handle_) == 1;
  if (!sent) lose();
  const PipelineEnd end{handle_};
  return answer(limit);
}

Rows Connection::script(const std::string& sql, const Limit& limit) {
  const std::string& all = settings_.empty() ? sql : settings_ + ";" + sql;
  if (PQsendQuery(handle_, all.c_str()) == 0) lose();
  return answer(limit);
}

}  // namespace resumable::postgres
