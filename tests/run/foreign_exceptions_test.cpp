// Whatever a program's function throws, also if it is no std::exception: resume() reports it, with
// the function's name and what was thrown.
#include <filesystem>
#include <stdexcept>

#include "resumable/effect.hpp"
#include "resumable/file_store.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace foreign {

class Custom {};

enum class Thrown { number, custom, words };
[[noreturn]] inline void throw_it(Thrown what) {
  switch (what) {
    case Thrown::number: throw 42;
    case Thrown::custom: throw Custom{};
    case Thrown::words: throw "out of paper";
  }
  throw 0;
}

/// Its to_json and from_json throw when they are told to.
struct Value {
  int number = 1;
  static inline std::optional<Thrown> writing, reading;
  friend void to_json(nlohmann::json& json, const Value& value) {
    if (writing) throw_it(*writing);
    json = value.number;
  }
  friend void from_json(const nlohmann::json& json, Value& value) {
    if (reading) throw_it(*reading);
    value.number = json.get<int>();
  }
};

/// A pipeline in which `hook` throws.
struct Throwing {
  std::string hook;
  Thrown what;
  void operator()(std::string_view here) const {
    if (here == hook) throw_it(what);
  }
};

}  // namespace foreign

namespace {

using namespace foreign;

struct Hook {
  std::string name;
  std::string expected;  ///< names it in the message
  bool is_edit = false;  ///< called for an edited file, in the second call
  bool adopts = false;   ///< called for a file that was there before
};

class ForeignExceptions : public ::testing::TestWithParam<std::tuple<Hook, Thrown>> {
 protected:
  void TearDown() override { Value::writing = Value::reading = std::nullopt; }

  static void declare(Pipeline& p, const Throwing& at, bool adopt) {
    p.input("in", Value{});
    const auto list = p.input("list", std::vector<int>{1});
    const auto yes = p.condition("yes", inputs(), [=] {
      at("condition");
      return true;
    });
    const auto stage = p.stage({.name = "stage",
                                .retry = {.attempts = 1,
                                          .when =
                                              [=](const std::exception&) {
                                                at("when");
                                                return false;
                                              }},
                                .when = adopt ? When{} : yes},
                               [=](Context& ctx) {
                                 at("stage");
                                 ctx.step("step", [=] {
                                   at("step");
                                   return 1;
                                 });
                                 ctx.effect("effect", with(1), [=](const std::string&) {
                                   at("effect");
                                   return 1;
                                 });
                                 if (at.hook == "when") throw std::runtime_error("try again?");
                                 return Value{};
                               });
    p.validate(stage, [=](const Value&) {
      at("validate");
      return std::string{};
    });
    p.artifact(
        stage, "stage.txt",
        [=](const Value& value) {
          at("render");
          return std::to_string(value.number);
        },
        [=](const std::string& text) {
          at("parse");
          return Value{std::stoi(text)};
        });
    p.adopt_as(stage, [=](const FoundFile&) {
      at("adopt_as");
      return Value{};
    });
    p.adopt_if(stage, [=](const FoundFile&) {
      at("adopt_if");
      return true;
    });
    p.stage("items",
            inputs(each(list,
                        [=](int i) {
                          at("key");
                          return std::to_string(i);
                        })),
            [](int i) { return i; });
  }

  /// What is reported, by whatever resume() returns or throws.
  std::string outcome(const Throwing& at, bool adopt) {
    Pipeline p{"p"};
    declare(p, at, adopt);
    ResumeOptions options{.run = "r"};
    if (adopt) options.adopt = true;
    try {
      const Report report = resume(p, store_, options);
      return report.text() + report.plan().text(true);
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  TempFolder folder_;
  FileStore store_{folder_ / "store"};
};

TEST_P(ForeignExceptions, AreReportedWithTheFunctionsName) {
  const auto& [hook, what] = GetParam();
  if (hook.adopts) {
    std::filesystem::create_directories(folder_ / "store/r");
    write_file(folder_ / "store/r/stage.txt", "7");
  }
  if (hook.is_edit) {
    outcome({"none", what}, false);
    write_file(folder_ / "store/r/stage.txt", "2");
  }
  if (hook.name == "to_json") Value::writing = what;
  if (hook.name == "from_json") Value::reading = what;
  const std::string text = outcome({hook.name, what}, hook.adopts);
  EXPECT_THAT(text, ::testing::HasSubstr(hook.expected));
  const std::string thrown = what == Thrown::number   ? "of type int was thrown"
                             : what == Thrown::custom ? "of type resumable::test::foreign::Custom"
                                                      : "out of paper";
  EXPECT_THAT(text, ::testing::HasSubstr(thrown));
}

INSTANTIATE_TEST_SUITE_P(
    Hooks, ForeignExceptions,
    ::testing::Combine(::testing::Values(Hook{"stage", "stage"}, Hook{"step", "stage"},
                                         Hook{"effect", "stage"}, Hook{"validate", "validate()"},
                                         Hook{"render", "render"}, Hook{"parse", "parse", true},
                                         Hook{"condition", "yes"}, Hook{"when", "stage"},
                                         Hook{"key", "the key of each()"},
                                         Hook{"to_json", "input 'in'"}, Hook{"from_json", "stage"},
                                         Hook{"adopt_as", "adopt_as()", false, true},
                                         Hook{"adopt_if", "adopt_if()", false, true}),
                       ::testing::Values(Thrown::number, Thrown::custom, Thrown::words)),
    [](const auto& test) {
      return std::get<0>(test.param).name +
             std::to_string(static_cast<int>(std::get<1>(test.param)));
    });

TEST(ForeignExceptions, CannotSendTheHostsTerminalEscapeSequences) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("s", []() -> int { throw std::runtime_error("red \x1B[31m\a"); });
  const Report report = resume(p, store, {.run = "r"});
  EXPECT_EQ(report.error()->explain().find('\x1B'), std::string::npos);
  EXPECT_THAT(report.error()->explain(), ::testing::HasSubstr("\\x1b[31m"));
  EXPECT_EQ(report.text().find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace resumable::test
