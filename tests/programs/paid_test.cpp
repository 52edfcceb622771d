// No program pays for an answer twice, however often it is killed, and whatever the server does.
#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>

#include "corpus/offline.hpp"
#include "corpus/pipeline.hpp"
#include "insights/clerk.hpp"
#include "insights/pipeline.hpp"
#include "insights/readings.hpp"
#include "memo/pipeline.hpp"
#include "model/quoting.hpp"
#include "research/pipeline.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "review/pipeline.hpp"
#include "support/child_process.hpp"
#include "support/fake_openai.hpp"
#include "support/paid_calls.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds at_once{1};

/// Replies as the program's own provider would.
template <class Offline>
std::string reply(const std::string& message) {
  const Json json = Json::parse(message);
  Offline provider;
  const std::string task = json.at("task").get<std::string>();
  return provider.ask({task, "", json.at("input").dump(), ""}, {}).json;
}

/// Replies as a model might to `research`: a role for each page, quotes, and the first of them.
std::string reply_to_research(const std::string& message) {
  const Json json = Json::parse(message);
  const Json& input = json.at("input");
  if (json.at("task") == "lead") {
    return Json{
        {"lead", {{{"text", input.at("statements").at(0).at("text")}, {"statements", {0}}}}}}
        .dump();
  }
  if (json.at("task") != "roles") return reply<model::QuotingProvider>(message);
  Json roles = Json::array();
  for (const Json& page : input.at("pages")) {
    roles.push_back({{"name", "reader"}, {"question", page.at("title")}, {"search", ""}});
  }
  return Json{{"roles", std::move(roles)}}.dump();
}

std::filesystem::path set(const char* folder) { return source_folder() / "examples/data" / folder; }

Report resume_in(const TempFolder& folder, const Pipeline& pipeline, Observer& watcher) {
  FileStore store{folder / "out"};
  return resume(pipeline, store, {.run = "r", .observers = {&watcher}});
}

Report memo_in(const TempFolder& folder, const std::string& provider, Observer& watcher) {
  memo::Settings given;
  given.request = memo::Request{"Aldermere", "direct", "consider"};
  given.deck = std::vector<std::string>{};
  given.sources = set("memo-aldermere").string();
  given.provider = provider;
  given.min_score = 0.0;
  given.calling.retry_first = at_once;
  return resume_in(folder, memo::MemoPipeline{given}.pipeline(), watcher);
}

Report research_in(const TempFolder& folder, const std::string& provider, Observer& watcher) {
  research::Settings given;
  given.batch = "b";
  given.created = "2026-01-01T00:00:00Z";
  given.topic = "";
  given.site = set("research-ferry").string();
  given.provider = provider;
  given.limits = research::Limits{};
  given.calling.retry_first = at_once;
  const research::ResearchPipeline session{given};
  return resume_in(folder, session.pipeline(), watcher);
}

Report corpus_in(const TempFolder& folder, const std::string& provider, Observer& watcher) {
  const auto outline = folder / "outline.json";
  write_file(outline, R"({"domains":[
    {"label":"Water","microthesauri":[{"label":"Weirs","concepts":["weir","mill race"]},
                                      {"label":"Wells","concepts":["well"]}]},
    {"label":"Trade","microthesauri":[{"label":"Markets","concepts":["market"]},
                                      {"label":"Guilds","concepts":["guild","master"]}]}]})");
  corpus::Settings given;
  given.outline = outline;
  given.section_words = 20;
  given.start_time = "2026-01-01T00:00:00Z";
  given.provider = provider;
  given.retry_first = at_once;
  const corpus::CorpusPipeline city{given};
  return resume_in(folder, city.pipeline(), watcher);
}

Report insights_in(const TempFolder& folder, const std::string& provider, Observer& watcher) {
  insights::Request request;
  request.system_id = "Seattle";
  request.context_window_days = 31;
  request.provider = provider;
  const insights::InsightsPipeline job{
      insights::Given{request, insights::load_readings(set("insights"), "Seattle", 31)},
      {.retry_first = at_once},
      {}};
  return resume_in(folder, job.pipeline(), watcher);
}

/// A user reads both files, and changes nothing.
Report review_in(const TempFolder& folder, const std::string& provider, Observer& watcher) {
  review::Settings given;
  given.sources = set("review-hall").string();
  for (const auto& file : std::filesystem::directory_iterator{set("review-hall")}) {
    given.files.push_back(file.path().filename().string());
  }
  given.title = "Hall";
  given.provider = provider;
  given.calling.retry_first = at_once;
  const review::ReviewPipeline report{given};
  for (;;) {
    Report asked = resume_in(folder, report.pipeline(), watcher);
    if (asked.outcome() != Outcome::waiting) return asked;
    FileStore store{folder / "out"};
    for (const auto& file : review::reviews) {
      const bool waits = asked.stage(file.gate).outcome == StageOutcome::waiting;
      if (waits) approve(report.pipeline(), store, "r", file.gate, "reader");
    }
  }
}

struct Asker {
  std::string name;
  Report (*run)(const TempFolder&, const std::string& provider, Observer&);
  Responder reply;

  friend void PrintTo(const Asker& asker, std::ostream* out) { *out << asker.name; }
};

class PaidBy : public ::testing::TestWithParam<Asker> {
 protected:
  /// The program in a folder of its own.
  [[nodiscard]] static Asking in(const TempFolder& folder) {
    return [&folder](const std::string& base_url, Observer& watcher) {
      return GetParam().run(folder, "openai:m@" + base_url, watcher).exit_code();
    };
  }
  [[nodiscard]] static Paid undisturbed() {
    const TempFolder folder;
    Paid paid = ask_undisturbed(GetParam().reply, in(folder));
    EXPECT_EQ(paid.exit_code, 0);
    EXPECT_GT(paid.answers.size(), 5U);
    for (const auto& [question, times] : paid.answers) EXPECT_EQ(times, 1) << question;
    return paid;
  }

  TempFolder folder_;
};

TEST_P(PaidBy, NothingIsAskedAgainAfterAKillBeforeEachAnswer) {
  const Paid whole = undisturbed();
  const Paid paid = ask_killed_before_answers(GetParam().reply, in(folder_));
  EXPECT_EQ(paid.exit_code, 0);
  EXPECT_EQ(paid.kills, static_cast<int>(whole.requests));
  EXPECT_EQ(paid.answers, whole.answers) << "each once";
  EXPECT_EQ(paid.requests, 2 * whole.requests) << "and once without an answer";
}

TEST_P(PaidBy, NothingIsAskedAgainAfterAKillAtTheCommitOfEachAnswer) {
  const Paid whole = undisturbed();
  const Paid paid = ask_killed_after_answers(GetParam().reply, in(folder_));
  EXPECT_EQ(paid.exit_code, 0);
  EXPECT_EQ(paid.kills, static_cast<int>(whole.requests));
  EXPECT_EQ(paid.answers, whole.answers) << "each once";
  EXPECT_EQ(paid.requests, whole.requests);
}

TEST_P(PaidBy, AnyFaultEveryOtherTimeIsSurvived) {
  const Paid whole = undisturbed();
  const std::map<std::string, Act> faults{{"429", status(429)},
                                          {"429, Retry-After", status(429, "0")},
                                          {"500", status(500)},
                                          {"dropped", drop()},
                                          {"a page of a proxy", status(502, "", "<html>")}};
  for (const auto& [name, fault] : faults) {
    const TempFolder folder;
    const Paid paid = ask_disturbed(GetParam().reply, fault, in(folder));
    EXPECT_EQ(paid.exit_code, 0) << name;
    EXPECT_EQ(paid.answers, whole.answers) << name;
    EXPECT_EQ(paid.requests, 2 * whole.requests) << name;
  }
}

TEST_P(PaidBy, JsonInAFenceWithWordsAroundItIsAnAnswer) {
  const Paid whole = undisturbed();
  const auto fenced = [](const std::string& message) {
    return "Certainly!\n```json\n" + GetParam().reply(message) + "\n```\nAnything else?";
  };
  const Paid paid = ask_undisturbed(fenced, in(folder_));
  EXPECT_EQ(paid.exit_code, 0);
  EXPECT_EQ(paid.requests, whole.requests);
}

using Count = std::atomic<int>;

/// In memory that the server's process and the program's share.
std::unique_ptr<Count, void (*)(Count*)> shared_count() {
  void* page =
      ::mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error{"no memory to share"};
  return {new (page) Count{0}, [](Count* count) { ::munmap(count, sizeof(Count)); }};
}

/// Kills its process where something is about to be tried again after an answer.
class AtRetry final : public Observer {
 public:
  explicit AtRetry(const Count& answers) : answers_(answers), before_(answers) {}

  void on_event(const Event& event) override {
    if (event.kind == EventKind::retried && answers_ > before_) static_cast<void>(::raise(SIGKILL));
  }

 private:
  const Count& answers_;
  int before_;
};

/// Those that cannot use any reply.
class ToldBy : public PaidBy {};

TEST_P(ToldBy, WhatWasWrongWithAnAnswerIsToldAlsoAfterAKill) {
  const Paid whole = undisturbed();
  const auto answers = shared_count();
  const FakeOpenAi* asked = nullptr;
  const FakeOpenAi server{[&](const std::string& message) {
    ++*answers;
    const std::string request = asked->bodies().back();
    const bool is_told = request.find("Your last answer could not be used") != request.npos;
    return is_told ? GetParam().reply(message) : std::string{"Certainly! Here it is."};
  }};
  asked = &server;
  Ended ended;
  std::size_t kills = 0;
  for (; kills <= whole.requests; ++kills) {
    ChildProcess child{[&] {
      AtRetry watcher{*answers};
      return in(folder_)(server.base_url(), watcher);
    }};
    ended = child.wait();
    if (ended.signal == 0) break;
  }
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(kills, whole.requests);
  EXPECT_EQ(server.requests(), 2 * whole.requests) << "each once without being told, and once told";
}

INSTANTIATE_TEST_SUITE_P(Programs, ToldBy,
                         ::testing::Values(Asker{"memo", memo_in, reply<model::QuotingProvider>},
                                           Asker{"research", research_in, reply_to_research},
                                           Asker{"corpus", corpus_in,
                                                 reply<corpus::OfflineWriter>}),
                         [](const auto& asker) { return asker.param.name; });

INSTANTIATE_TEST_SUITE_P(Programs, PaidBy,
                         ::testing::Values(Asker{"memo", memo_in, reply<model::QuotingProvider>},
                                           Asker{"research", research_in, reply_to_research},
                                           Asker{"corpus", corpus_in, reply<corpus::OfflineWriter>},
                                           Asker{"review", review_in,
                                                 reply<model::QuotingProvider>},
                                           Asker{"insights", insights_in, reply<insights::Clerk>}),
                         [](const auto& asker) { return asker.param.name; });

}  // namespace
}  // namespace resumable::test
