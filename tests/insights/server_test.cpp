// insights serve: a process of its own, asked by a real HTTP client.
#include <csignal>
#include <future>

#include <httplib.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::ChildProcess;
using resumable::test::Ended;
using resumable::test::FakeOpenAi;
using resumable::test::hang;
using ::testing::HasSubstr;

/// A server process; its port is read from the line that it prints.
class Serving {
 public:
  Serving(const std::filesystem::path& out, const Words& more) {
    Words words{(resumable::test::program_folder() / "insights").string(),
                "serve",
                "--port",
                "0",
                "--data",
                data_folder().string(),
                "--out",
                out.string()};
    words.insert(words.end(), more.begin(), more.end());
    int ends[2];
    if (::pipe(ends) < 0) throw std::runtime_error("pipe");
    child_ = std::make_unique<ChildProcess>([=] {
      std::vector<char*> argv;
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execv(argv.front(), argv.data());
      return 98;
    });
    ::close(ends[1]);
    std::string line;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(ends[0]);
    const std::string begin = "listening on http://127.0.0.1:";
    if (!line.starts_with(begin)) throw std::runtime_error("it said: " + line);
    port_ = std::stoi(line.substr(begin.size()));
  }

  struct Answer {
    int status = 0;  ///< 0: none came
    Json json;
    std::string location;
  };
  [[nodiscard]] Answer post(const std::string& body, const char* type = "application/json") const {
    return answer(client().Post("/insights", body, type));
  }
  [[nodiscard]] Answer resume(const std::string& job) const {
    return post(Json{{"resumeJobId", job}}.dump());
  }
  [[nodiscard]] Answer get(const std::string& path) const {
    return answer(client().Get(path.c_str()));
  }
  [[nodiscard]] ChildProcess& child() const { return *child_; }

 private:
  [[nodiscard]] httplib::Client client() const {
    httplib::Client client{"127.0.0.1", port_};
    client.set_read_timeout(120);
    return client;
  }
  static Answer answer(const httplib::Result& result) {
    if (!result) return {};
    return {result->status, Json::parse(result->body, nullptr, false),
            result->get_header_value("Location")};
  }

  std::unique_ptr<ChildProcess> child_;
  int port_ = 0;
};

class InsightsServer : public InsightsTest {
 protected:
  [[nodiscard]] Serving serve(const Words& more = {}) const { return {folder / "out", more}; }
  [[nodiscard]] std::string newest_job() const {
    const std::string all = insights({"list", "--json"}).out;
    return Json::parse(all.substr(0, all.find('\n'))).at("jobId");
  }
};

TEST_F(InsightsServer, AnswersARequestAndGivesTheAnswerAgain) {
  const Serving server = serve();
  const auto answer = server.post(december_request().dump());
  ASSERT_EQ(answer.status, 200) << answer.json;
  EXPECT_EQ(answer.json.at("insights"), uninterrupted());
  const std::string job = answer.json.at("metadata").at("jobId");
  EXPECT_EQ(answer.location, "/insights/" + job);
  const auto again = server.get(answer.location);
  EXPECT_EQ(again.status, 200);
  EXPECT_TRUE(again.json.at("metadata").at("cached"));
  EXPECT_EQ(again.json.at("insights"), answer.json.at("insights"));
}

TEST_F(InsightsServer, OutOfTimeIs408WithAJobThatCanBeResumed) {
  FakeOpenAi model{clerk_reply, answers_then(2, hang())};
  const Serving server =
      serve({"--provider", provider(model), "--budget", "3s", "--reserve", "2s"});
  const auto late = server.post(december_request().dump());
  ASSERT_EQ(late.status, 408) << late.json;
  EXPECT_EQ(late.json.at("error"), "insights_timeout");
  const Json& details = late.json.at("details");
  EXPECT_TRUE(details.at("canResume"));
  const std::string job = details.at("jobId");
  const auto state = server.get("/insights/" + job);
  EXPECT_EQ(state.status, 202);
  EXPECT_EQ(state.json.at("turns"), 2);
  auto done = server.resume(job);
  while (done.status == 408) done = server.resume(job);  // a slow machine
  ASSERT_EQ(done.status, 200) << done.json;
  EXPECT_TRUE(done.json.at("metadata").at("wasResumed"));
  EXPECT_EQ(done.json.at("insights"), uninterrupted());
}

TEST_F(InsightsServer, KilledItsJobContinuesAtANewOne) {
  const Json whole = uninterrupted();
  FakeOpenAi model{clerk_reply, answers_then(6, hang())};
  std::string job;
  {
    const Serving server = serve({"--provider", provider(model)});
    auto lost = std::async(std::launch::async,
                           [&] { return server.post(december_request().dump()).status; });
    model.wait_for_requests(7);
    job = newest_job();
    server.child().kill(SIGKILL);
    EXPECT_EQ(server.child().wait(), (Ended{-1, SIGKILL}));
    EXPECT_EQ(lost.get(), 0) << "the client has no answer";
  }
  const Serving server = serve();
  const auto state = server.get("/insights/" + job);
  EXPECT_EQ(state.status, 202);
  EXPECT_EQ(state.json.at("turns"), 6);
  const auto answer = server.resume(job);
  ASSERT_EQ(answer.status, 200) << answer.json;
  EXPECT_EQ(answer.json.at("insights"), whole);
  EXPECT_EQ(model.requests(), 1U + turns) << "no turn that was answered is asked for again";
}

TEST_F(InsightsServer, OneWorksOnAJobAndOthersAreTold) {
  FakeOpenAi model{clerk_reply, answers_then(2, hang())};
  const Serving server = serve({"--provider", provider(model)});
  auto first =
      std::async(std::launch::async, [&] { return server.post(december_request().dump()).status; });
  model.wait_for_requests(3);
  const std::string job = newest_job();
  const auto busy = server.resume(job);
  EXPECT_EQ(busy.status, 409);
  EXPECT_EQ(busy.json.at("error"), "insights_busy");
  EXPECT_TRUE(server.get("/insights/" + job).json.contains("owner"));
  server.child().kill(SIGTERM);
  EXPECT_EQ(first.get(), 503) << "it is told before the server ends";
  EXPECT_EQ(server.child().wait(), (Ended{0, 0}));
  EXPECT_EQ(go_on(job).code, 0) << "and the turns are saved";
}

TEST_F(InsightsServer, RefusesWhatIsNoRequest) {
  const Serving server = serve();
  EXPECT_EQ(server.post("nonsense").status, 400);
  EXPECT_EQ(server.post(R"({"systemId":"Oslo"})").status, 400);
  EXPECT_THAT(server.post(R"({"systemId":"Oslo"})").json.at("message").get<std::string>(),
              HasSubstr("New York, Seattle"));
  EXPECT_EQ(server.resume("nobody").status, 404);
  EXPECT_EQ(server.resume("../out").status, 400);
  EXPECT_EQ(server.get("/insights/nobody").status, 404);
  EXPECT_EQ(server.get("/insights/..").status, 400);
  EXPECT_EQ(server.get("/").status, 404);
  EXPECT_EQ(server.post(december_request().dump(), "text/plain").status, 415)
      << "what a page of another site can send";
  EXPECT_EQ(server.post(std::string(2'000'000, ' ')).status, 413);
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "nothing was written";
}

}  // namespace
}  // namespace insights::testing
