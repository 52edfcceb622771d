// What a pipeline redacts is neither in a file of the store nor in what any command prints.
#include <atomic>

#include "inspector/inspected.hpp"
#include "resumable/json_types.hpp"
#include "resumable/observer.hpp"

namespace resumable::test {

struct Account {
  std::string user;
  std::string password;
  std::optional<int> pin{};
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Account, user, password, pin)

struct PackedAccount : Account {};

}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::PackedAccount>
    : resumable::CborCodec<resumable::test::PackedAccount> {};

namespace resumable::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string canary = "canary-7b1f-93aa";
constexpr int canary_pin = 918273645;

/// Names of the files below `folder` that have the canary in them.
std::vector<std::string> files_with_canary(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  for (const auto& [name, bytes] : snapshot(folder)) {
    const bool has =
        bytes.find(canary) != bytes.npos || bytes.find(std::to_string(canary_pin)) != bytes.npos;
    if (has) found.push_back(name);
  }
  return found;
}

/// A pipeline whose functions hand the canary to everything that is recorded.
struct Leaky {
  explicit Leaky(const std::string& password = canary, bool fails = false) {
    pipeline.redact({"password", "/*/token", "pin"});
    const auto account = pipeline.input("account", Account{"ann", password, canary_pin});
    declare(account, fails);
  }
  /// The account is that of an earlier call.
  struct Again {};
  explicit Leaky(Again /*again*/) {
    pipeline.redact({"password", "/*/token", "pin"});
    declare(pipeline.input<Account>("account"), false);
  }

  void declare(const Stage<Account>& account, bool fails) {
    const auto login = pipeline.stage(
        {.name = "login", .skip_round_trip = true}, inputs(account),
        [this](Context& ctx, const Account& given) {
          ++logins;
          seen_input = given.password;
          seen_step = ctx.step("ask", [&] { return Account{"step", canary, 7}; }).password;
          seen_cached = ctx.cached("far", with(1),
                                   [&] {
                                     return Account{"cached", canary};
                                   })
                            .password;
          auto state = ctx.progress(Account{"state", canary});
          state.safepoint();
          return nlohmann::json{{"session", {{"token", canary}, {"password", {canary, "x"}}}},
                                {"user", given.user},
                                {"pin", canary_pin}};
        });
    const auto people = pipeline.stage("people", inputs(login), [](const nlohmann::json& value) {
      return std::vector<Account>{{"ann", canary},
                                  {"bob" + value.at("user").get<std::string>(), ""}};
    });
    const auto roots = pipeline.queue("queue", inputs(each(people, &Account::user)),
                                      [](Context& ctx, const Account& one) {
                                        if (one.user.size() < 8)
                                          ctx.enqueue(Account{one.user + "++++", canary});
                                        return Account{one.user, canary};
                                      });
    note = pipeline.stage("note", inputs(login, account),
                          [this, fails](const nlohmann::json& value, const Account& given) {
                            seen_value = value;
                            if (fails) throw std::runtime_error("cannot use " + given.password);
                            return Text{"seen " + value.dump()};
                          });
    pipeline.artifact(login, "login.json");
    pipeline.artifact(roots, "accounts/{item}.json");
    pipeline.artifact(*note, "note.txt");
  }

  Pipeline pipeline{"leaky"};
  std::optional<Stage<Text>> note;
  std::atomic<int> logins{0};
  std::string seen_input;
  std::string seen_step;
  std::string seen_cached;
  nlohmann::json seen_value;
};

class Redacted : public Inspected {
 protected:
  Report run(const Leaky& leaky, const std::string& id = "a") {
    return resume(leaky.pipeline, store(), {.run = id, .observers = {&events_}});
  }

  EventFile events_{folder_ / "events.jsonl"};
};

TEST_F(Redacted, FieldsAreInNoFile) {
  Leaky leaky;
  const Report report = run(leaky);
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(leaky.seen_input, canary) << "a stage gets its input as it was given";
  EXPECT_THAT(files_with_canary(folder_.path()), IsEmpty());
  EXPECT_THAT(read_file(folder_ / "a/login.json"), HasSubstr("[redacted]"));
}

TEST_F(Redacted, WhoGetsAValueFindsThatItIsRedacted) {
  Leaky leaky;
  ASSERT_TRUE(run(leaky));
  EXPECT_EQ(leaky.seen_step, "[redacted]");
  EXPECT_EQ(leaky.seen_cached, "[redacted]");
  EXPECT_EQ(leaky.seen_value,
            (nlohmann::json{{"session", {{"token", "[redacted]"}, {"password", nullptr}}},
                            {"user", "ann"},
                            {"pin", nullptr}}));
}

TEST_F(Redacted, MessagesOfFailuresDoNotHaveThem) {
  Leaky leaky{canary, true};
  const Report report = run(leaky);
  EXPECT_FALSE(report);
  EXPECT_THAT(report.text(), AllOf(HasSubstr("cannot use [redacted]"), Not(HasSubstr(canary))));
  EXPECT_THAT(files_with_canary(folder_.path()), IsEmpty());
}

TEST_F(Redacted, NoCommandPrintsThem) {
  ASSERT_TRUE(run(Leaky{}));
  EXPECT_FALSE(run(Leaky{canary, true}, "b"));
  std::vector<Words> commands{{"list"},
                              {"status", "a"},
                              {"plan", "a"},
                              {"plan", "b"},
                              {"status", "b"},
                              {"explain", "b", "note"},
                              {"diff", "a", "b"},
                              {"verify"},
                              {"graph", "a"},
                              {"show", "a"},
                              {"explain", "a", "login"}};
  std::vector<std::string> paths;
  for (const std::string run : {"a", "b"}) {
    store().scan(run, {}, [&](const RecordHead& head) {
      commands.push_back({"show", run, std::string{head.id.path}});
      return true;
    });
  }
  for (const Words& command : commands) {
    for (const bool json : {false, true}) {
      Words words = command;
      if (json) words.emplace_back("--json");
      const Said said = inspect(words);
      EXPECT_THAT(said.out + said.err,
                  AllOf(Not(HasSubstr(canary)), Not(HasSubstr(std::to_string(canary_pin)))))
          << ::testing::PrintToString(words);
    }
  }
  EXPECT_THAT(inspect({"show", "a", "login"}).out, HasSubstr("[redacted]"));
  EXPECT_EQ(inspect({"report", "b", "--output", (folder_ / "page.html").string()}).code, 0);
  EXPECT_THAT(files_with_canary(folder_.path()), IsEmpty());
}

TEST_F(Redacted, AChangeOfAFieldMakesNothingStale) {
  ASSERT_TRUE(run(Leaky{}));
  Leaky other{"another password"};
  ASSERT_TRUE(run(other));
  EXPECT_EQ(other.logins, 0);
}

TEST_F(Redacted, AnInputThatLacksThemIsToBeGivenAgain) {
  EXPECT_FALSE(run(Leaky{canary, true}));
  Leaky again{Leaky::Again{}};
  const Report report = run(again);
  EXPECT_FALSE(report);
  EXPECT_EQ(report.error()->errc(), Errc::missing_input);
  EXPECT_THAT(report.text(), HasSubstr("without the fields that are redacted"));
  Leaky given;
  ASSERT_TRUE(run(given));
  EXPECT_EQ(given.logins, 0);
}

TEST_F(Redacted, FieldsAreInNoFileOfAValueThatIsKeptAsCbor) {
  Pipeline pipeline{"p"};
  pipeline.redact({"password", "pin"});
  const auto made = pipeline.stage("account", [] {
    return PackedAccount{{"ann", canary, canary_pin}};
  });
  const auto seen = pipeline.stage("password", inputs(made),
                                   [](const PackedAccount& account) { return account.password; });
  const Report report = resume(pipeline, store(), {.run = "a"});
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(report[seen], "[redacted]");
  EXPECT_THAT(files_with_canary(folder_.path()), IsEmpty());
}

TEST_F(Redacted, AFieldHasAName) {
  Pipeline pipeline{"p"};
  for (const char* field : {"", "/", "/a/"}) {
    try {
      pipeline.redact({field});
      ADD_FAILURE() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::bad_option);
    }
  }
}

TEST_F(Redacted, ATypeThatCannotDoWithoutIsRefused) {
  Pipeline pipeline{"p"};
  pipeline.redact({"/count"});
  pipeline.stage("numbers", [] { return std::map<std::string, int>{{"count", 3}}; });
  const Report report = resume(pipeline, store(), {.run = "n"});
  EXPECT_FALSE(report);
  EXPECT_EQ(report.error()->errc(), Errc::not_decodable);
  EXPECT_THAT(report.text(), HasSubstr("/count"));
}

}  // namespace
}  // namespace resumable::test
