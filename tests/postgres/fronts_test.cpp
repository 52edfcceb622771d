// A run that is shared through stores in front of a PostgresStore.
#ifdef RESUMABLE_WITH_FRONTS
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/server.hpp"
#include "resumable/manage.hpp"
#include "resumable/postgres_store.hpp"
#include "resumable/s3.hpp"
#include "resumable/work.hpp"
#include "resumable/zstd.hpp"
#include "run/run_support.hpp"
#include "s3/server.hpp"

namespace resumable::test {
namespace {

/// Lets the first two threads that come wait for each other, a minute at most.
class Meeting {
 public:
  void come() {
    std::unique_lock lock{guard_};
    here_.insert(std::this_thread::get_id());
    changed_.notify_all();
    const auto both = [&] { return here_.size() >= 2; };
    if (!changed_.wait_for(lock, std::chrono::minutes{1}, both)) std::abort();
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::set<std::thread::id> here_;
};

/// Does not compress to less than the limit of payloads in a record.
std::string noise(const std::string& seed) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += digest(seed + std::to_string(i)).hex();
  return text;
}

TEST(PostgresFronts, OwnerAndWorkerShareARunWithCompressedValuesInS3) {
  const PostgresServer* server = PostgresServer::shared();
  if (server == nullptr) GTEST_SKIP() << PostgresServer::missing;
  S3Server objects;
  static_cast<void>(objects.options());  // sets the credentials
  const auto open = [&] {
    return open_store("zstd+" + server->url() +
                          "&schema=fronts&payloads=s3://bucket/x&payloads_above=1KiB&s3_endpoint=" +
                          objects.endpoint(),
                      with_compression(with_s3_payloads({{"postgres", open_postgres_store},
                                                         {"postgresql", open_postgres_store}})),
                      CreateStore::if_absent);
  };
  Meeting meeting;
  Pipeline pipeline{"shared"};
  const auto names = pipeline.input("names", Strings{"a", "b", "c", "d", "e", "f"});
  const auto texts =
      pipeline.stage("texts", inputs(each(names)), [&](Context& ctx, const std::string& name) {
        const auto half = ctx.step("half", [&] { return Text{noise(name)}; });
        meeting.come();
        return Text{half.text + noise(name + name)};
      });
  const auto whole = pipeline.stage("whole", inputs(texts), [](const std::vector<Text>& all) {
    std::string text;
    for (const Text& one : all) text += one.text;
    return Text{text};
  });
  std::stop_source end;
  WorkReport done;
  std::thread worker{[&] {
    const auto store = open();
    done = work(pipeline, *store, {.slots = 1, .stop = end.get_token()});
  }};
  const auto store = open();
  const Report report = resume(pipeline, *store, {.run = "r", .concurrency = 1, .share = true});
  end.request_stop();
  worker.join();
  ASSERT_TRUE(report) << report.text();
  EXPECT_GE(done.committed, 1U);
  MemoryStore memory;
  const Report alone = resume(pipeline, memory, {.run = "r"});
  EXPECT_EQ(report[whole].text, alone[whole].text);
  EXPECT_THAT(objects.values(), ::testing::SizeIs(13)) << "6 items, 6 steps, and the whole";
  EXPECT_TRUE(verify_run(*store, "r").ok());
  EXPECT_THAT(store->remove_leftovers().removed, ::testing::IsEmpty());
  EXPECT_EQ(objects.refusals(), std::vector<std::string>{});
}

}  // namespace
}  // namespace resumable::test
#endif
