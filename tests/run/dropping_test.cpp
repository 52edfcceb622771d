// Keep::until_used: a value is dropped once everything that takes it is done, and made again when
// something needs it.
#include <rapidcheck/gtest.h>

#include "record/run_facts.hpp"
#include "record/values.hpp"
#include "resumable/file.hpp"
#include "resumable/manage.hpp"
#include "resumable/records.hpp"
#include "resumable/text.hpp"
#include "run/run_support.hpp"
#include "survey/records.hpp"

namespace resumable::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// topic -> raw -> report -> memo (takes tone), and raw -> digest; raw and report are dropped.
struct Dropping {
  std::string topic = "sea";
  std::string tone = "plain";
  std::uint32_t raw = 1, report = 1, digest = 1, memo = 1;
  Keep keep = Keep::until_used;
  std::string suffix{};  ///< of the raw value: what a function gives that is not deterministic

  [[nodiscard]] Pipeline pipeline(Calls& calls) const {
    Pipeline p{"dropping"};
    const auto of = p.input("topic", topic);
    const auto how = p.input("tone", tone);
    const auto made = p.stage({.name = "raw", .revision = raw, .keep = keep}, inputs(of),
                              [&calls, s = suffix](const std::string& t) {
                                calls("raw");
                                return t + " raw" + s;
                              });
    const auto told = p.stage({.name = "report", .revision = report, .keep = keep}, inputs(made),
                              [&calls](const std::string& r) {
                                calls("report");
                                return r + " report";
                              });
    p.stage({.name = "digest", .revision = digest}, inputs(made), [&calls](const std::string& r) {
      calls("digest");
      return r.size();
    });
    p.stage({.name = "memo", .revision = memo}, inputs(told, how),
            [&calls](const std::string& r, const std::string& h) {
              calls("memo");
              return r + " " + h;
            });
    return p;
  }
};

class DroppingTest : public ::testing::Test {
 protected:
  /// What ran.
  std::string run(ResumeOptions options = {}) {
    const Pipeline p = now.pipeline(calls_);
    return run(p, std::move(options));
  }
  std::string run(const Pipeline& p, ResumeOptions options = {}) {
    options.run = "r";
    report_.emplace(resume(p, store_, options));
    EXPECT_TRUE(*report_) << report_->text();
    return calls_.take();
  }
  std::string plan(ResumeOptions options = {}) {
    const Pipeline p = now.pipeline(calls_);
    return plan(p, std::move(options));
  }
  std::string plan(const Pipeline& p, ResumeOptions options = {}) {
    options.run = "r";
    const Plan planned = ResumePlanner{store_}.plan(p, options);
    text_ = planned.text(true);
    return outline(planned);
  }
  /// The generations that are there of this value, with their sizes: `1: 9, 2: dropped`.
  std::string stored(const std::string& stage) {
    std::string text;
    for (const auto& one : survey::records(store_, "r", survey::Depth::headers, stage)) {
      if (one.path != stage) continue;
      text += (text.empty() ? "" : ", ") + std::to_string(one.generation) + ": " +
              (one.dropped ? "dropped" : std::to_string(one.payload_bytes));
    }
    return text;
  }

  Dropping now;
  MemoryStore store_;
  Calls calls_;
  std::optional<Report> report_;
  std::string text_;
};

TEST_F(DroppingTest, LeavesTheRecordWithoutTheValue) {
  now.keep = Keep::always;
  run();
  const auto before = survey::current(store_, "r", "raw");
  EXPECT_EQ(stored("raw"), "1: 9");
  now.keep = Keep::until_used;
  EXPECT_EQ(run(), "");
  EXPECT_EQ(stored("raw"), "2: dropped");
  EXPECT_EQ(stored("report"), "2: dropped");
  EXPECT_EQ(stored("memo"), "1: 22") << "a result";
  const auto after = survey::current(store_, "r", "raw");
  EXPECT_EQ(after->identity, before->identity);
  EXPECT_EQ(after->fingerprint, before->fingerprint);
  EXPECT_EQ(after->fence, before->fence) << "to requests it is as old as it was";
  EXPECT_EQ(after->at, before->at);
  EXPECT_EQ(after->inputs, before->inputs);
  EXPECT_FALSE(after->dropped_at.empty());
}

TEST_F(DroppingTest, NothingRunsBecauseOfIt) {
  EXPECT_EQ(run(), "digest, memo, raw, report");
  EXPECT_EQ(stored("raw"), "2: dropped");
  EXPECT_EQ(plan(), "raw skip dropped, report skip dropped, digest skip done, memo skip done");
  EXPECT_THAT(text_, HasSubstr("keep      raw           its value was dropped after use\n"));
  EXPECT_EQ(run(), "");
  EXPECT_EQ(stored("raw"), "2: dropped") << "it is dropped once";
}

TEST_F(DroppingTest, WhatTakesItHasItMadeAgainAndThePlanSaysSo) {
  run();
  now.digest = 2;
  EXPECT_EQ(plan(),
            "raw run dropped, report decide upstream, digest run code_changed upstream, "
            "memo decide upstream");
  EXPECT_THAT(text_, HasSubstr("raw           its value was dropped after use: 'digest' needs it"));
  EXPECT_EQ(run(), "digest, raw") << "the value is as before, so what else takes it is kept";
  EXPECT_EQ(stored("raw"), "4: dropped");
  EXPECT_EQ(run(), "");
}

TEST_F(DroppingTest, ADroppedValueThatWasMadeOfADroppedOneNeedsThatAsWell) {
  run();
  now.tone = "rude";
  EXPECT_EQ(plan(),
            "raw run dropped, report run dropped upstream, digest decide upstream, "
            "memo run input_changed upstream");
  EXPECT_EQ(run(), "memo, raw, report");
  EXPECT_EQ(run(), "");
}

TEST_F(DroppingTest, ARedoHasWhatItTakesMadeAgain) {
  run();
  EXPECT_EQ(run({.redo = {"report"}}), "raw, report");
  EXPECT_EQ(run({.redo = {"raw"}}), "raw");
  EXPECT_EQ(run(), "") << "the requests are fulfilled, also by a value that was dropped";
  EXPECT_EQ(run({.from = {"memo"}}), "memo, raw, report");
}

TEST_F(DroppingTest, AValueThatIsMadeAgainAnywayNeedsNoNewPlan) {
  run();
  now.raw = 2;
  Log log;
  EXPECT_EQ(run({.redo = {"digest"}, .observers = {&log}}), "digest, raw");
  EXPECT_THAT(log.lines(EventKind::plan_revised), ::testing::IsEmpty());
}

TEST_F(DroppingTest, AnotherValueThanTheDroppedOneIsTakenByAllAgain) {
  run();
  now.digest = 2;
  now.suffix = " again";
  EXPECT_EQ(run(), "digest, memo, raw, report");
}

/// numbers -> sign (drops nothing) -> late, which takes base (dropped) as well; base -> other.
class DecidedLater : public DroppingTest {
 protected:
  Pipeline declare(int number) {
    Pipeline p{"later"};
    const auto given = p.input("number", number);
    const auto base = p.stage({.name = "base", .keep = Keep::until_used}, [this] {
      calls_("base");
      return "base" + suffix_;
    });
    const auto sign = p.stage("sign", inputs(given), [this](int n) {
      calls_("sign");
      return n < 0;
    });
    p.stage("late", inputs(base, sign), [this](const std::string& b, bool s) {
      calls_("late");
      return b + (s ? "-" : "+");
    });
    p.stage("other", inputs(base), [this](const std::string& b) {
      calls_("other");
      return b;
    });
    return p;
  }
  std::string suffix_;
};

TEST_F(DecidedLater, ItStaysDroppedIfNothingNeedsIt) {
  EXPECT_EQ(run(declare(1)), "base, late, other, sign");
  EXPECT_EQ(plan(declare(2)),
            "base decide dropped, sign run input_changed, late decide upstream upstream, other "
            "decide upstream");
  EXPECT_THAT(text_, HasSubstr("its value was dropped after use: 'late' may need it"));
  EXPECT_EQ(run(declare(2)), "sign");
  EXPECT_EQ(stored("base"), "2: dropped");
}

TEST_F(DecidedLater, ItIsMadeAgainOnceAStageTurnsOutToNeedIt) {
  run(declare(1));
  Log log;
  const Pipeline p = declare(-1);
  EXPECT_EQ(run(p, {.observers = {&log}}), "base, late, sign");
  ASSERT_EQ(log.lines(EventKind::plan_revised).size(), 1U);
  EXPECT_EQ(log.first(EventKind::plan_revised)->message,
            "stage 'late' takes a value that was dropped after use; replanned");
  EXPECT_THAT(log.lines(EventKind::quarantined), ::testing::IsEmpty()) << "that is no damage";
  EXPECT_THAT(report_->text(), Not(HasSubstr("damage")));
  EXPECT_EQ(outline(*report_), "base ran, sign ran, late ran, other skipped");
  suffix_ = "!";
  EXPECT_EQ(run(declare(1)), "base, late, other, sign") << "of another value, all is made again";
}

TEST_F(DroppingTest, ReportsAndRecordsSayThatItHasNone) {
  Pipeline p{"p"};
  const auto made = p.stage({.name = "made", .keep = Keep::until_used}, [] { return 1; });
  const auto taken = p.stage("taken", inputs(made), [](int n) { return n + 1; });
  const Report report = resume(p, store_, {.run = "r"});
  EXPECT_EQ(report.find(made), nullptr);
  EXPECT_EQ(report[taken], 2);
  EXPECT_EQ(code_of([&] { static_cast<void>(report[made]); }), Errc::no_value);
  EXPECT_THAT(explained([&] { static_cast<void>(report[made]); }),
              HasSubstr("the value of stage 'made' was dropped after use"));
  const Records records{store_, "r"};
  EXPECT_FALSE(records.stage<int>("made"));
  EXPECT_EQ(records.stage<int>("taken")->value, 2);
}

TEST_F(DroppingTest, TheEmptyPayloadIsNeverReadAsTheValue) {
  Pipeline p{"p"};
  const auto made = p.stage({.name = "made", .keep = Keep::until_used}, [] { return Text{"t"}; });
  p.stage("taken", inputs(made), [](const Text& t) { return t; });
  run(p);
  record::World world;
  record::RunFacts facts{detail::graph_of(p), store_, "r", world.clock(), world.files()};
  facts.gather(false, record::Headers::none);
  const auto load = [&] {
    static_cast<void>(record::load_record(detail::graph_of(p), facts, made.handle().node, ""));
  };
  EXPECT_EQ(code_of(load), Errc::no_value);
}

TEST_F(DroppingTest, ItemsOfADroppedListStayAndNeedItWhenTheyRun) {
  const auto declare = [this](std::uint32_t revision, Keep keep) {
    Pipeline p{"p"};
    const auto list = p.stage({.name = "list", .keep = keep}, [this] {
      calls_("list");
      return Strings{"a", "b"};
    });
    const auto items = p.stage({.name = "items", .revision = revision}, inputs(each(list)),
                               [this](Context& ctx, const std::string& item) {
                                 calls_("item " + ctx.item());
                                 return item + item;
                               });
    p.stage("sum", inputs(items), [this](const Strings& all) {
      calls_("sum");
      return all.size();
    });
    return p;
  };
  const auto p = declare(1, Keep::until_used);
  EXPECT_EQ(run(p), "item a, item b, list, sum");
  EXPECT_EQ(stored("list"), "2: dropped");
  EXPECT_EQ(run(p), "");
  EXPECT_EQ(plan(p, {.redo = {"items/b"}}),
            "list run dropped, items decide upstream, sum decide upstream");
  EXPECT_EQ(run(p, {.redo = {"items/b"}}), "item b, list");
  EXPECT_EQ(run(declare(2, Keep::until_used)), "item a, item b, list");
}

TEST_F(DroppingTest, AnItemWithoutAMatchFailsAsEver) {
  const auto declare = [this](const Strings& items) {
    Pipeline p{"p"};
    const auto base = p.stage({.name = "base", .keep = Keep::until_used}, [this] {
      calls_("base");
      return 1;
    });
    const auto some = p.input("some", Strings{"a"});
    const auto more = p.input("more", items);
    const auto same = [](const std::string& s) { return s; };
    const auto ones = p.stage("ones", inputs(each(some, same)), same);
    p.stage("twos", inputs(each(more, same), matching(ones), base),
            [](const std::string& m, const std::string&, int) { return m; });
    return p;
  };
  EXPECT_EQ(run(declare({"a"})), "base");
  const Report report = resume(declare({"a", "b"}), store_, {.run = "r"});
  EXPECT_THAT(report.text(), HasSubstr("'ones' has no item 'b' to match"));
  EXPECT_EQ(calls_.take(), "base");
}

TEST_F(DroppingTest, AConditionThatRunsNeedsIt) {
  const auto declare = [this](std::uint32_t revision) {
    Pipeline p{"p"};
    const auto n = p.input("n", static_cast<int>(revision));
    const auto base = p.stage({.name = "base", .keep = Keep::until_used}, [this] {
      calls_("base");
      return 5;
    });
    const auto large = p.condition("large", inputs(base, n), [this](int b, int than) {
      calls_("condition");
      return b > than;
    });
    p.stage({.name = "then", .when = large}, [this] {
      calls_("then");
      return 1;
    });
    return p;
  };
  EXPECT_EQ(run(declare(1)), "base, condition, then");
  EXPECT_EQ(stored("base"), "2: dropped");
  EXPECT_EQ(run(declare(1)), "");
  EXPECT_EQ(plan(declare(2)).substr(0, 16), "base run dropped");
  EXPECT_EQ(run(declare(2)), "base, condition");
}

TEST_F(DroppingTest, AValueOfAnyCodecIsDroppedAndMadeAgain) {
  const TempFolder folder;
  write_file(folder / "big", "big bytes");
  const auto declare = [&](std::uint32_t revision) {
    Pipeline p{"p"};
    const auto text = p.stage({.name = "text", .keep = Keep::until_used}, [] { return Text{"t"}; });
    const auto file = p.stage({.name = "file", .keep = Keep::until_used},
                              [&] { return File::of(folder / "big"); });
    p.stage({.name = "all", .revision = revision}, inputs(text, file),
            [this](const Text& t, const File& f) {
              calls_("all");
              return t.text + f.read();
            });
    return p;
  };
  EXPECT_EQ(run(declare(1)), "all");
  EXPECT_EQ(stored("text") + " " + stored("file"), "2: dropped 2: dropped");
  EXPECT_EQ(run(declare(2)), "all");
  EXPECT_EQ(Records(store_, "r").stage<std::string>("all")->value, "tbig bytes");
}

TEST_F(DroppingTest, ADamagedValueThatWasMadeOfItHasItMadeAgain) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto go = [&](std::uint32_t last) {
    Pipeline p{"p"};
    const auto raw = p.stage({.name = "raw", .keep = Keep::until_used}, [this] {
      calls_("raw");
      return Text{"raw"};
    });
    const auto next = p.stage("next", inputs(raw), [this](const Text& r) {
      calls_("next");
      return Text{r.text + " next"};
    });
    p.stage({.name = "last", .revision = last}, inputs(next), [this](const Text& n) {
      calls_("last");
      return n;
    });
    EXPECT_TRUE(resume(p, store, {.run = "r"}));
    return calls_.take();
  };
  EXPECT_EQ(go(1), "last, next, raw");
  const auto file = folder / "store/r/.resumable/checkpoints/next.1.ckpt";
  std::string bytes = read_file(file);
  bytes.back() = 'T';
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  write_file(file, bytes);
  EXPECT_EQ(go(2), "last, next, raw") << "which only the value itself shows";
}

// ---- what stays
// ---------------------------------------------------------------------------------

TEST_F(DroppingTest, AResultAndAValueThatOnlyGivesTheOrderStay) {
  Pipeline p{"p"};
  const auto raw = p.stage({.name = "raw", .keep = Keep::until_used}, [] { return 1; });
  p.stage("next", inputs(after(raw)), [] { return 2; });
  run(p);
  EXPECT_EQ(stored("raw"), "1: 1");
}

TEST_F(DroppingTest, AValueWithAnArtifactStaysAndIsMadeAgainForANewOne) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto declare = [this](bool exports) {
    Pipeline p{"p"};
    const auto raw = p.stage({.name = "raw", .keep = Keep::until_used}, [this] {
      calls_("raw");
      return Text{"raw\n"};
    });
    p.stage("next", inputs(raw), [](const Text& r) { return r.text.size(); });
    if (exports) p.artifact(raw, "raw.txt");
    return p;
  };
  const auto go = [&](bool exports) {
    const Pipeline p = declare(exports);
    EXPECT_TRUE(resume(p, store, {.run = "r"}));
    return calls_.take();
  };
  EXPECT_EQ(go(false), "raw");
  EXPECT_EQ(go(true), "raw") << "a file is made of the value";
  EXPECT_EQ(read_file(folder / "store/r/raw.txt"), "raw\n");
  EXPECT_EQ(go(true), "");
  std::filesystem::remove(folder / "store/r/raw.txt");
  EXPECT_EQ(go(true), "") << "it is exported again";
  EXPECT_EQ(read_file(folder / "store/r/raw.txt"), "raw\n");
}

TEST_F(DroppingTest, AnEditOfAFileThatItHadBeforeIsNotOverwritten) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto go = [&](bool exports, std::uint32_t revision) {
    Pipeline p{"p"};
    const auto raw = p.stage({.name = "raw", .revision = revision, .keep = Keep::until_used},
                             [=] { return Text{"raw " + std::to_string(revision) + "\n"}; });
    p.stage("next", inputs(raw), [](const Text& r) { return r.text.size(); });
    if (exports) p.artifact(raw, "raw.txt");
    return resume(p, store, {.run = "r"});
  };
  const auto file = folder / "store/r/raw.txt";
  EXPECT_TRUE(go(true, 1));
  EXPECT_TRUE(go(false, 2)) << "and dropped";
  write_file(file, "edited\n");
  const Report report = go(true, 2);
  EXPECT_EQ(code_of(report), Errc::edited) << report.text();
  EXPECT_EQ(read_file(file), "edited\n");
  std::filesystem::remove(file);
  EXPECT_TRUE(go(true, 2));
  EXPECT_EQ(read_file(file), "raw 2\n");
}

TEST_F(DroppingTest, FilesThatItLeavesInPlaceStayAndSoDoesIt) {
  const TempFolder folder;
  write_file(folder / "big", "big bytes");
  Pipeline p{"p"};
  const auto raw = p.stage({.name = "raw", .keep = Keep::until_used},
                           [&] { return InPlaceFile::of(folder / "big"); });
  p.stage("next", inputs(raw), [](const InPlaceFile& f) { return f.path; });
  run(p);
  EXPECT_THAT(stored("raw"), Not(HasSubstr("dropped")));
}

TEST_F(DroppingTest, WhatAUserHasDecidedAboutStays) {
  now.keep = Keep::always;
  run();
  now.keep = Keep::until_used;
  EXPECT_EQ(run({.pin = {"raw"}}), "");
  EXPECT_EQ(stored("raw"), "1: 9");
  EXPECT_EQ(stored("report"), "2: dropped");
  now.raw = 2;
  EXPECT_EQ(run({.accept = {"raw"}, .unpin = {"raw"}}), "");
  EXPECT_EQ(stored("raw"), "1: 9");
  now.raw = 3;
  EXPECT_EQ(run({.redo = {"raw"}}), "raw");
}

TEST_F(DroppingTest, WhatATagNamesStaysAsLongAsTheTag) {
  now.keep = Keep::always;
  run();
  tag_run(store_, "r", "before");
  now.keep = Keep::until_used;
  EXPECT_EQ(run(), "");
  EXPECT_EQ(stored("raw"), "1: 9");
  untag_run(store_, "r", "before");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(stored("raw"), "2: dropped");
}

TEST_F(DroppingTest, ADroppedValueCannotBePinned) {
  run();
  const Pipeline p = now.pipeline(calls_);
  const Report refused = resume(p, store_, {.run = "r", .pin = {"raw"}});
  EXPECT_EQ(code_of(refused), Errc::no_value);
  EXPECT_THAT(refused.text(), HasSubstr("the value of 'raw' was dropped after use"));
  now.digest = 2;
  EXPECT_EQ(run(), "digest, raw");
}

TEST_F(DroppingTest, NothingIsDroppedBeforeTheRunIsDone) {
  const auto declare = [this](bool fails) {
    Pipeline p{"p"};
    const auto raw = p.stage({.name = "raw", .keep = Keep::until_used}, [this] {
      calls_("raw");
      return 1;
    });
    const auto good = p.stage("good", inputs(raw), [](int n) { return n; });
    p.stage("bad", inputs(good), [fails](int n) {
      if (fails) throw std::runtime_error("no");
      return n;
    });
    return p;
  };
  EXPECT_EQ(resume(declare(true), store_, {.run = "r"}).outcome(), Outcome::failed);
  EXPECT_EQ(stored("raw"), "1: 1");
  EXPECT_EQ(calls_.take(), "raw");
  EXPECT_EQ(run(declare(false)), "");
  EXPECT_EQ(stored("raw"), "2: dropped");
}

TEST_F(DroppingTest, AValueThatNothingHasTakenStays) {
  const auto declare = [this](bool takes) {
    Pipeline p{"p"};
    const auto wanted = p.input("wanted", takes);
    const auto raw = p.stage({.name = "raw", .keep = Keep::until_used}, [this] {
      calls_("raw");
      return 1;
    });
    const auto is = p.condition("is", inputs(wanted), [](bool w) { return w; });
    p.stage({.name = "next", .when = is}, inputs(raw), [](int n) { return n; });
    return p;
  };
  EXPECT_EQ(run(declare(false)), "raw");
  EXPECT_EQ(stored("raw"), "1: 1");
  EXPECT_EQ(run(declare(true)), "");
  EXPECT_EQ(stored("raw"), "2: dropped");
}

TEST_F(DroppingTest, IsNotForFanOuts) {
  Pipeline p{"p"};
  const auto list = p.input("list", Strings{"a"});
  EXPECT_EQ(code_of([&] {
              p.stage({.name = "items", .keep = Keep::until_used}, inputs(each(list)),
                      [](const std::string& s) { return s; });
            }),
            Errc::bad_option);
}

// ---- any graph, any changes
// ---------------------------------------------------------------------

/// Stages that each take some of those before; every one may be dropped.
struct AnyGraph {
  struct Node {
    std::vector<std::size_t> takes;
    bool drops = false;
    int modulus = 1000;  ///< a small one makes values come out equal
    std::uint32_t revision = 1;
  };
  std::vector<Node> nodes;
  int given = 0;

  [[nodiscard]] Pipeline pipeline(Calls& calls, bool drops) const {
    Pipeline p{"any"};
    const auto input = p.input("given", given);
    std::vector<Stage<int>> made;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      const std::string name = "s" + std::to_string(i);
      const StageOptions options{.name = Name::checked(name),
                                 .revision = node.revision,
                                 .keep = drops && node.drops ? Keep::until_used : Keep::always};
      const auto make = [&calls, name, m = node.modulus, r = node.revision](int a, int b) {
        calls(name);
        return (3 * a + 5 * b + static_cast<int>(r)) % m;
      };
      const auto take = [&](std::size_t which) {
        return node.takes.size() > which && !made.empty() ? made[node.takes[which] % made.size()]
                                                          : input;
      };
      made.push_back(p.stage(options, inputs(take(0), take(1)), make));
    }
    return p;
  }
  /// A stage that only the dropping run has called, although nothing that takes its value has run.
  [[nodiscard]] std::string runs_in_vain(const Calls& calls, const Calls& others) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string name = "s" + std::to_string(i);
      bool used = false;
      for (std::size_t j = i + 1; j < nodes.size(); ++j) {
        for (const std::size_t taken : nodes[j].takes) {
          used = used || (taken % j == i && calls.of("s" + std::to_string(j)) > 0);
        }
      }
      if (calls.of(name) > others.of(name) && !used) return name;
    }
    return "";
  }
  [[nodiscard]] std::map<std::string, int> results(const CheckpointStore& store) const {
    std::map<std::string, int> all;
    const Records records{store, "r"};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string name = "s" + std::to_string(i);
      if (const auto value = records.stage<int>(name)) all[name] = value->value;
    }
    return all;
  }
};

RC_GTEST_PROP(Dropping, OfAnyGraphRunsWhatThePlanSaysAndGivesTheSameResults, ()) {
  AnyGraph graph;
  graph.given = *rc::gen::inRange(0, 5);
  const auto count = *rc::gen::inRange<std::size_t>(2, 8);
  for (std::size_t i = 0; i < count; ++i) {
    graph.nodes.push_back({.takes = *rc::gen::container<std::vector<std::size_t>>(
                               2, rc::gen::inRange<std::size_t>(0, 8)),
                           .drops = *rc::gen::arbitrary<bool>(),
                           .modulus = *rc::gen::element(2, 3, 1000)});
  }
  MemoryStore dropping;
  MemoryStore keeping;
  for (int call = *rc::gen::inRange(1, 5); call > 0; --call) {
    Calls calls;
    const Pipeline p = graph.pipeline(calls, true);
    const Plan plan = ResumePlanner{dropping}.plan(p, {.run = "r"});
    const ResumeOptions options{.run = "r", .concurrency = *rc::gen::element(1U, 4U)};
    RC_ASSERT(resume(p, dropping, options).outcome() == Outcome::done);
    for (const Decision& decision : plan) {
      const int ran = calls.of(decision.stage);
      RC_ASSERT(ran <= 1);
      if (decision.action == Action::run) RC_ASSERT(ran == 1);
      if (decision.action == Action::skip) RC_ASSERT(ran == 0);
    }
    Calls others;
    const Pipeline q = graph.pipeline(others, false);
    RC_ASSERT(resume(q, keeping, {.run = "r"}).outcome() == Outcome::done);
    RC_ASSERT(graph.runs_in_vain(calls, others) == "");
    auto results = graph.results(keeping);
    for (const auto& [name, value] : graph.results(dropping)) RC_ASSERT(results.at(name) == value);
    const Pipeline again = graph.pipeline(calls, true);
    RC_ASSERT((ResumePlanner{dropping}.plan(again, {.run = "r"}).complete()));
    if (*rc::gen::arbitrary<bool>()) graph.given = *rc::gen::inRange(0, 5);
    ++graph.nodes[*rc::gen::inRange<std::size_t>(0, count)].revision;
  }
}

}  // namespace
}  // namespace resumable::test
