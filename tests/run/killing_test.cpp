// A program that is killed and continues: the same result, and nothing committed is done twice.
#include <csignal>
#include <set>
#include <thread>

#include <rapidcheck/gtest.h>

#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

/// Eight stages, two of them fan-outs that write one path in turn.
struct KilledMemo {
  /// `in_body` is called when a body has done its work, before it returns.
  explicit KilledMemo(const std::function<void(const std::string&)>& in_body) {
    const auto company = pipeline.input("company", "Acme"s);
    const auto deck = pipeline.stage("deck", inputs(company), [=](const std::string& c) {
      in_body("deck");
      return c + " deck";
    });
    const auto research = pipeline.stage("research", inputs(deck), [=](const std::string& d) {
      in_body("research");
      return std::map<std::string, std::string>{{"found", d}, {"where", "web"}};
    });
    const auto outline = pipeline.stage("outline", inputs(deck), [=](const std::string&) {
      in_body("outline");
      return Strings{"team", "market", "risk"};
    });
    const auto sections = pipeline.stage("sections", inputs(each(outline), research),
                                         [=](const std::string& title, const auto& r) {
                                           in_body("sections/" + title);
                                           return Text{"# " + title + "\n" + r.at("found") + "\n"};
                                         });
    const auto links =
        pipeline.stage("links", inputs(each(sections)), [=](Context& ctx, const Text& t) {
          in_body("links/" + ctx.item());
          return Text{t.text + "see also\n"};
        });
    const auto score = pipeline.stage("score", inputs(links), [=](const std::vector<Text>& all) {
      in_body("score");
      return all.size();
    });
    const auto join = pipeline.stage("join", inputs(links, score),
                                     [=](const std::vector<Text>& all, std::size_t s) {
                                       in_body("join");
                                       std::string text = std::to_string(s) + "\n";
                                       for (const Text& one : all) text += one.text;
                                       return Text{text};
                                     });
    last.emplace(pipeline.stage("finalize", inputs(join), [=](const Text& t) {
      in_body("finalize");
      return Text{t.text + "the end\n"};
    }));
    pipeline.artifact(deck, "0-deck.md");
    pipeline.artifact(research, "1-research.json");
    pipeline.artifact(sections, "2-sections/{position:02}-{item}.md", &Text::text);
    pipeline.artifact(links, "2-sections/{position:02}-{item}.md", &Text::text);
    pipeline.artifact(join, "3-memo.md");
    pipeline.artifact(*last, "3-memo.md");
  }
  Pipeline pipeline{"memo"};
  std::optional<Stage<Text>> last;
};

class Killed : public ::testing::Test {
 protected:
  Killed() {
    FileStore store{folder / "good"};
    KilledMemo memo{[&](const std::string&) { ++bodies; }};
    Log log;
    const Report report = resume(memo.pipeline, store, {.run = "r", .observers = {&log}});
    events = log.events.size();
    good = artifacts(folder / "good/r");
    text = report[*memo.last].text;
  }

  /// In a child that is killed at the event of this number, or in the body of this number; 0: none.
  Ended run(std::size_t event, std::size_t body, unsigned concurrency) {
    ChildProcess child{[&] {
      FileStore store{folder / "store"};
      std::atomic<std::size_t> calls{0};
      KilledMemo memo{[&](const std::string& name) {
        called(name);
        if (++calls == body) ::raise(SIGKILL);
      }};
      Log log;
      log.on = [&](const Event& now) {
        if (now.kind == EventKind::committed) {
          committed(now.item.empty() ? now.stage : now.stage + "/" + now.item);
        }
        if (now.seq == event) ::raise(SIGKILL);
      };
      const Report report = resume(memo.pipeline, store,
                                   {.run = "r", .concurrency = concurrency, .observers = {&log}});
      if (!report) return report.exit_code();
      return report[*memo.last].text == text ? 0 : 98;
    }};
    return child.wait();
  }
  void begin() {
    fs::remove_all(folder / "store");
    called.clear();
    committed.clear();
  }
  /// After the last run: whole, and nothing done twice that was committed.
  void check(int times_killed_in_a_body) {
    EXPECT_EQ(changes(good, artifacts(folder / "store/r")), "") << "byte for byte";
    const auto counts = called.counts();
    EXPECT_EQ(counts.size(), bodies) << "every body ran";
    int twice = 0;
    for (const auto& [name, count] : counts) twice += count - 1;
    EXPECT_LE(twice, times_killed_in_a_body);
    for (const auto& [name, count] : committed.counts()) EXPECT_EQ(count, 1) << name;
  }

  TempFolder folder;
  std::size_t bodies = 0;
  std::size_t events = 0;
  std::map<std::string, std::string> good;
  std::string text;
  Tally called{folder / "called"};
  Tally committed{folder / "committed"};
};

TEST_F(Killed, AtEveryEventTheNextStartEndsAsIfNothingHadHappened) {
  ASSERT_EQ(bodies, 12U);
  ASSERT_EQ(events, 49U);
  for (std::size_t event = 1; event <= events; ++event) {
    SCOPED_TRACE(event);
    begin();
    ASSERT_EQ(run(event, 0, 1), (Ended{-1, SIGKILL}));
    ASSERT_EQ(run(0, 0, 1), (Ended{0, 0}));
    check(0);
  }
}

TEST_F(Killed, InEveryBodyThatOneRunsAgainAndNoOther) {
  for (std::size_t body = 1; body <= bodies; ++body) {
    SCOPED_TRACE(body);
    begin();
    ASSERT_EQ(run(0, body, 1), (Ended{-1, SIGKILL}));
    ASSERT_EQ(run(0, 0, 1), (Ended{0, 0}));
    check(1);
    ASSERT_EQ(run(0, 1, 1), (Ended{0, 0})) << "a finished run has no body to be killed in";
  }
}

TEST_F(Killed, AgainAndAgainItStillArrives) {
  begin();
  int kills = 0;
  // Each start gets one body further.
  while (run(0, 2, 1) == (Ended{-1, SIGKILL})) ASSERT_LT(++kills, 100);
  EXPECT_EQ(kills, 11);
  check(kills);
  begin();
  for (std::size_t event = 6; run(event, 0, 1) == (Ended{-1, SIGKILL}); event += 3) ++kills;
  check(0);
}

TEST_F(Killed, WithSeveralAtATimeOnlyThoseInFlightRunAgain) {
  for (std::size_t event = 3; event <= events; event += 5) {
    SCOPED_TRACE(event);
    begin();
    static_cast<void>(run(event, 0, 3));
    ASSERT_EQ(run(0, 0, 3), (Ended{0, 0}));
    check(3);
  }
}

// ---- properties ---------------------------------------------------------------------------------

/// A random pipeline whose stages all have lists of numbers for values.
struct Shape {
  enum class Kind { source, map, join, fan_out, matching, conditional };
  struct Node {
    Kind kind;
    std::size_t a;
    std::size_t b;
    int salt;
  };
  std::vector<Node> nodes;
};

Shape random_shape() {
  Shape shape;
  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = i == 0 ? 0 : *rc::gen::inRange(0, 6);
    shape.nodes.push_back({static_cast<Shape::Kind>(kind),
                           *rc::gen::inRange<std::size_t>(0, std::max<std::size_t>(i, 1)),
                           *rc::gen::inRange<std::size_t>(0, std::max<std::size_t>(i, 1)),
                           *rc::gen::inRange(0, 5)});
  }
  return shape;
}

using Numbers = std::vector<int>;

struct Random {
  /// `call` is told of each body.
  Random(const Shape& shape, const Numbers& given,
         const std::function<void(const std::string&)>& call, std::uint32_t revision_of_first = 1) {
    const auto input = pipeline.input("given", given);
    // Few different values, so that values often come out equal, and keys that repeat.
    const auto mix = [](int a, int b, int salt) { return (a * 3 + b + salt) % 7; };
    for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
      const Shape::Node node = shape.nodes[i];
      const std::string name = "s" + std::to_string(i);
      const StageOptions options{.name = Name::checked(name),
                                 .revision = i == 0 ? revision_of_first : 1};
      const auto a = i == 0 ? input : stages[node.a];
      const auto b = i == 0 ? input : stages[node.b];
      const auto whole = [=](const Numbers& x, const Numbers& y) {
        call(name);
        Numbers result;
        for (std::size_t k = 0; k < x.size(); ++k) {
          result.push_back(mix(x[k], k < y.size() ? y[k] : 0, node.salt));
        }
        return result;
      };
      switch (node.kind) {
        case Shape::Kind::source:
          stages.push_back(pipeline.stage(options, inputs(input),
                                          [=](const Numbers& x) { return whole(x, x); }));
          break;
        case Shape::Kind::map:
          stages.push_back(
              pipeline.stage(options, inputs(a), [=](const Numbers& x) { return whole(x, {}); }));
          break;
        case Shape::Kind::join:
          stages.push_back(pipeline.stage(options, inputs(a, b), whole));
          break;
        case Shape::Kind::fan_out:
        case Shape::Kind::matching: {
          const auto items = pipeline.stage(options, inputs(each(a)), [=](Context& ctx, int x) {
            call(name + "/" + ctx.item());
            return mix(x, 1, node.salt);
          });
          if (node.kind == Shape::Kind::fan_out) {
            stages.push_back(items);
            break;
          }
          const std::string second = name + "m";
          stages.push_back(pipeline.stage({.name = Name::checked(second)},
                                          inputs(each(items), matching(items), b),
                                          [=](Context& ctx, int x, int y, const Numbers& z) {
                                            call(second + "/" + ctx.item());
                                            return mix(x, y, static_cast<int>(z.size()));
                                          }));
          break;
        }
        case Shape::Kind::conditional: {
          const std::string asks = name + "c";
          const auto when =
              pipeline.condition(Name::checked(asks), inputs(a), [=](const Numbers& x) {
                call(asks);
                return !x.empty() && x.front() % 2 == 0;
              });
          const std::string other = name + "o";
          const auto taken = pipeline.stage({.name = Name::checked(other), .when = when}, inputs(a),
                                            [=](const Numbers& x) {
                                              call(other);
                                              return x;
                                            });
          stages.push_back(pipeline.stage(options, inputs(b, after(taken)),
                                          [=](const Numbers& x) { return whole(x, {}); }));
          break;
        }
      }
    }
  }
  /// All values, `-` where there is none.
  std::string values(const Report& report) {
    std::string text{to_string(report.outcome())};
    for (const auto& stage : stages) {
      const Numbers* value = report.find(stage);
      text += " [";
      for (const int n : value != nullptr ? *value : Numbers{}) text += std::to_string(n) + " ";
      text += value != nullptr ? "]" : "-]";
    }
    return text;
  }
  Pipeline pipeline{"memo"};
  std::vector<Stage<Numbers>> stages;
};

/// What an uninterrupted run gives.
std::string from_scratch(const Shape& shape, const Numbers& given) {
  MemoryStore store;
  Random random{shape, given, [](const std::string&) {}};
  return random.values(resume(random.pipeline, store, {.run = "r"}));
}

Numbers random_input() {
  return *rc::gen::resize(4, rc::gen::container<Numbers>(rc::gen::inRange(0, 4)));
}

RC_GTEST_PROP(Property, AFinishedRunHasNothingMoreToDo, ()) {
  const Shape shape = random_shape();
  const Numbers given = random_input();
  MemoryStore store;
  Calls calls;
  Random random{shape, given, std::ref(calls)};
  const ResumeOptions how{.run = "r", .concurrency = *rc::gen::element(1U, 3U)};
  RC_ASSERT(random.values(resume(random.pipeline, store, how)) == from_scratch(shape, given));
  calls.take();
  const Plan plan = ResumePlanner{store}.plan(random.pipeline, how);
  RC_ASSERT(plan.complete());
  RC_ASSERT(random.values(resume(random.pipeline, store, how)) == from_scratch(shape, given));
  RC_ASSERT(calls.take().empty());
}

/// Whatever changed, was asked for or stayed the same: as if it had been run from scratch, and what
/// the plan calls kept does not run.
RC_GTEST_PROP(Property, ContinuingGivesWhatStartingAgainGives, ()) {
  const Shape shape = random_shape();
  MemoryStore store;
  for (int round = 0; round < 4; ++round) {
    const Numbers given = random_input();
    Calls calls;
    Random random{shape, given, std::ref(calls), *rc::gen::inRange(1U, 3U)};
    ResumeOptions how{.run = "r", .concurrency = *rc::gen::element(1U, 3U)};
    const auto wish = *rc::gen::inRange(0, 4);
    const std::string stage =
        "s" + std::to_string(*rc::gen::inRange<std::size_t>(0, shape.nodes.size()));
    if (wish == 1) how.redo = {stage};
    if (wish == 2) how.from = {stage};
    if (wish == 3) how.fresh = true;
    const auto refused =
        code_of([&] { static_cast<void>(ResumePlanner{store}.plan(random.pipeline, how)); });
    if (refused) {
      RC_ASSERT(refused == Errc::no_value && wish == 2);  // a stage before it has never run
      how.from.clear();
    }
    const Plan plan = ResumePlanner{store}.plan(random.pipeline, how);
    const Report report = resume(random.pipeline, store, plan);
    RC_ASSERT(random.values(report) == from_scratch(shape, given));
    for (const Decision& decision : plan) {
      const StageOutcome happened = report.stage(decision.stage).outcome;
      if (decision.action == Action::skip) {
        RC_ASSERT(happened == StageOutcome::skipped || happened == StageOutcome::not_taken);
        RC_ASSERT(calls.of(decision.stage) == 0);
      }
      if (decision.action == Action::run) {
        RC_ASSERT(happened == StageOutcome::ran);
      }
      plan.items(decision.stage, [&](std::string_view key, Action action, Reason) {
        const int count = calls.of(decision.stage + "/" + std::string{key});
        RC_ASSERT(action != Action::skip || count == 0);
        RC_ASSERT(action != Action::run || count == 1);
        return true;
      });
    }
  }
}

RC_GTEST_PROP(Property, KilledAnywhereItEndsTheSame, ()) {
  const Shape shape = random_shape();
  const Numbers given = random_input();
  TempFolder folder;
  const Tally committed{folder / "committed"};
  const auto run = [&](std::uint64_t event) {
    ChildProcess child{[&] {
      FileStore store{folder / "store"};
      Random random{shape, given, [](const std::string&) {}};
      Log log;
      log.on = [&](const Event& now) {
        if (now.kind == EventKind::committed) committed(now.stage + "/" + now.item);
        if (now.seq == event) ::raise(SIGKILL);
      };
      const Report report = resume(random.pipeline, store, {.run = "r", .observers = {&log}});
      return random.values(report) == from_scratch(shape, given) ? 0 : 98;
    }};
    return child.wait();
  };
  static_cast<void>(run(*rc::gen::inRange<std::uint64_t>(1, 40)));
  static_cast<void>(run(*rc::gen::inRange<std::uint64_t>(1, 40)));
  RC_ASSERT(run(0) == (Ended{0, 0}));
  for (const auto& [name, count] : committed.counts()) RC_ASSERT(count == 1);
}

}  // namespace
}  // namespace resumable::test
