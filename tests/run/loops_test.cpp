// Loops inside a stage: saved progress, histories, and their compaction.
#include <csignal>
#include <cstdio>

#include "resumable/forwarding_store.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Count {
  int turn = 0;
  int sum = 0;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Count, turn, sum)
};

/// Adds up 1 to `last`, a safepoint after each; `in_turn` may end it.
struct Adding {
  Adding(ProgressOptions cadence, int last, std::function<void(Context&, int)> in_turn,
         std::uint32_t revision = 1, int start = 0) {
    const auto from = pipeline.input("start", start);
    sum.emplace(pipeline.stage({.name = "add", .revision = revision}, inputs(from),
                               [=](Context& ctx, int first) {
                                 auto count = ctx.progress(Count{0, first}, cadence);
                                 while (count->turn < last) {
                                   in_turn(ctx, count->turn + 1);
                                   count->sum += ++count->turn;
                                   count.safepoint();
                                 }
                                 return count->sum;
                               }));
  }
  Pipeline pipeline{"p"};
  std::optional<Stage<int>> sum;
};

TEST(Progress, GoesOnAtTheLastSaveAfterAKill) {
  for (const unsigned every : {1U, 3U, 5U}) {
    const TempFolder folder;
    const Tally tally{folder / "tally"};
    ChildProcess child([&] {
      FileStore store{folder / "store"};
      Adding killed{{.every = every}, 10, [&](Context&, int turn) {
                      if (turn == 8) ::raise(SIGKILL);
                      tally(std::to_string(turn));
                    }};
      return resume(killed.pipeline, store, {.run = "r"}).exit_code();
    });
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    FileStore store{folder / "store"};
    Adding adding{{.every = every}, 10, [&](Context&, int turn) { tally(std::to_string(turn)); }};
    const Report report = resume(adding.pipeline, store, {.run = "r"});
    ASSERT_TRUE(report);
    EXPECT_EQ(report[*adding.sum], 55);
    const int saved = 7 - 7 % static_cast<int>(every);
    for (int i = 1; i <= 10; ++i) {
      EXPECT_EQ(tally.of(std::to_string(i)), i > saved && i < 8 ? 2 : 1) << i << " of " << every;
    }
  }
}

TEST(Progress, IsSavedBeforeAStopEndsTheStage) {
  MemoryStore store;
  std::stop_source source;
  Adding stopped{{.every = 100}, 10, [&](Context&, int turn) {
                   if (turn == 4) source.request_stop();
                 }};
  const Report first =
      resume(stopped.pipeline, store, {.run = "r", .stop = Stop{source.get_token()}});
  EXPECT_EQ(first.outcome(), Outcome::interrupted);
  Calls calls;
  Adding adding{{.every = 100}, 10, [&](Context&, int turn) { calls(std::to_string(turn)); }};
  const Report report = resume(adding.pipeline, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[*adding.sum], 55);
  EXPECT_EQ(calls.of("4"), 0);
  EXPECT_EQ(calls.of("5"), 1);
}

TEST(Progress, IsSavedBeforeTheBudgetEndsTheCall) {
  MemoryStore store;
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  Calls calls;
  Adding adding{{.every = 5}, 10, [&](Context&, int turn) {
                  clock.advance(10s);
                  calls(std::to_string(turn));
                }};
  const auto call = [&] {
    return resume(adding.pipeline, store, {.run = "r", .budget = 60s, .reserve = 5s});
  };
  const sys::BootTime begin = clock.boot();
  const Report first = call();
  EXPECT_EQ(first.outcome(), Outcome::suspended);
  EXPECT_EQ(first.exit_code(), 75);
  EXPECT_EQ(clock.boot() - begin, 60s);
  const Report second = call();
  ASSERT_TRUE(second);
  EXPECT_EQ(second[*adding.sum], 55);
  EXPECT_EQ(calls.take(), "1, 10, 2, 3, 4, 5, 6, 7, 8, 9") << "each once";
}

TEST(Progress, IsSavedWhenItsTimeHasCome) {
  MemoryStore store;
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  Log log;
  Adding adding{{.interval = 30s}, 10, [&](Context&, int) { clock.advance(8s); }};
  ASSERT_TRUE(resume(adding.pipeline, store, {.run = "r", .observers = {&log}}));
  EXPECT_EQ(log.lines(EventKind::progress_saved),
            (Strings{"progress_saved add:progress", "progress_saved add:progress"}))
      << "after 32 and 64 of 80 s";
}

/// Every commit takes two seconds of the clock.
class SlowStore final : public ForwardingStore {
 public:
  SlowStore(CheckpointStore& next, ManualClock& clock) : ForwardingStore(next), clock_(clock) {}

 private:
  class SlowLease final : public ForwardingLease {
   public:
    SlowLease(std::unique_ptr<Lease> next, ManualClock& clock)
        : ForwardingLease(std::move(next)), clock_(clock) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      clock_.advance(2s);
      return next().commit(batch, options);
    }
    ManualClock& clock_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<SlowLease>(next().lease(run, request), clock_);
  }
  ManualClock& clock_;
};

TEST(Progress, SpendsAShareOfTheTimeOnSaving) {
  for (const double share : {0.5, 0.1, 0.02}) {
    MemoryStore memory;
    ManualClock clock;
    SlowStore store{memory, clock};
    const record::TestEnvironment environment{{.clock = &clock}};
    Log log;
    Adding adding{{.share = share}, 10'000, [&](Context&, int) { clock.advance(100ms); }};
    ASSERT_TRUE(resume(adding.pipeline, store, {.run = "r", .observers = {&log}}));
    const double saves = static_cast<double>(log.lines(EventKind::progress_saved).size());
    EXPECT_NEAR(saves * 2 / 1000.0, share, 0.15 * share) << "of 1000 s of work";
  }
}

TEST(Progress, BeginsAgainWhenInputsOrCodeChange) {
  const auto stop_in_the_sixth = [](CheckpointStore& store) {
    Adding adding{{.every = 1}, 10, [](Context&, int turn) {
                    if (turn == 6) throw std::runtime_error("no");
                  }};
    ASSERT_FALSE(resume(adding.pipeline, store, {.run = "r"}));
  };
  const auto turns = [](CheckpointStore& store, std::uint32_t revision, int start,
                        std::vector<std::string> redo = {}) {
    Calls calls;
    Adding adding{{.every = 1}, 10, [&](Context&, int) { calls("turn"); }, revision, start};
    EXPECT_TRUE(resume(adding.pipeline, store, {.run = "r", .redo = std::move(redo)}));
    return calls.of("turn");
  };
  {
    MemoryStore store;
    stop_in_the_sixth(store);
    EXPECT_EQ(turns(store, 1, 0), 5);
  }
  {
    MemoryStore store;
    stop_in_the_sixth(store);
    EXPECT_EQ(turns(store, 2, 0), 10) << "the code changed";
  }
  {
    MemoryStore store;
    stop_in_the_sixth(store);
    EXPECT_EQ(turns(store, 1, 7), 10) << "an input changed";
  }
  {
    MemoryStore store;
    stop_in_the_sixth(store);
    EXPECT_EQ(turns(store, 1, 0, {"add"}), 10) << "a redo drops it";
  }
}

TEST(Progress, FallsBackToTheSaveBeforeADamagedOne) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Adding failing{{.every = 2}, 10, [](Context&, int turn) {
                   if (turn == 8) throw std::runtime_error("no");
                 }};
  ASSERT_FALSE(resume(failing.pipeline, store, {.run = "r"}));
  const auto saves = folder / "store/r/.resumable/checkpoints/@progress/add";
  ASSERT_TRUE(std::filesystem::exists(saves / "progress.3.ckpt"));
  ASSERT_FALSE(std::filesystem::exists(saves / "progress.1.ckpt")) << "one earlier is kept";
  std::string bytes = read_file(saves / "progress.3.ckpt");
  bytes[bytes.size() - 3] ^= 1;
  write_file(saves / "progress.3.ckpt", bytes);
  Calls calls;
  Adding adding{{.every = 2}, 10, [&](Context&, int turn) { calls(std::to_string(turn)); }};
  Log log;
  const Report report = resume(adding.pipeline, store, {.run = "r", .observers = {&log}});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[*adding.sum], 55);
  EXPECT_EQ(calls.take(), "10, 5, 6, 7, 8, 9") << "the fourth was the last whole one";
  EXPECT_EQ(log.lines(EventKind::quarantined).size(), 1U);
}

TEST(Progress, OfOneNameIsAnErrorInOneAttempt) {
  MemoryStore store;
  Pipeline p{"p"};
  std::string twice;
  std::optional<Errc> history;
  p.stage("s", [&](Context& ctx) {
    const auto first = ctx.progress(1);
    const auto other = ctx.progress(2, {.name = "other"});
    twice = explained([&] { ctx.progress(3); });
    const auto turns = ctx.history<int>();
    history = code_of([&] { ctx.history<int>(); });
    const auto more = ctx.history<int>({.name = "more"});
    EXPECT_EQ(*first + *other, 3);
  });
  for (int call = 0; call < 2; ++call) {
    EXPECT_TRUE(resume(p, store, {.run = "r", .redo = {"s"}})) << "another attempt begins again";
    EXPECT_THAT(twice, HasSubstr("progress 'progress' of stage 's' is used twice in one attempt"));
    EXPECT_THAT(twice, HasSubstr("{.name = …}"));
    EXPECT_EQ(history, Errc::duplicate_name);
  }
}

TEST(Progress, RefusesACadenceThatIsNone) {
  MemoryStore store;
  for (const ProgressOptions& wrong :
       {ProgressOptions{.interval = -1s}, ProgressOptions{.share = 1.5},
        ProgressOptions{.share = -0.1}, ProgressOptions{.name = ""}}) {
    Adding adding{wrong, 1, [](Context&, int) {}};
    EXPECT_FALSE(resume(adding.pipeline, store, {.run = "r"}));
  }
}

// ---- histories ---------------------------------------------------------------------------------

struct Turn {
  int number = 0;
  std::string text;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Turn, number, text)
};

/// Turns, each of which has seen the ones before it.
struct Talk {
  Talk(
      HistoryOptions<Turn> options, int last, std::function<void(int)> in_turn = [](int) {}) {
    seen.emplace(pipeline.stage("talk", [=](Context& ctx) {
      auto turns = ctx.history(options);
      while (turns.size() < static_cast<std::size_t>(last)) {
        const int number = static_cast<int>(turns.size()) + 1;
        in_turn(number);
        turns.push_back({number, "saw " + view(turns)});
        turns.safepoint();
      }
      return view(turns);
    }));
  }
  /// `1 2 (3 omitted) 6 7`
  static std::string view(const History<Turn>& turns) {
    std::string text;
    turns.visit([&](const Turn& turn) { text += std::to_string(turn.number) + " "; },
                [&](std::size_t omitted) { text += "(" + std::to_string(omitted) + " omitted) "; });
    return text;
  }
  Pipeline pipeline{"p"};
  std::optional<Stage<std::string>> seen;
};

std::string uninterrupted(const HistoryOptions<Turn>& options, int last) {
  MemoryStore store;
  Talk talk{options, last};
  const Report report = resume(talk.pipeline, store, {.run = "r"});
  return report ? report[*talk.seen] : "failed";
}

TEST(Histories, GoOnAfterTheLastEntryWhereverTheyAreKilled) {
  const HistoryOptions<Turn> lossless;
  const HistoryOptions<Turn> compacted{.compaction = {.first = 2, .last = 3, .threshold = 6}};
  const HistoryOptions<Turn> batched{
      .every = 4, .compaction = {.first = 2, .last = 3, .threshold = 6, .every = 3}};
  for (const auto& how : {lossless, compacted, batched}) {
    for (int at = 1; at <= 12; ++at) {
      const TempFolder folder;
      const Tally tally{folder / "tally"};
      ChildProcess child([&] {
        FileStore store{folder / "store"};
        Talk killed{how, 12, [&](int turn) {
                      if (turn == at) ::raise(SIGKILL);
                      tally(std::to_string(turn));
                    }};
        return resume(killed.pipeline, store, {.run = "r"}).exit_code();
      });
      ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
      FileStore store{folder / "store"};
      Talk talk{how, 12, [&](int turn) { tally(std::to_string(turn)); }};
      const Report report = resume(talk.pipeline, store, {.run = "r"});
      ASSERT_TRUE(report);
      EXPECT_EQ(report[*talk.seen], uninterrupted(how, 12));
      for (int i = 1; how.every == 1 && i <= 12; ++i) {
        EXPECT_EQ(tally.of(std::to_string(i)), 1) << i << ", killed in " << at;
      }
    }
  }
}

/// Adds up the bytes that each commit writes.
class MeasuringStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::vector<std::size_t> bytes;

 private:
  class MeasuringLease final : public ForwardingLease {
   public:
    MeasuringLease(std::unique_ptr<Lease> next, std::vector<std::size_t>& bytes)
        : ForwardingLease(std::move(next)), bytes_(bytes) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      std::size_t all = 0;
      for (const Put& put : batch.puts) {
        all += put.id.path.size() + put.tag.raw.size() + put.header.size() + put.payload->size();
      }
      bytes_.push_back(all);
      return next().commit(batch, options);
    }
    std::vector<std::size_t>& bytes_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<MeasuringLease>(next().lease(run, request), bytes);
  }
};

TEST(Histories, OfAThousandTurnsWriteAsMuchInTheLastAsInTheTenth) {
  const ManualTime time;  // how long a turn took is in its record
  MemoryStore memory;
  MeasuringStore store{memory};
  Pipeline p{"p"};
  std::vector<std::size_t> in_turn;
  p.stage("talk", [&](Context& ctx) {
    auto turns = ctx.history<Turn>();
    while (turns.size() < 1000) {
      store.bytes.clear();
      turns.push_back({100'000 + static_cast<int>(turns.size()), std::string(200, 'x')});
      std::size_t all = 0;
      for (const std::size_t one : store.bytes) all += one;
      in_turn.push_back(all);
    }
  });
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  ASSERT_EQ(in_turn.size(), 1000U);
  for (std::size_t i = 9; i < 1000; ++i) ASSERT_EQ(in_turn[i], in_turn[9]) << "turn " << i + 1;
  std::printf("bytes written in turn 10: %zu, in turn 100: %zu, in turn 1000: %zu\n", in_turn[9],
              in_turn[99], in_turn[999]);
}

TEST(Histories, OfEightyExchangesCompactedToFiveAndTwentyAreTwentySixEntries) {
  MemoryStore store;
  Pipeline p{"p"};
  const auto check = [](const History<Turn>& turns) {
    std::size_t entries = 0;
    std::vector<std::size_t> marks;
    turns.visit([&](const Turn&) { ++entries; },
                [&](std::size_t omitted) {
                  ++entries;
                  marks.push_back(omitted);
                });
    EXPECT_EQ(turns.size(), 80U);
    EXPECT_EQ(entries, 26U);
    EXPECT_THAT(marks, ElementsAre(55U));
    EXPECT_TRUE(turns.lossy());
    EXPECT_EQ(turns.entries().at(4).number, 5);
    EXPECT_EQ(turns.entries().at(5).number, 61);
  };
  bool fails = true;
  p.stage("talk", [&](Context& ctx) {
    auto turns =
        ctx.history<Turn>({.compaction = {.first = 5, .last = 20, .threshold = 50}, .keep = true});
    while (turns.size() < 80) turns.push_back({static_cast<int>(turns.size()) + 1, ""});
    check(turns);
    if (fails) throw std::runtime_error("once more");
  });
  EXPECT_FALSE(resume(p, store, {.run = "r"}));
  fails = false;
  EXPECT_TRUE(resume(p, store, {.run = "r"})) << "and so they are when they are read back";
  std::size_t records = 0;
  store.scan("r", {.prefix = "@history/"}, [&](const RecordHead&) { return ++records > 0; });
  EXPECT_EQ(records, 26U) << "what is omitted is not kept in the store";
}

/// The nth commit of each lease fails, and changes nothing.
class FailingStore final : public ForwardingStore {
 public:
  FailingStore(CheckpointStore& next, int nth) : ForwardingStore(next), nth_(nth) {}
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  class FailingLease final : public ForwardingLease {
   public:
    FailingLease(std::unique_ptr<Lease> next, FailingStore& store)
        : ForwardingLease(std::move(next)), store_(store) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      if (store_.nth_-- == 0) store_.failed_ = true;
      if (store_.failed_) throw Error(Errc::store_failed, {.what = "the disk is full"});
      return next().commit(batch, options);
    }
    FailingStore& store_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<FailingLease>(next().lease(run, request), *this);
  }
  int nth_;
  bool failed_ = false;
};

/// What a loop of 15 turns has seen in its last turns, interrupted at the nth commit (-1: never).
/// With `counts` it has a progress beside its history.
std::string seen_when_cut(const HistoryOptions<Turn>& how, bool counts, int nth, bool& was_cut) {
  MemoryStore memory;
  Pipeline p{"p"};
  const auto talk = p.stage("talk", [&](Context& ctx) {
    std::optional<Progress<Count>> count;
    if (counts) count.emplace(ctx.progress(Count{}, {.every = 2}));
    auto turns = ctx.history(how);
    while (turns.size() < 15) {
      if (count) {
        EXPECT_EQ((*count)->turn, static_cast<int>(turns.size()));
      }
      const int number = static_cast<int>(turns.size()) + 1;
      turns.push_back({number, "saw " + Talk::view(turns)});
      if (!count) continue;
      (*count)->sum += ++(*count)->turn;
      count->safepoint();
    }
    std::string text = count ? std::to_string((*count)->sum) + ": " : "";
    turns.visit([&](const Turn& turn) { text += turn.text + "; "; },
                [&](std::size_t omitted) { text += std::to_string(omitted) + " omitted; "; });
    return text;
  });
  FailingStore failing{memory, nth};
  static_cast<void>(resume(p, failing, {.run = "r"}));
  was_cut = failing.failed();
  const Report report = resume(p, memory, {.run = "r"});
  return report ? report[talk] : "failed";
}

TEST(Histories, ShowALoopThatWasCutAtAnyCommitWhatAnUninterruptedOneSees) {
  const HistoryOptions<Turn> compacted{.compaction = {.first = 2, .last = 3, .threshold = 6}};
  const HistoryOptions<Turn> batched{
      .every = 4, .compaction = {.first = 2, .last = 3, .threshold = 6, .every = 3}};
  const HistoryOptions<Turn> lossless;
  for (const auto& how : {compacted, batched, lossless}) {
    for (const bool counts : {false, true}) {
      bool was_cut = false;
      const std::string whole = seen_when_cut(how, counts, -1, was_cut);
      EXPECT_FALSE(was_cut);
      was_cut = true;
      int cuts = 0;
      for (int nth = 0; was_cut; ++nth) {
        ASSERT_EQ(seen_when_cut(how, counts, nth, was_cut), whole) << "cut at commit " << nth;
        cuts += was_cut ? 1 : 0;
      }
      EXPECT_GT(cuts, 5);
    }
  }
}

/// What each commit writes and erases below the history: `+0000000000 +gap -0000000001`.
class CommitsStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  Strings commits;

 private:
  class CommitsLease final : public ForwardingLease {
   public:
    CommitsLease(std::unique_ptr<Lease> next, Strings& commits)
        : ForwardingLease(std::move(next)), commits_(commits) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      std::string text;
      for (const Put& put : batch.puts) add(text, '+', put.id);
      for (const RecordId& id : batch.erases) add(text, '-', id);
      if (!text.empty()) commits_.push_back(text);
      return next().commit(batch, options);
    }
    static void add(std::string& text, char sign, const RecordId& id) {
      constexpr std::string_view history = "@history/talk/history/";
      if (!id.path.starts_with(history)) return;
      if (!text.empty()) text += ' ';
      text.append(1, sign).append(id.path.substr(history.size()));
    }
    Strings& commits_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<CommitsLease>(next().lease(run, request), commits);
  }
};

TEST(Histories, SaveAnEntryAndTheGapThatItCausesInOneCommit) {
  MemoryStore memory;
  CommitsStore store{memory};
  Talk talk{{.compaction = {.first = 1, .last = 2, .threshold = 4, .every = 2}, .keep = true}, 7};
  ASSERT_TRUE(resume(talk.pipeline, store, {.run = "r"}));
  EXPECT_THAT(store.commits,
              ::testing::ElementsAre("+0000000000", "+0000000001", "+0000000002", "+0000000003",
                                     "+0000000004 +gap -0000000001 -0000000002", "+0000000005",
                                     "+0000000006 +gap -0000000003 -0000000004 -gap"));
}

TEST(Histories, CompactWhatWasSavedWithoutCompaction) {
  const HistoryOptions<Turn> options{
      .compaction = {.first = 1, .last = 2, .threshold = 4, .every = 3}};
  for (int saved = 1; saved <= 12; ++saved) {
    MemoryStore store;
    Talk whole{{}, 12, [&](int turn) {
                 if (turn == saved + 1) throw std::runtime_error("no");
               }};
    EXPECT_EQ(static_cast<bool>(resume(whole.pipeline, store, {.run = "r"})), saved == 12);
    if (saved == 12) break;
    Talk talk{options, 12};
    const Report report = resume(talk.pipeline, store, {.run = "r"});
    ASSERT_TRUE(report);
    EXPECT_EQ(report[*talk.seen], uninterrupted(options, 12)) << "saved " << saved;
  }
}

TEST(Histories, AndProgressOfAStageThatIsDoneAreErasedUnlessKept) {
  for (const bool keep : {false, true}) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    const auto bytes_on_disk = [&] {
      std::uintmax_t bytes = 0;
      for (const auto& entry : std::filesystem::recursive_directory_iterator{folder / "store"}) {
        if (entry.is_regular_file()) bytes += entry.file_size();
      }
      return bytes;
    };
    std::uintmax_t within = 0;
    Pipeline p{"p"};
    p.stage("talk", [&](Context& ctx) {
      auto state = ctx.progress(std::string(100'000, 's'), {.keep = keep});
      auto turns = ctx.history<std::string>(
          {.compaction = {.first = 1, .last = 3, .threshold = 5}, .keep = keep});
      for (int i = 0; i < 7; ++i) {
        turns.push_back(std::string(10'000, 't'));
        state.safepoint();
      }
      within = bytes_on_disk();
      return std::string(20'000, 'v');
    });
    ASSERT_TRUE(resume(p, store, {.run = "r"}));
    EXPECT_GT(within, 240'000U);
    std::size_t left = 0;
    for (const char* prefix : {"@progress/", "@history/"}) {
      store.scan("r", {.prefix = prefix}, [&](const auto&) { return ++left > 0; });
    }
    if (keep) {
      EXPECT_GE(left, 2U + 4U + 1U) << "two saves, four entries and the gap";
      EXPECT_GT(bytes_on_disk(), within);
    } else {
      EXPECT_EQ(left, 0U);
      EXPECT_LT(bytes_on_disk(), 30'000U);
    }
  }
}

TEST(Histories, AreLosslessUnlessAskedOtherwise) {
  EXPECT_EQ(uninterrupted({}, 60).find("omitted"), std::string::npos);
  EXPECT_EQ(uninterrupted({.compaction = {.first = 1, .last = 1, .threshold = 4, .every = 2}}, 4),
            "1 2 3 4 ");
  EXPECT_EQ(uninterrupted({.compaction = {.first = 1, .last = 1, .threshold = 4, .every = 2}}, 5),
            "1 (3 omitted) 5 ");
  EXPECT_EQ(uninterrupted({.compaction = {.first = 1, .last = 1, .threshold = 4, .every = 2}}, 6),
            "1 (3 omitted) 5 6 ")
      << "only at declared numbers";
  EXPECT_EQ(uninterrupted({.compaction = {.first = 1, .last = 1, .threshold = 4, .every = 2}}, 7),
            "1 (5 omitted) 7 ");
}

TEST(Histories, AreNeverCutBetweenACallAndItsResult) {
  // Odd numbers are calls, even ones their results.
  const HistoryOptions<Turn> options{
      .compaction = {.first = 1, .last = 3, .threshold = 8},
      .keep_with_previous = [](const Turn& turn) { return turn.number % 2 == 0; }};
  EXPECT_EQ(uninterrupted(options, 8), "1 2 3 4 5 6 7 8 ");
  EXPECT_EQ(uninterrupted(options, 9), "1 2 (4 omitted) 7 8 9 ");
  EXPECT_EQ(uninterrupted(options, 10), "1 2 (4 omitted) 7 8 9 10 ");
  EXPECT_EQ(uninterrupted(options, 11), "1 2 (6 omitted) 9 10 11 ");
}

TEST(Histories, StayOutOfTheirGapWhenACrashBringsEntriesBack) {
  const TempFolder folder;
  const HistoryOptions<Turn> options{.compaction = {.first = 1, .last = 2, .threshold = 4}};
  FileStore store{folder / "store"};
  const auto entries = folder / "store/r/.resumable/checkpoints/@history/talk/history";
  std::string third;
  Talk failing{options, 9, [&](int turn) {
                 if (turn == 4) third = read_file(entries / "0000000002.1.ckpt");
                 if (turn == 8) throw std::runtime_error("no");
               }};
  ASSERT_FALSE(resume(failing.pipeline, store, {.run = "r"}));
  ASSERT_FALSE(std::filesystem::exists(entries / "0000000002.1.ckpt"));
  write_file(entries / "0000000002.1.ckpt", third);
  Talk talk{options, 9};
  const Report report = resume(talk.pipeline, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[*talk.seen], uninterrupted(options, 9));
}

TEST(Histories, KeepWhatComesBeforeADamagedEntry) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Talk failing{{}, 6, [](int turn) {
                 if (turn == 5) throw std::runtime_error("no");
               }};
  ASSERT_FALSE(resume(failing.pipeline, store, {.run = "r"}));
  const auto third =
      folder / "store/r/.resumable/checkpoints/@history/talk/history/0000000002.1.ckpt";
  std::string bytes = read_file(third);
  bytes[bytes.size() - 3] ^= 1;
  write_file(third, bytes);
  Calls calls;
  Talk talk{{}, 6, [&](int turn) { calls(std::to_string(turn)); }};
  const Report report = resume(talk.pipeline, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[*talk.seen], "1 2 3 4 5 6 ");
  EXPECT_EQ(calls.take(), "3, 4, 5, 6");
}

TEST(Histories, NeverJoinWhatFollowsADamagedEntryToWhatWasPushedInItsPlace) {
  const HistoryOptions<Turn> lossless;
  const HistoryOptions<Turn> batched{.every = 3};
  const HistoryOptions<Turn> compacted{.compaction = {.first = 2, .last = 3, .threshold = 6}};
  for (const auto& how : {lossless, batched, compacted}) {
    MemoryStore memory;
    std::string life = "first";
    const auto talk_until = [&](int last) {
      std::string seen;
      Pipeline p{"p"};
      p.stage("talk", [&](Context& ctx) {
        auto turns = ctx.history(how);
        while (static_cast<int>(turns.size()) < last) {
          turns.push_back({static_cast<int>(turns.size()) + 1, life});
        }
        turns.save();
        turns.visit([&](const Turn& turn) { seen += turn.text + " "; },
                    [&](std::size_t omitted) { seen += std::to_string(omitted) + " omitted "; });
        throw std::runtime_error("once more");
      });
      EXPECT_FALSE(resume(p, memory, {.run = "r"}));
      return seen;
    };
    talk_until(9);
    static_cast<void>(memory.lease("r")->quarantine({"@history/talk/history/0000000001", 1}));
    life = "second";
    EXPECT_EQ(talk_until(3), "first second second ");
    life = "third";
    EXPECT_EQ(talk_until(4), "first second second third ");
    life = "fourth";
    EXPECT_THAT(talk_until(12), ::testing::StartsWith("first second "))
        << "tombstones are replaced";
  }
}

TEST(Histories, RefuseOptionsThatContradictEachOther) {
  MemoryStore store;
  for (const HistoryOptions<Turn>& wrong :
       {HistoryOptions<Turn>{.every = 0}, HistoryOptions<Turn>{.compaction = {.threshold = 5}},
        HistoryOptions<Turn>{.compaction = {.first = 3, .last = 3, .threshold = 5}}}) {
    Talk talk{wrong, 1};
    EXPECT_EQ(code_of(resume(talk.pipeline, store, {.run = "r"})), Errc::bad_option);
  }
}

}  // namespace
}  // namespace resumable::test
