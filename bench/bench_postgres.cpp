// PostgresStore against what a program would do without it: a loop of INSERTs of the same rows,
// with a connection for each thread, without a lease. The server is started for this program, on
// the disk of RESUMABLE_BENCH_DIR, with its defaults; server and clients share the machine.
//
// Load: durable commits of 4 KiB with one thread, and with 16 threads, each of which waits for its
// commit. And what a resume of 10 000 finished items asks the server, with nothing to do, and with
// a stage that reads the values of all: the counter `statements`, of pg_stat_statements on a second
// server.
#include <cstdlib>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <libpq-fe.h>
#include <resumable/postgres_store.hpp>
#include <resumable/resumable.hpp>

#include "load.hpp"
#include "postgres/server.hpp"

namespace rs = resumable;

namespace {

using bench::must;
using Server = rs::test::PostgresServer;

/// One for each setting, until the program ends; nullptr where none is installed.
template <int>
const Server* server(const char* settings) {
  static const std::unique_ptr<Server> one = [&] {
    const char* chosen = std::getenv("RESUMABLE_BENCH_DIR");
    const auto disk = std::filesystem::absolute(chosen ? chosen : ".").string();
    must(setenv("RESUMABLE_TEST_FOLDER", disk.c_str(), 1) == 0);
    return Server::is_installed() ? std::make_unique<Server>(settings) : nullptr;
  }();
  return one.get();
}

const Server* timed(benchmark::State& state) {
  const Server* one = server<0>("");
  if (one == nullptr) state.SkipWithError(Server::missing);
  return one;
}

// ---- commits -----------------------------------------------------------------------------------

/// Inserts rows like those of a store, each in a transaction of its own.
class Loop {
 public:
  Loop(const Server& server, std::int64_t run)
      : connection_(PQconnectdb(server.url().c_str()), &PQfinish), run_(std::to_string(run)) {
    must(PQstatus(connection_.get()) == CONNECTION_OK);
    const std::unique_ptr<PGresult, decltype(&PQclear)> made{
        PQprepare(connection_.get(), "i",
                  "INSERT INTO plain VALUES ($1::bigint, $2::text, 1, $3::bytea, $4::bytea, $5)", 5,
                  nullptr),
        &PQclear};
    must(PQresultStatus(made.get()) == PGRES_COMMAND_OK);
  }

  void insert() {
    const std::string path = std::to_string(++last_);
    const char* const values[] = {run_.c_str(), path.c_str(), tag_.data(), header_.data(),
                                  payload_.data()};
    const int sizes[] = {0, 0, static_cast<int>(tag_.size()), static_cast<int>(header_.size()),
                         static_cast<int>(payload_.size())};
    const int formats[] = {0, 0, 1, 1, 1};
    const std::unique_ptr<PGresult, decltype(&PQclear)> done{
        PQexecPrepared(connection_.get(), "i", 5, values, sizes, formats, 0), &PQclear};
    must(PQresultStatus(done.get()) == PGRES_COMMAND_OK);
  }

 private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
  std::string run_;
  std::string tag_ = bench::text_of(64);
  std::string header_ = bench::text_of(256);
  std::string payload_ = bench::text_of(4096);
  std::int64_t last_ = 0;
};

/// `state.range(0)` threads with a connection each.
void insert_loop(benchmark::State& state) {
  const Server* one = timed(state);
  if (one == nullptr) return;
  one->sql(
      "DROP TABLE IF EXISTS plain; CREATE TABLE plain(run bigint, path text COLLATE \"C\","
      " generation bigint, tag bytea, header bytea, payload bytea,"
      " PRIMARY KEY(run, path, generation));"
      " ALTER TABLE plain ALTER payload SET STORAGE EXTERNAL");
  std::deque<Loop> loops;
  for (std::int64_t t = 0; t < state.range(0); ++t) loops.emplace_back(*one, t);
  bench::in_threads(state, state.range(0), 32,
                    [&](std::int64_t t) { loops[static_cast<std::size_t>(t)].insert(); });
}

void store(benchmark::State& state) {
  const Server* one = timed(state);
  if (one == nullptr) return;
  one->sql("DROP SCHEMA IF EXISTS timed CASCADE");
  rs::PostgresStore of{one->url(), {.schema = "timed"}};
  bench::many_threads(state, of);
}

// ---- statements --------------------------------------------------------------------------------

/// A fan-out of 10 000 short texts, and a stage that takes all of them.
rs::Pipeline texts() {
  std::vector<std::int64_t> list(10'000);
  std::iota(list.begin(), list.end(), 0);
  rs::Pipeline pipeline{"bench"};
  const auto numbers = pipeline.input("numbers", std::move(list));
  const auto all = pipeline.stage("texts", inputs(each(numbers)),
                                  [](std::int64_t) { return bench::text_of(100); });
  pipeline.stage("sum", inputs(all), [](const std::vector<std::string>& each) {
    std::size_t sum = 0;
    for (const std::string& text : each) sum += text.size();
    return sum;
  });
  return pipeline;
}

/// Those of a resume with a store of its own, opening it included.
void resume_finished(benchmark::State& state, const std::vector<std::string>& redo) {
  const Server* one = server<1>(
      "fsync = off\nshared_preload_libraries = 'pg_stat_statements'\n"
      "pg_stat_statements.track = top");
  if (one == nullptr) return state.SkipWithError(Server::missing);
  const rs::Pipeline pipeline = texts();
  const auto resume = [&](const rs::ResumeOptions& options) {
    rs::PostgresStore of{one->url()};
    must(static_cast<bool>(rs::resume(pipeline, of, options)));
  };
  one->sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  resume({.run = "r", .concurrency = 16, .durability = rs::Durability::queued});
  one->sql("SELECT pg_stat_statements_reset()");
  for (auto _ : state) resume({.run = "r", .redo = redo});
  const std::string calls = one->sql(
      "SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'");
  state.counters["statements"] = std::stod(calls) / static_cast<double>(state.iterations());
}

void nothing_to_do(benchmark::State& state) { resume_finished(state, {}); }
void reads_all(benchmark::State& state) { resume_finished(state, {"sum"}); }

}  // namespace

BENCHMARK(insert_loop)->Name("postgres/insert")->Arg(1)->Arg(16)->UseRealTime();
BENCHMARK(store)->Name("postgres/store")->Arg(1)->Arg(16)->UseRealTime();
BENCHMARK(nothing_to_do)
    ->Name("postgres/resume_10000")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(reads_all)->Name("postgres/read_10000")->Unit(benchmark::kMillisecond)->UseRealTime();
