// The history of sessions as a page and as JSON, and its button, by a client.
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "research/history_server.hpp"
#include "research/research_run.hpp"

namespace research::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class History : public ResearchTest {
 protected:
  httplib::Client client(const HistoryServer& history) const {
    return httplib::Client{history.url()};
  }
  static std::string resume_path() { return "/api/history/" + std::string{batch} + "/resume"; }
};

TEST_F(History, ResumeContinuesTheSameSessionAndItsReportIsTheSame) {
  ASSERT_EQ(run_until_saved("phase3", "step-2"), killed);
  const HistoryServer history{{.out = out().string()}, {}};
  const auto list = client(history).Get("/api/history");
  ASSERT_TRUE(list);
  EXPECT_EQ(Json::parse(list->body), Json::parse(research({"list", "--json"}).out));
  const auto answer = client(history).Post(resume_path());
  EXPECT_EQ(answer->status, 202) << answer->body;
  EXPECT_EQ(Json::parse(answer->body).at("session_id"), batch);
  history.wait();
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), uninterrupted());
  EXPECT_TRUE(std::filesystem::exists(view()));
  expect_every_page_fetched_once();

  const auto again = client(history).Post(resume_path());
  EXPECT_EQ(again->status, 200) << "finished";
  EXPECT_EQ(client(history).Get("/sessions/" + std::string{batch} + "/report")->body,
            uninterrupted());
}

TEST_F(History, TheButtonOfThePageContinuesAndLeadsBack) {
  ASSERT_EQ(run_until_saved("phase1"), killed);
  const HistoryServer history{{.out = out().string()}, {}};
  const std::string before = client(history).Get("/")->body;
  const std::string action = "/history/" + std::string{batch} + "/resume";
  EXPECT_THAT(before, HasSubstr("<form method=\"post\" action=\"" + action + "\"><button"));
  EXPECT_THAT(before, HasSubstr(">Continue</button>"));
  EXPECT_THAT(before, Not(HasSubstr("<script")));
  const auto pressed = client(history).Post(action);
  EXPECT_EQ(pressed->status, 303);
  EXPECT_EQ(pressed->get_header_value("Location"), "/");
  history.wait();
  const std::string after = client(history).Get("/")->body;
  EXPECT_THAT(after, HasSubstr("completed"));
  EXPECT_THAT(after, HasSubstr("/sessions/" + std::string{batch} + "/report\">Report"));
  EXPECT_THAT(after, Not(HasSubstr("<button")));
}

TEST_F(History, AnUnknownBatchIsNotFoundAndNothingIsMade) {
  const HistoryServer history{{.out = out().string()}, {}};
  for (const char* path : {"/api/history/nobody/resume", "/api/history/..%2Fx/resume"}) {
    const auto answer = client(history).Post(path);
    EXPECT_EQ(answer->status, 404) << path << answer->body;
  }
  EXPECT_EQ(client(history).Get("/sessions/nobody/report")->status, 404);
  EXPECT_EQ(client(history).Get("/nothing")->status, 404);
  EXPECT_EQ(client(history).Get("/favicon.ico")->status, 204) << "browsers ask for it";
  EXPECT_THAT(client(history).Get("/")->body, HasSubstr("There are no sessions yet"));
  EXPECT_THAT(sessions(), ElementsAre());
}

TEST_F(History, ADamagedSessionIsRefusedWithWhatToDo) {
  ASSERT_EQ(begin().code, 0);
  resumable::test::write_file(out() / batch / ".resumable/checkpoints/phase1.1.ckpt", "torn");
  const HistoryServer history{{.out = out().string()}, {}};
  const auto answer = client(history).Post(resume_path());
  EXPECT_EQ(answer->status, 409);
  EXPECT_THAT(Json::parse(answer->body).at("error").get<std::string>(), HasSubstr("damaged"));
  EXPECT_THAT(Json::parse(answer->body).at("next").get<std::string>(),
              HasSubstr("research resume " + std::string{batch}));
}

TEST_F(History, WhyASessionFailedIsOnThePageAndItsNameIsEscaped) {
  ASSERT_EQ(research({"continue", "a&b", "--site", server.url(), "--topic", "<xylophone>"}).code,
            1);
  const HistoryServer history{{.out = out().string()}, {}};
  EXPECT_EQ(client(history).Post("/api/history/a%26b/resume")->status, 202);
  history.wait();
  const std::string page = client(history).Get("/")->body;
  EXPECT_THAT(page, HasSubstr("none has a word of '&lt;xylophone&gt;'"));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">a&amp;b</th>"));
  EXPECT_THAT(page, HasSubstr("/history/a%26b/resume"));
}

TEST_F(History, OtherHostsAndPagesOfOtherSitesAreRefused) {
  ASSERT_EQ(run_until_saved("phase1"), killed);
  const HistoryServer history{{.out = out().string()}, {}};
  const httplib::Headers elsewhere{{"Origin", "http://elsewhere.example"}};
  EXPECT_EQ(client(history).Post(resume_path(), elsewhere, "", "text/plain")->status, 403);
  const httplib::Headers renamed{{"Host", "elsewhere.example"}};
  EXPECT_EQ(client(history).Get("/", renamed)->status, 403);
  const httplib::Headers own{{"Origin", history.url()}};
  EXPECT_EQ(client(history).Post(resume_path(), own, "", "text/plain")->status, 202);
  history.wait();
}

}  // namespace
}  // namespace research::testing
