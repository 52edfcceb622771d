// What is PostgreSQL's own about the store: its URL, schema, messages, joined commits.
#include "resumable/postgres_store.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/server.hpp"
#include "postgres/target.hpp"
#include "resumable/error.hpp"
#include "resumable/open_store.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "support/child_process.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using ::testing::AllOf;
using testing::code_of;
using testing::commit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::payload;
using testing::scan;

constexpr const char* secret = "tr0ub4dor&3";
constexpr const char* secret_in_url = "tr0ub4dor%263";

/// What a call throws, as a user reads it.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.explain();
  }
  return "no error";
}

class PostgresStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (server_ == nullptr) GTEST_SKIP() << PostgresServer::missing;
    schema_ = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    schema_.resize(std::min<std::size_t>(schema_.size(), 48));
  }
  [[nodiscard]] PostgresStoreOptions options() const { return {.schema = schema_}; }
  std::string sql(const std::string& statements) const {
    return server_->sql("SET search_path TO \"" + schema_ + "\"; " + statements);
  }

  const PostgresServer* server_ = PostgresServer::shared();
  std::string schema_;
};

// ---- URLs and messages
// ---------------------------------------------------------------------------

TEST(PostgresUrl, IsShownWithoutItsPassword) {
  const auto shown = [](const char* url) { return PostgresStore{url}.url(); };
  EXPECT_EQ(shown("postgres://ann:hidden@db.example:5433/runs"),
            "postgres://ann@db.example:5433/runs");
  EXPECT_EQ(shown("postgresql://ann@/runs?host=/var/run&password=hidden&sslpassword=hidden"),
            "postgres://ann@/runs?host=/var/run");
  EXPECT_EQ(shown("host=db user=ann password=hidden dbname=runs"), "postgres://ann@db/runs");
  EXPECT_EQ(without_password("postgres://ann:hid@den@db/runs?sslmode=require"),
            "postgres://ann@db/runs?sslmode=require");
  EXPECT_EQ(without_password("postgres://db/runs?password=hidden&user=ann"),
            "postgres://db/runs?password=&user=ann");
  EXPECT_EQ(without_password("sqlite:runs@home:1.db"), "sqlite:runs@home:1.db");
}

TEST(PostgresUrl, ThatCannotBeReadIsRefusedWithoutItsPassword) {
  for (const std::string url :
       {"postgres://ann:hidden@[db/runs", "postgres://ann:x/y?hidden=1@db/runs",
        "postgres://ann:hid%zzden@db", "host=db password='hidden", "hidden"}) {
    const std::string text = message_of([&] { static_cast<void>(open_postgres_store(url)); });
    EXPECT_THAT(text, AllOf(HasSubstr("not one of a PostgreSQL database"), Not(HasSubstr("hid"))))
        << url;
  }
  const std::string unknown =
      message_of([] { static_cast<void>(open_store("postgres://ann:hidden@db/runs")); });
  EXPECT_THAT(unknown, AllOf(HasSubstr("knows no stores of the kind 'postgres:'"),
                             Not(HasSubstr("hidden"))));
}

TEST(PostgresUrl, NamesTheParameterThatDoesNotExist) {
  const auto of = [](const std::string& url) {
    return message_of([&] { static_cast<void>(open_postgres_store(url)); });
  };
  EXPECT_THAT(of("postgres://ann:hidden@db/runs?host=/run&shema=a&ttl=3"),
              AllOf(HasSubstr("the parameter 'shema'"), HasSubstr("schema, ttl and timeout"),
                    Not(HasSubstr("hid"))));
  EXPECT_THAT(of("postgres://ann:hid?den@db/runs?tt=3"),
              AllOf(HasSubstr("the parameter 'tt'"), Not(HasSubstr("den"))));
  EXPECT_THAT(of("postgresql:///runs?nonsense"), HasSubstr("the parameter 'nonsense'"));
}

TEST(PostgresUrl, MayHaveAQuestionMarkInAPassword) {
  PostgresStoreOptions options;
  const std::string url = "postgres://ann:a?schema=b@db/runs";
  EXPECT_EQ(postgres::take_options(url + "?schema=c", options), url);
  EXPECT_EQ(options.schema, "c");
}

TEST(PostgresUrl, OptionsOutOfRangeAreRefused) {
  const auto open = [](const std::string& query) {
    return code_of([&] { static_cast<void>(open_postgres_store("postgres://db/runs?" + query)); });
  };
  EXPECT_EQ(open("schema="), Errc::bad_option);
  EXPECT_EQ(open("schema=a\";DROP"), Errc::bad_option);
  EXPECT_EQ(open("schema=" + std::string(49, 'a')), Errc::bad_option);
  EXPECT_EQ(open("ttl=0.5"), Errc::bad_option);
  EXPECT_EQ(open("ttl=soon"), Errc::bad_option);
  EXPECT_EQ(open("timeout=0"), Errc::bad_option);
  EXPECT_EQ(open("timeout=nan"), Errc::bad_option);
}

TEST_F(PostgresStoreTest, AServerThatRefusesIsReportedAndThePasswordIsInNoMessage) {
  sql(std::string{"CREATE ROLE secret LOGIN PASSWORD '"} + secret + '\'');
  server_->sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  const auto read = [&](const std::string& url) {
    const std::string text =
        message_of([&] { static_cast<void>(scan(PostgresStore{url}, "run")); });
    EXPECT_THAT(text, AllOf(Not(HasSubstr(secret)), Not(HasSubstr(secret_in_url)),
                            Not(HasSubstr("wrong-one"))));
    return text;
  };
  EXPECT_THAT(read(server_->url_of("secret", "wrong-one")),
              AllOf(HasSubstr("password authentication failed"), HasSubstr("check the password")));
  EXPECT_THAT(read(server_->url_of("secret", "")),
              AllOf(HasSubstr("no password was given"), HasSubstr("PGPASSWORD")));
  EXPECT_THAT(read(server_->url_of("secret", secret_in_url, "nowhere")),
              AllOf(HasSubstr("\"nowhere\" does not exist"), HasSubstr("createdb")));
  EXPECT_THAT(read(server_->url_of("nobody", secret_in_url)),
              AllOf(HasSubstr("\"nobody\" does not exist"), HasSubstr("pg_hba.conf")));
  EXPECT_THAT(read(server_->url_of("secret", secret_in_url, "latin")),
              AllOf(HasSubstr("has the encoding LATIN1"), HasSubstr("createdb -E UTF8")));
  EXPECT_THAT(read("postgres://ann:" + std::string{secret_in_url} + "@/db?host=/nowhere"),
              AllOf(HasSubstr("/nowhere"), HasSubstr("give the same command again"),
                    HasSubstr("timeout=SECONDS")));
  sql("ALTER ROLE secret SET default_transaction_read_only = on");
  EXPECT_THAT(read(server_->url_of("secret", secret_in_url)),
              AllOf(HasSubstr("read-only"), HasSubstr("name the primary server")));
  sql("ALTER ROLE secret RESET default_transaction_read_only");
  PostgresStore store{server_->url_of("secret", secret_in_url), options()};
  EXPECT_THAT(message_of([&] { static_cast<void>(store.lease("run")); }),
              AllOf(HasSubstr("permission denied"), HasSubstr("the right to use")));
}

TEST_F(PostgresStoreTest, NewerAndForeignTablesAreLeftAlone) {
  sql("CREATE SCHEMA \"" + schema_ + "\"; CREATE TABLE \"" + schema_ + "\".runs(own text)");
  PostgresStore store{server_->url(), options()};
  EXPECT_THAT(scan(store, "run"), IsEmpty());
  EXPECT_EQ(code_of([&] { static_cast<void>(store.lease("run")); }), Errc::foreign);
  EXPECT_EQ(sql("SELECT count(*) FROM runs"), "0");
  sql("DROP TABLE runs");
  commit(*store.lease("run"), "draft", 1, "x");
  sql("UPDATE version SET version = version + 1");
  PostgresStore again{server_->url(), options()};
  const std::string text = message_of([&] { static_cast<void>(scan(again, "run")); });
  EXPECT_THAT(text, AllOf(HasSubstr("have the version 3"), HasSubstr("up to 2"),
                          HasSubstr("use a newer program")));
  EXPECT_EQ(code_of([&] { static_cast<void>(again.lease("run")); }), Errc::newer);
}

TEST_F(PostgresStoreTest, IsOpenedByItsUrlAndCreatedOnlyIfItMayBe) {
  const std::string url = server_->url() + "&schema=" + schema_ + "&ttl=5&timeout=5";
  const StoreFactories factories{{"postgres", open_postgres_store}};
  EXPECT_EQ(code_of([&] { static_cast<void>(open_store(url, factories)); }), Errc::bad_option);
  const PostgresStoreOptions never{.schema = schema_, .create = CreateStore::never};
  PostgresStore closed{server_->url(), never};
  EXPECT_EQ(code_of([&] { static_cast<void>(closed.lease("run")); }), Errc::store_failed);
  EXPECT_EQ(sql("SELECT count(*) FROM pg_namespace WHERE nspname = '" + schema_ + '\''), "0");
  const auto store = open_store(url, factories, CreateStore::if_absent);
  commit(*store->lease("run"), "draft", 1, "x");
  EXPECT_EQ(payload(*open_store(url, factories), "run", {"draft", 1}), "x");
  EXPECT_EQ(store->url(), server_->url() + "&schema=" + schema_);
}

TEST_F(PostgresStoreTest, TheStatementsForOperatorsWork) {
  PostgresStore store{server_->url()};
  Pipeline pipeline{"p"};
  pipeline.stage("draft", [] { return Text{"x"}; });
  ASSERT_TRUE(resume(pipeline, store, {.run = "a"}));
  const auto lease = store.lease("a");
  const std::string page = read_file(RESUMABLE_SOURCE_DIR "/docs/distributed.md");
  constexpr std::string_view begin = "```sql\n";
  int blocks = 0;
  for (std::size_t at = 0; (at = page.find(begin, at)) != page.npos; ++blocks) {
    at += begin.size();
    const std::string statements = page.substr(at, page.find("```", at) - at);
    EXPECT_NO_THROW(server_->sql(statements)) << statements;
    if (blocks == 0) {
      EXPECT_THAT(server_->sql(statements), HasSubstr("a|")) << "it is owned";
    }
  }
  EXPECT_EQ(blocks, 7);
}

TEST_F(PostgresStoreTest, SeveralProcessesMakeTheTablesAtOnce) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&, i] {
      PostgresStore store{server_->url(), options()};
      commit(*store.lease("run-" + std::to_string(i)), "draft", 1, "x");
      return 0;
    }));
  }
  for (const auto& child : children) EXPECT_EQ(child->wait(), (Ended{0, 0}));
  EXPECT_EQ(sql("SELECT count(*) FROM runs"), "4");
  EXPECT_EQ(sql("SELECT count(*) FROM version"), "1");
}

TEST_F(PostgresStoreTest, SettingsThatLoseCommitsAreReported) {
  EXPECT_THAT((PostgresStore{server_->url(), options()}.warnings()),
              ElementsAre(HasSubstr("fsync = off")));
  sql("CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET synchronous_commit = off");
  PostgresStore store{server_->url_of("hasty", ""), options()};
  commit(*store.lease("run"), "draft", 1, "x");
  // The store has set it for its own sessions: a commit that was not flushed would be later here.
  EXPECT_EQ(sql("SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() - 8192"), "t");
}

// ---- records
// -------------------------------------------------------------------------------------

TEST_F(PostgresStoreTest, ResumesAPipeline) {
  std::atomic<int> calls{0};
  Pipeline pipeline{"memo"};
  const auto topics = pipeline.input("topics", std::vector<std::string>{"team", "risks"});
  const auto sections =
      pipeline.stage("sections", inputs(each(topics)), [&](const std::string& topic) {
        ++calls;
        return topic + "!";
      });
  pipeline.stage("memo", inputs(sections),
                 [](const std::vector<std::string>& all) { return static_cast<int>(all.size()); });
  for (int call = 0; call < 2; ++call) {
    PostgresStore store{server_->url(), options()};
    ASSERT_TRUE(resume(pipeline, store, {.run = "a"}));
    EXPECT_EQ(calls, 2);
  }
  EXPECT_EQ(sql("SELECT run || ' ' || (records > 3) || ' ' || (until IS NULL) FROM run_list"),
            "a true true");
}

TEST_F(PostgresStoreTest, ThreadsAndRunsShareStatements) {
  PostgresStore store{server_->url(), options()};
  constexpr int threads = 8;
  constexpr int each = 60;
  std::vector<std::unique_ptr<Lease>> leases;
  leases.push_back(store.lease("a"));
  leases.push_back(store.lease("b"));
  // Of several that share a statement, one that is refused does not affect the others.
  commit(*leases[0], "taken", 1, "first");
  std::atomic<int> refused{0};
  std::vector<std::thread> writers;
  for (int t = 0; t < threads; ++t) {
    writers.emplace_back([&, t] {
      Lease& lease = *leases[static_cast<std::size_t>(t % 2)];
      for (int i = 0; i < each; ++i) {
        commit(lease, "t" + std::to_string(t) + '/' + std::to_string(i), 1, "x");
        if (t == 0 && code_of([&] { commit(lease, "taken", 1, "again"); }) == Errc::fenced) {
          ++refused;
        }
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(refused, each);
  EXPECT_EQ(scan(store, "a").size(), std::size_t{each * threads / 2 + 1});
  EXPECT_EQ(scan(store, "b").size(), std::size_t{each * threads / 2});
  EXPECT_EQ(payload(store, "a", {"taken", 1}), "first");
  EXPECT_EQ(leases[1]->durable(), Ticket{each * threads / 2});
}

TEST_F(PostgresStoreTest, ManyLargeValuesAreReadWithoutHoldingAllInOneAnswer) {
  PostgresStore store{server_->url(), options()};
  const auto lease = store.lease("run");
  std::vector<std::string> paths;
  std::vector<RecordId> ids;
  for (int i = 0; i < 4; ++i) paths.push_back("large/" + std::to_string(i));
  for (const std::string& path : paths) {
    commit(*lease, path, 1, path + std::string(std::size_t{7} << 20U, 'x'));
    ids.push_back({path, 1});
  }
  std::size_t visits = 0;
  store.get_many("run", ids, [&](const Fetched& one) {
    ++visits;
    EXPECT_TRUE(read_all(*one.record->payload).starts_with(paths.at(one.index)));
    return true;
  });
  EXPECT_EQ(visits, 4U);
}

TEST_F(PostgresStoreTest, ARowThatSomebodyChangedIsDamaged) {
  PostgresStore store{server_->url(), options()};
  commit(*store.lease("run"), "a", 1, "x");
  commit(*store.lease("run"), "b", 1, "x");
  sql("UPDATE records SET tag = '\\x00' WHERE path = 'a'");
  sql("UPDATE records SET payload = '\\x0000' WHERE path = 'b'");
  EXPECT_THAT(scan(store, "run"), ElementsAre("a.1!", "b.1"));
  EXPECT_EQ(code_of([&] { static_cast<void>(store.get("run", {"a", 1})); }), Errc::damaged);
  EXPECT_EQ(code_of([&] { static_cast<void>(store.get("run", {"b", 1})); }), Errc::damaged);
  const std::vector<RecordId> ids{{"a", 1}, {"b", 1}};
  int damaged = 0;
  store.get_many("run", ids, [&](const Fetched& one) {
    if (one.error && one.error->errc() == Errc::damaged) ++damaged;
    return true;
  });
  EXPECT_EQ(damaged, 2);
}

TEST_F(PostgresStoreTest, ALeaseThatWasTakenAwayWritesNoMore) {
  PostgresStore store{server_->url(), options()};
  const auto lease = store.lease("run");
  sql("UPDATE runs SET fence = fence + 1");
  EXPECT_EQ(code_of([&] { commit(*lease, "a", 1, "x"); }), Errc::fenced);
  EXPECT_EQ(code_of([&] { lease->manifest("{}"); }), Errc::fenced);
  EXPECT_THAT(scan(store, "run"), IsEmpty());
}

TEST_F(PostgresStoreTest, ALeaseOfAnotherHostLastsUntilItsTimeIsOver) {
  PostgresStore store{server_->url(), options()};
  {
    const auto lease = store.lease("run");
    commit(*lease, "draft", 1, "x");
  }
  sql("UPDATE runs SET boot = 'elsewhere', host = 'far', until = clock_timestamp() +"
      " interval '1 hour'");
  EXPECT_THAT(message_of([&] { static_cast<void>(store.lease("run")); }), HasSubstr("on far"));
  EXPECT_TRUE(store.owner("run"));
  sql("UPDATE runs SET until = clock_timestamp() - interval '1 second'");
  EXPECT_FALSE(store.owner("run"));
  EXPECT_NE(store.lease("run"), nullptr);
}

TEST_F(PostgresStoreTest, AnEraseInABatchThatPutsTheSameRecordErasesIt) {
  PostgresStore store{server_->url(), options()};
  const auto lease = store.lease("run");
  testing::Puts batch(2);
  batch.add("a", 1, "x");
  batch.add("b", 1, "x");
  const RecordId a{"a", 1};
  lease->commit({.puts = batch.all(), .erases = {&a, 1}});
  EXPECT_THAT(scan(store, "run"), ElementsAre("b.1"));
}

}  // namespace
}  // namespace resumable::test
