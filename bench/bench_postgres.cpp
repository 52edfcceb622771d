// PostgresStore against what a program would do without it: a loop of INSERTs of the same rows,
// with a connection for each thread, without a lease. The server is started for this program, on
// the disk of RESUMABLE_BENCH_DIR, with its defaults; server and clients share the machine.
//
// Load: durable commits of 4 KiB with one thread, and with 16 threads, each of which waits for its
// commit. And what a resume of 10 000 finished items asks the server, with nothing to do, and with
// a stage that reads the values of all: the counter `statements`, of pg_stat_statements on a second
// server.
//
// Workers: 1 to 8 processes of 8 slots each, and an owner that computes one item at a time itself,
// on items that sleep for 20 ms (`of_ideal`: the share of what so many slots could do), and on
// items that do nothing. And how long it takes until the item of a worker that was killed on
// another host runs elsewhere: `beyond_ttl`, in seconds, is what comes after the time that the
// worker had.
#include <chrono>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <libpq-fe.h>
#include <resumable/postgres_store.hpp>
#include <resumable/resumable.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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
  const Server* one = server<0>("max_connections = 200");
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

// ---- workers -----------------------------------------------------------------------------------

/// A process of its own, killed at the end.
class Child {
 public:
  template <class Body>
  explicit Child(const Body& body) : pid_(fork()) {
    must(pid_ >= 0);
    if (pid_ != 0) return;
    body();
    _exit(0);
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

 private:
  pid_t pid_;
};

using Visit = std::function<void(std::int64_t)>;

rs::Pipeline items(std::int64_t count, const Visit& visit) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  rs::Pipeline pipeline{"bench"};
  const auto numbers = pipeline.input("numbers", std::move(list));
  pipeline.stage("items", inputs(each(numbers)), [=](std::int64_t n) {
    visit(n);
    return n;
  });
  return pipeline;
}

std::unique_ptr<Child> worker(const Server& server, const rs::Pipeline& pipeline, unsigned slots,
                              std::chrono::milliseconds ttl) {
  return std::make_unique<Child>([&, slots, ttl] {
    rs::PostgresStore of{server.url()};
    static_cast<void>(rs::work(pipeline, of, {.slots = slots, .ttl = ttl}));
  });
}

void await_workers(const Server& server, std::size_t count) {
  const rs::PostgresStore of{server.url()};
  while (of.workers().size() < count) std::this_thread::sleep_for(std::chrono::milliseconds{5});
}

const Server* emptied(benchmark::State& state) {
  const Server* one = timed(state);
  if (one != nullptr) {
    one->sql("SET client_min_messages = warning; DROP SCHEMA IF EXISTS resumable CASCADE");
  }
  return one;
}

/// A run of so many items for each slot, with state.range(0) workers.
void shared_run(benchmark::State& state, std::int64_t each, std::chrono::milliseconds sleep) {
  constexpr unsigned slots = 8;
  const Server* one = emptied(state);
  if (one == nullptr) return;
  const std::int64_t all = state.range(0) * slots + 1;
  const rs::Pipeline pipeline = items(all * each, [=](std::int64_t) {
    if (sleep.count() > 0) std::this_thread::sleep_for(sleep);
  });
  std::vector<std::unique_ptr<Child>> workers;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    workers.push_back(worker(*one, pipeline, slots, std::chrono::seconds{15}));
  }
  await_workers(*one, workers.size());
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    rs::PostgresStore of{one->url()};
    must(static_cast<bool>(rs::resume(pipeline, of, {.run = "r", .share = true})));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  state.SetItemsProcessed(all * each);
  const std::chrono::duration<double> ideal = each * sleep;
  state.counters["of_ideal"] = ideal / took;
}

void sleeping(benchmark::State& state) { shared_run(state, 200, std::chrono::milliseconds{20}); }
void empty(benchmark::State& state) { shared_run(state, 200, {}); }

/// Two workers and an owner, each with one item. One worker is killed, where nobody sees its end.
void killed(benchmark::State& state) {
  constexpr std::chrono::milliseconds ttl{2'000};
  const Server* one = emptied(state);
  if (one == nullptr) return;
  const bench::Scratch scratch;
  const std::string log = scratch.path() / "log";
  const std::string dead = scratch.path() / "dead";
  const rs::Pipeline pipeline = items(3, [=](std::int64_t) {
    const std::string line = std::to_string(getpid()) + '\n';
    const int file = open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    must(write(file, line.data(), line.size()) > 0);
    close(file);
    while (access(dead.c_str(), F_OK) != 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  });
  const auto begun = [&] {
    std::ifstream file{log};
    std::vector<pid_t> pids;
    for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
    return pids;
  };
  const auto await_items = [&](std::size_t count) {
    while (begun().size() < count) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  };
  for (auto _ : state) {
    const auto first = worker(*one, pipeline, 1, ttl);
    const auto second = worker(*one, pipeline, 1, ttl);
    const Child owner{[&] {
      rs::PostgresStore of{one->url()};
      static_cast<void>(rs::resume(pipeline, of, {.run = "r", .share = true}));
    }};
    await_items(3);
    std::this_thread::sleep_for(std::chrono::seconds{3});  // the owner knows that they live
    one->sql("UPDATE resumable.workers SET boot = ''");
    kill(second->pid(), SIGKILL);
    const auto begin = std::chrono::steady_clock::now();
    bench::must(close(open(dead.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) == 0);
    await_items(4);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(took.count());
    state.counters["beyond_ttl"] = std::chrono::duration<double>{took - ttl}.count();
  }
}

}  // namespace

BENCHMARK(insert_loop)->Name("postgres/insert")->Arg(1)->Arg(16)->UseRealTime();
BENCHMARK(store)->Name("postgres/store")->Arg(1)->Arg(16)->UseRealTime();
BENCHMARK(nothing_to_do)
    ->Name("postgres/resume_10000")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(reads_all)->Name("postgres/read_10000")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(sleeping)
    ->Name("workers/sleeping")
    ->RangeMultiplier(2)
    ->Range(1, 8)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(empty)
    ->Name("workers/empty")
    ->RangeMultiplier(2)
    ->Range(1, 8)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(killed)
    ->Name("workers/killed")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
