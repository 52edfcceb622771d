// Stages, inputs and conditions that were renamed, and say what they were called before.
#include <rapidcheck/gtest.h>

#include "manage/story.hpp"
#include "resumable/queue.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// What each node is called now; those that are not here still have their first name.
using Naming = std::map<std::string, std::string>;

/// The second name of a node; with_first_names() makes the first one of it again, wherever it is in
/// a text.
const std::string& second(const std::string& first) {
  static std::map<std::string, std::string> names;
  return names.try_emplace(first, "new-" + first).first->second;
}
std::string with_first_names(std::string text) {
  for (std::size_t at = 0; (at = text.find("new-", at)) != text.npos;) text.erase(at, 4);
  return text;
}

/// A pipeline that leaves records of every kind. Calls are counted by the nodes' first names.
struct Works {
  std::string topic = "sea";
  Strings lines{"a", "b"};
  std::map<std::string, std::uint32_t> revisions{};
  Naming now{};
  bool says_was = true;
  std::string fails{};  ///< the stage, or item, whose function fails at its end
  Calls* calls = nullptr;

  [[nodiscard]] std::string present(const std::string& first) const {
    const auto found = now.find(first);
    return found == now.end() ? first : found->second;
  }
  [[nodiscard]] InputOptions input(const char* first) const {
    const auto found = now.find(first);
    if (found == now.end()) return {Name::checked(first)};
    if (!says_was) return {Name::checked(found->second)};
    // Renamed back, it has been called by the other name.
    if (found->second == first) return {Name::checked(first), Name::checked(second(first))};
    return {Name::checked(found->second), Name::checked(first)};
  }
  [[nodiscard]] StageOptions stage(const char* first) const {
    const auto [name, was] = input(first);
    const auto found = revisions.find(first);
    return {.name = name, .was = was, .revision = found == revisions.end() ? 1 : found->second};
  }
  void called(const std::string& what) const { (*calls)(what); }
  void end(const std::string& what) const {
    if (what == fails) throw std::runtime_error(what + " failed");
  }

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"works"};
    const auto of = p.input(input("topic"), topic);
    const auto given = p.input(input("lines"), lines);
    const auto wet = p.condition(input("wet"), inputs(of), [*this](const std::string& t) {
      called("wet");
      return t == "sea";
    });
    const auto plain = p.stage(stage("plain"), inputs(of), [*this](const std::string& t) {
      called("plain");
      end("plain");
      return Text{t + "\n"};
    });
    const auto stepped =
        p.stage(stage("stepped"), inputs(plain), [*this](Context& ctx, const Text& t) {
          called("stepped");
          const auto one = ctx.step("one", [&] { return called("one"), t.text; });
          const auto two = ctx.step("two", with(one), [&] { return called("two"), one; });
          end("stepped");
          return two;
        });
    const auto looped = p.stage(stage("looped"), inputs(of), [*this](Context& ctx, auto& t) {
      called("looped");
      auto count = ctx.progress(0, {.every = 1});
      auto words = ctx.history<std::string>();
      while (*count < 2) {
        called("turn");
        ++*count;
        count.safepoint();
        words.push_back(t);
        words.safepoint();
      }
      end("looped");
      return *count;
    });
    const auto sent = p.stage(stage("sent"), inputs(plain), [*this](Context& ctx, const Text& t) {
      called("sent");
      const auto key = ctx.effect("mail", with(t.text), [&](const std::string&) {
        called("mail");
        return 1;
      });
      end("sent");
      return key;
    });
    const auto parts = p.stage(stage("parts"), inputs(each(given), of),
                               [*this](Context& ctx, const std::string& line, const auto& t) {
                                 called("parts/" + ctx.item());
                                 const auto words = ctx.step("words", [&] {
                                   called("words");
                                   return line + t;
                                 });
                                 end("parts/" + ctx.item());
                                 return Text{words + "\n"};
                               });
    const auto finer =
        p.stage(stage("finer"), inputs(each(parts)), [*this](Context& ctx, const Text& t) {
          called("finer/" + ctx.item());
          end("finer/" + ctx.item());
          return Text{t.text + "finer\n"};
        });
    const auto grown = p.queue(stage("grown"), inputs(each(given)),
                               [*this](Context& ctx, const std::string& line) {
                                 called("grown/" + ctx.item());
                                 if (line.size() < 2) ctx.enqueue(line + line);
                                 if (ctx.item() == "bb") ctx.close("enough");
                                 end("grown/" + ctx.item());
                                 return line;
                               });
    p.stage(stage("asked"), inputs(plain), [*this](Context& ctx, const Text& t) {
      called("asked");
      ctx.require_approval("of " + t.text);
      end("asked");
      return t.text;
    });
    auto options = stage("maybe");
    options.when = wet;
    const auto maybe = p.stage(options, inputs(stepped), [*this](const std::string& t) {
      called("maybe");
      end("maybe");
      return t;
    });
    p.stage(stage("last"), inputs(finer, grown, looped, sent, after(maybe)),
            [*this](const std::vector<Text>& all, const Strings& more, int, int) {
              called("last");
              end("last");
              return all.size() + more.size();
            });
    p.artifact(plain, "plain.md");
    p.artifact(parts, "parts/{item}.md");
    p.append(finer, "finer.md", [](const Text& t) { return t.text; });
    return p;
  }
};

const Strings all_nodes{"topic", "lines", "wet",   "plain", "stepped", "looped", "sent",
                        "parts", "finer", "grown", "asked", "maybe",   "last"};
const Strings all_bodies{"plain",   "stepped", "looped",   "sent",  "parts/a", "parts/b",
                         "finer/a", "grown/a", "grown/bb", "asked", "maybe",   "last"};

/// One run, and what happens to it.
class Life {
 public:
  Life() { works.calls = &calls_; }

  /// What was called, how it ended, and which records and files there are then.
  std::string run(ResumeOptions options = {}) {
    options.run = "r";
    options.artifact_folder = folder_ / "out";
    const Pipeline p = works.pipeline();
    std::string text;
    try {
      const Report report = resume(p, store, options);
      text = to_string(report.outcome());
      if (const Error* error = report.error()) text += std::string{" "} + error->what();
    } catch (const Error& error) {
      text = to_string(error.errc());
    }
    return with_first_names(text) + state();
  }
  std::string approve_asked() {
    const Pipeline p = works.pipeline();
    const auto code = code_of([&] { approve(p, store, "r", works.present("asked"), "anna"); });
    return (code ? std::string{to_string(*code)} : "approved") + state();
  }
  void edit(const std::string& file) {
    const fs::path path = folder_ / "out" / file;
    if (fs::exists(path)) write_file(path, read_file(path) + "edited\n");
  }
  [[nodiscard]] Plan plan() const {
    const Pipeline p = works.pipeline();
    return ResumePlanner{store}.plan(p, {.run = "r", .artifact_folder = folder_ / "out"});
  }
  [[nodiscard]] std::string state() {
    Strings records;
    store.scan("r", {}, [&](const RecordHead& head) {
      // The graph is recorded once more if a name in it has changed; and then, what has left is, so
      // that nothing is newer.
      if (head.id.path == "@run") return true;
      const std::string generation =
          head.id.path == "@left" ? "" : "." + std::to_string(head.id.generation);
      records.push_back(with_first_names(std::string{head.id.path}) + generation);
      return true;
    });
    std::ranges::sort(records);
    records.erase(std::unique(records.begin(), records.end()), records.end());
    std::string text = "; called " + calls_.take() + "; records";
    for (const std::string& record : records) text += " " + record;
    text += "; files";
    if (!fs::exists(folder_ / "out")) return text;
    for (const auto& [name, content] : artifacts(folder_ / "out")) text += " " + name + content;
    return text;
  }

  Works works;
  MemoryStore store;

 private:
  TempFolder folder_;
  Calls calls_;
};

Naming all_renamed() {
  Naming now;
  for (const std::string& node : all_nodes) now[node] = second(node);
  return now;
}

// ---- nothing is done again ----------------------------------------------------------------------

TEST(Renaming, OfEverythingInAFinishedRunCallsNothing) {
  Life life;
  life.run();
  life.approve_asked();
  ASSERT_THAT(life.run(), HasSubstr("done; called asked;"));
  life.works.now = all_renamed();
  EXPECT_TRUE(life.plan().complete()) << life.plan().text(true);
  EXPECT_THAT(life.run(), HasSubstr("done; called ;"));
  for (auto& [first, present] : life.works.now) present = first;
  EXPECT_THAT(life.run(), HasSubstr("done; called ;")) << "renamed back";
}

TEST(Renaming, WhereverACallFailedTheNextDoesWhatItWouldHaveDone) {
  for (const std::string& body : all_bodies) {
    SCOPED_TRACE(body);
    Life same;
    Life renamed;
    for (Life* life : {&same, &renamed}) {
      life->works.fails = body;
      life->run();
      life->approve_asked();
      life->run();
      life->works.fails.clear();
    }
    renamed.works.now = all_renamed();
    EXPECT_EQ(renamed.run(), same.run());
  }
}

std::string one_of(const Strings& names) { return *rc::gen::elementOf(names); }

/// What a user does next, the same in both lives.
void act(Life& same, Life& renamed) {
  const auto both = [&](const auto& change) {
    change(same);
    change(renamed);
  };
  const auto run = [&](const auto& options_for) {
    const std::string expected = same.run(options_for(same));
    RC_ASSERT(renamed.run(options_for(renamed)) == expected);
  };
  const auto usual = [](const Life&) { return ResumeOptions{}; };
  const Strings stages(all_nodes.begin() + 3, all_nodes.end());
  const std::string stage = one_of(stages);
  switch (*rc::gen::inRange(0, 12)) {
    case 0: return run(usual);
    case 1: {
      const std::string body = one_of(all_bodies);
      both([&](Life& life) { life.works.fails = body; });
      run(usual);
      return both([](Life& life) { life.works.fails.clear(); });
    }
    case 2: {
      const std::string topic = one_of({"sea", "land", "sky"});
      both([&](Life& life) { life.works.topic = topic; });
      return;
    }
    case 3: {
      const Strings lines = *rc::gen::elementOf(std::vector<Strings>{{}, {"a", "b"}, {"b", "c"}});
      both([&](Life& life) { life.works.lines = lines; });
      return;
    }
    case 4: {
      both([&](Life& life) { ++life.works.revisions.try_emplace(stage, 1).first->second; });
      return;
    }
    case 5: {
      const std::string file = one_of({"plain.md", "parts/a.md"});
      return both([&](Life& life) { life.edit(file); });
    }
    case 6: RC_ASSERT(renamed.approve_asked() == same.approve_asked()); return;
    case 7: return run([&](Life& l) { return ResumeOptions{.redo = {l.works.present(stage)}}; });
    case 8: return run([&](Life& l) { return ResumeOptions{.from = {l.works.present(stage)}}; });
    case 9: {
      const bool off = *rc::gen::arbitrary<bool>();
      return run([&](Life& l) {
        const Strings pin{l.works.present(stage)};
        return off ? ResumeOptions{.unpin = pin} : ResumeOptions{.pin = pin};
      });
    }
    case 10: {
      const std::string what = one_of({"topic", "lines", "plain", "code"});
      const bool off = *rc::gen::arbitrary<bool>();
      return run([&](Life& l) {
        const Strings of{l.works.present(stage) + ":" + l.works.present(what)};
        return off ? ResumeOptions{.unignore = of} : ResumeOptions{.ignore = of};
      });
    }
    default: return run([&](Life& l) { return ResumeOptions{.accept = {l.works.present(stage)}}; });
  }
}

RC_GTEST_PROP(Renaming, OfSomeNodesInAnyHistoryChangesNoCallNoRecordAndNoFile, ()) {
  Life same;
  Life renamed;
  const int actions = *rc::gen::inRange(1, 8);
  for (int i = 0; i < actions; ++i) {
    for (const std::string& node : all_nodes) {
      if (*rc::gen::inRange(0, 4) != 0) continue;
      renamed.works.now[node] = *rc::gen::arbitrary<bool>() ? node : second(node);
    }
    act(same, renamed);
  }
  RC_ASSERT(renamed.run() == same.run());
}

TEST(Renaming, SendsNoSideEffectTwiceWhoseOutcomeIsUnknown) {
  const auto sends = [](InputOptions names, int& sent, bool dies) {
    Pipeline p{"p"};
    p.stage({.name = names.name, .was = names.was}, [&sent, dies](Context& ctx) {
      return ctx.effect("mail", with(1), [&](const std::string&) {
        ++sent;
        if (dies) throw std::runtime_error("no answer");
        return 1;
      });
    });
    return p;
  };
  MemoryStore store;
  int sent = 0;
  const Pipeline before = sends({"send"}, sent, true);
  static_cast<void>(resume(before, store, {.run = "r"}));
  ASSERT_EQ(sent, 1);
  const Pipeline after = sends({"post", "send"}, sent, false);
  EXPECT_THAT(ResumePlanner{store}.plan(after, {.run = "r"})["post"].causes,
              Contains(::testing::Field(&Cause::reason, Reason::uncertain)));
  EXPECT_EQ(resume(after, store, {.run = "r"}).outcome(), Outcome::waiting);
  EXPECT_EQ(sent, 1);
}

// ---- what people see ----------------------------------------------------------------------------

TEST(Renaming, IsToldByThePlanAndEverythingHasThePresentName) {
  Life life;
  life.run();
  life.works.now = {{"topic", "subject"}, {"plain", "text"}, {"parts", "pages"}};
  life.works.topic = "land";
  const Plan plan = life.plan();
  EXPECT_THAT(plan.text(), HasSubstr("note      'text' was 'plain'\n"));
  EXPECT_THAT(plan.text(), HasSubstr("note      'subject' was 'topic'\n"));
  EXPECT_EQ(plan["text"].causes.front().text(), "input 'subject' changed: \"sea\" -> \"land\"");
  EXPECT_EQ(plan["stepped"].causes.front().subject, "text");
  EXPECT_TRUE(plan.item("pages", "a").has_value());
  EXPECT_THAT(plan.text(true), Not(HasSubstr("no longer")));

  const Pipeline p = life.works.pipeline();
  Log log;
  const Report report = resume(p, life.store, {.run = "r", .observers = {&log}});
  EXPECT_EQ(report.stage("text").outcome, StageOutcome::ran);
  EXPECT_EQ(report.items("pages").size(), 2U);
  EXPECT_THAT(log.lines(), Contains("committed text"));
  EXPECT_THAT(log.lines(), Contains("committed pages/a"));
  EXPECT_THAT(log.lines(), Not(Contains("committed plain")));
  const RunStatus now = status(p, life.store, "r");
  EXPECT_EQ(now.stages.front().stage, "text");
  EXPECT_EQ(now.stages.front().records, 1U);
}

TEST(Renaming, HandlesOfTheDeclaredPipelineReadTheValues) {
  MemoryStore store;
  Pipeline before{"p"};
  before.stage("s", [](Context& ctx) { return ctx.stage(); });
  ASSERT_TRUE(resume(before, store, {.run = "r"}));
  Pipeline p{"p"};
  const auto summary =
      p.stage({.name = "summary", .was = "s"}, [](Context& ctx) { return ctx.stage(); });
  const Plan plan = ResumePlanner{store}.plan(p, {.run = "r"});
  EXPECT_EQ(plan[summary].action, Action::skip);
  const Report report = resume(p, store, plan);
  EXPECT_EQ(report[summary], "s");
  const Report again = resume(p, store, {.run = "r", .redo = {"summary"}});
  EXPECT_EQ(again[summary], "summary") << "what the function sees";
  const Report former = resume(p, store, {.run = "r", .redo = {"s"}});
  EXPECT_EQ(former.stage("summary").outcome, StageOutcome::ran) << "by its former name";
}

TEST(Renaming, OfOneThingTwiceNeedsBothFormerNames) {
  for (const bool continued : {true, false}) {
    MemoryStore store;
    int calls = 0;
    const auto run = [&](StageOptions options) {
      Pipeline p{"p"};
      p.stage(options, [&] { return ++calls; });
      return resume(p, store, {.run = "r"}).outcome() == Outcome::done;
    };
    ASSERT_TRUE(run({.name = "draft"}));
    if (continued) {
      ASSERT_TRUE(run({.name = "text", .was = "draft"}));
    }
    EXPECT_TRUE(run({.name = "words", .was = {"draft", "text"}}));
    EXPECT_EQ(calls, 1);
  }
}

// ---- runs without their program -----------------------------------------------------------------

TEST(Renaming, ReadersWithoutTheProgramKnowBothNames) {
  Life life;
  life.run();
  life.approve_asked();
  life.run();
  life.works.now = {{"plain", "text"}, {"parts", "pages"}, {"topic", "subject"}};
  ASSERT_THAT(life.run(), HasSubstr("done; called ;")) << "complete: only the names are recorded";
  const Records records{life.store, "r"};
  for (const char* name : {"plain", "text"}) {
    const auto text = records.stage<Text>(name);
    ASSERT_TRUE(text) << name;
    EXPECT_EQ(text->value.text, "sea\n");
  }
  EXPECT_EQ(records.items("pages"), (Strings{"a", "b"}));
  EXPECT_TRUE(records.item<Text>("pages", "a"));
  EXPECT_EQ(records.input<std::string>("subject")->value, "sea");
  EXPECT_FALSE(records.stage<Text>("other"));
}

TEST(Renaming, ForksAndCopiesGoOnUnderTheNamesOfTheirRun) {
  for (const std::string from : {"", "plain", "text"}) {
    Life life;
    life.run();
    life.approve_asked();
    life.run();
    life.works.now = all_renamed();
    life.works.now["plain"] = "text";
    life.run();
    const Pipeline p = life.works.pipeline();
    fork_run(life.store, "r", "fork", {.from_stage = from});
    const Plan plan = ResumePlanner{life.store}.plan(p, {.run = "fork"});
    EXPECT_EQ(plan["text"].action, from.empty() ? Action::skip : Action::run);
    EXPECT_EQ(plan["new-looped"].action, Action::skip);
    MemoryStore other;
    copy_run(life.store, "r", other, "r");
    EXPECT_TRUE(ResumePlanner{other}.plan(p, {.run = "r"}).complete());
  }
}

TEST(Renaming, ARollBackTakesThePresentName) {
  Life life;
  life.run();
  life.works.now = {{"plain", "text"}};
  life.works.topic = "land";
  life.run();
  roll_back(life.store, "r", "text", {.generation = 1});
  EXPECT_EQ(Records(life.store, "r").stage<Text>("text")->value.text, "sea\n");
}

// ---- what is not the same thing -----------------------------------------------------------------

TEST(Renaming, WithoutAFormerNameIsAnotherStage) {
  Life life;
  life.run();
  life.works.now = {{"plain", "text"}};
  life.works.says_was = false;
  const Plan plan = life.plan();
  EXPECT_EQ(plan["text"].causes.front().reason, Reason::first_run);
  EXPECT_THAT(plan.text(), HasSubstr("'plain' is no longer in this pipeline"));
}

TEST(Renaming, ARunThatHasRecordsOfBothNamesIsRefusedAndStaysAsItIs) {
  Life life;
  life.run();
  life.works.now = {{"plain", "text"}};
  life.works.says_was = false;
  const std::string before = life.run();
  EXPECT_THAT(before, HasSubstr(" plain,"));
  life.works.says_was = true;
  EXPECT_THAT(explained([&] { static_cast<void>(life.plan()); }),
              HasSubstr("run 'r' has records of 'text' and of 'plain'"));
  const auto untouched = contents(life.store, "r");
  EXPECT_THAT(life.run(), HasSubstr("refused run 'r' has records of 'text' and of 'plain'"));
  EXPECT_EQ(contents(life.store, "r"), untouched);
  // What the error advises: one of the two names alone.
  life.works.says_was = false;
  EXPECT_THAT(life.run(), HasSubstr("called ;"));
  life.works.now.clear();
  EXPECT_THAT(life.run(), Not(HasSubstr(" plain,"))) << "it has its own records";
}

TEST(Renaming, AnOlderProgramDoesNotTakeTheRecordsOfThePresentName) {
  Life life;
  life.works.now = {{"plain", "text"}};
  life.run();  // begun under the present name
  life.works.now.clear();
  EXPECT_EQ(life.plan()["plain"].causes.front().reason, Reason::first_run);
}

TEST(Renaming, ToANameThatIsOrWasAnothersIsRefused) {
  const auto declares = [](auto... options) {
    return code_of([&] {
      Pipeline p{"p"};
      (static_cast<void>(p.stage(options, [] { return 1; })), ...);
    });
  };
  using Of = StageOptions;
  EXPECT_EQ(declares(Of{.name = "a"}, Of{.name = "b", .was = "a"}), Errc::duplicate_name);
  EXPECT_EQ(declares(Of{.name = "b", .was = "a"}, Of{.name = "a"}), Errc::duplicate_name);
  EXPECT_EQ(declares(Of{.name = "b", .was = "a"}, Of{.name = "c", .was = "a"}),
            Errc::duplicate_name);
  EXPECT_EQ(declares(Of{.name = "b", .was = "b"}), Errc::duplicate_name);
  EXPECT_EQ(declares(Of{.name = "b", .was = "B"}), std::nullopt);
}

TEST(Renaming, AnInputThatIsNewIsSaidToBeNew) {
  MemoryStore store;
  const auto declared = [](bool more) {
    Pipeline p{"p"};
    const auto a = p.input("a", 1);
    const auto b = p.input("b", "x");
    const auto sum = [](int n, const std::string& s) { return std::to_string(n) + s; };
    if (more) {
      p.stage("s", inputs(a, b), sum);
    } else {
      p.stage("s", inputs(a), [](int) { return ""s; });
    }
    return p;
  };
  const Pipeline before = declared(false);
  ASSERT_TRUE(resume(before, store, {.run = "r"}));
  const Pipeline p = declared(true);
  const Plan plan = ResumePlanner{store}.plan(p, {.run = "r"});
  EXPECT_EQ(plan["s"].causes.front().text(), "new input 'b': \"x\"");
}

}  // namespace
}  // namespace resumable::test
