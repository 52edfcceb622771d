// Reading finished items, counted in calls to the file system.
#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record_format.hpp"
#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory.hpp"

namespace resumable::test {

/// Bytes that are not in memory, and how many of them were read.
class FarPayload final : public Payload {
 public:
  explicit FarPayload(std::uint64_t size) : size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size_ - at));
    std::fill_n(to.begin(), count, 'x');
    read_ += count;
    most_ = std::max(most_.load(), allocated_bytes());
    return count;
  }
  [[nodiscard]] std::uint64_t bytes_read() const { return read_; }
  [[nodiscard]] std::size_t most_allocated() const { return most_; }

 private:
  std::uint64_t size_;
  mutable std::atomic<std::uint64_t> read_ = 0;
  mutable std::atomic<std::size_t> most_ = 0;  ///< while it was read
};

struct Far {
  std::shared_ptr<const Payload> bytes;
};

}  // namespace resumable::test

template <>
struct resumable::Codec<resumable::test::Far> {
  static constexpr CodecId id = CodecId::user;
  static std::shared_ptr<const Payload> encode(const test::Far& far) { return far.bytes; }
  static test::Far decode(std::shared_ptr<const Payload> bytes) { return {std::move(bytes)}; }
};

namespace resumable::test {
namespace {

/// Calls of the file system by their kind.
struct CallCounts {
  std::array<double, op_count> of{};

  [[nodiscard]] double all() const {
    double sum = 0;
    for (const double one : of) sum += one;
    return sum;
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    for (std::size_t i = 0; i < op_count; ++i) {
      if (of[i] != 0) out << ' ' << to_string(static_cast<Op>(i)) << ' ' << of[i];
    }
    return out.str();
  }
};

/// A run whose items are done, and a new store to look at it with.
class DoneRun {
 public:
  /// `declare` is given the pipeline and the list of the items.
  template <class Declare>
  DoneRun(std::size_t how_many, Declare declare) {
    std::vector<std::string> pages;
    for (std::size_t i = 0; i < how_many; ++i) pages.push_back("page " + std::to_string(i));
    declare(pipeline_, pipeline_.input("pages", pages));
    FileStore store = open();
    EXPECT_EQ(resume(pipeline_, store, options()).outcome(), Outcome::done);
  }

  /// The calls of `look`, which gets a store that nobody has used.
  template <class Look>
  [[nodiscard]] CallCounts count(Look look) {
    FileStore store = open();
    files_.reset_counts();
    look(pipeline_, store, options());
    CallCounts counts;
    for (std::size_t i = 0; i < op_count; ++i) {
      counts.of[i] = static_cast<double>(files_.count(static_cast<Op>(i)));
    }
    return counts;
  }

 private:
  [[nodiscard]] FileStore open() { return FileStore(folder_.path(), {.files = &files_}); }
  [[nodiscard]] ResumeOptions options() const { return {.run = "r"}; }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  FaultyFileSystem files_{*posix_};
  record::TestEnvironment environment_{{.file_system = &files_}};
  Pipeline pipeline_{"p"};
};

/// What one more item costs: what does not grow with the items is left out. Both lists are too long
/// for the piece that is read of a record first.
template <class Declare, class Look>
CallCounts calls_of_an_item(Declare declare, Look look) {
  constexpr std::size_t few = 300;
  constexpr std::size_t many = 500;
  const CallCounts before = DoneRun(few, declare).count(look);
  CallCounts item = DoneRun(many, declare).count(look);
  for (std::size_t i = 0; i < op_count; ++i) {
    item.of[i] = (item.of[i] - before.of[i]) / static_cast<double>(many - few);
  }
  return item;
}

/// A fan-out over the list, with an artifact of each item or without.
auto drafts(bool artifacts) {
  return [=](Pipeline& p, const Stage<std::vector<std::string>>& list) {
    const auto all =
        p.stage("draft", inputs(each(list)), [](const std::string& page) { return page + "\n"; });
    if (artifacts) p.artifact(all, "pages/{item}.md");
  };
}

void resume_again(const Pipeline& pipeline, CheckpointStore& store, const ResumeOptions& options) {
  EXPECT_EQ(resume(pipeline, store, options).outcome(), Outcome::done);
}
void plan_again(const Pipeline& pipeline, CheckpointStore& store, const ResumeOptions& options) {
  EXPECT_FALSE(ResumePlanner(store).plan(pipeline, options).refused());
}
void look_at_status(const Pipeline& pipeline, CheckpointStore& store,
                    const ResumeOptions& options) {
  EXPECT_EQ(status(pipeline, store, options.run).stages.size(), 1U);
}

TEST(Calls, OfADoneItemAreAFewWhenItIsResumed) {
  const CallCounts item = calls_of_an_item(drafts(false), resume_again);
  EXPECT_LE(item.all(), 3.0) << item.text();
}

TEST(Calls, OfADoneItemWithAnArtifactAreAFewWhenItIsResumed) {
  const CallCounts item = calls_of_an_item(drafts(true), resume_again);
  EXPECT_LE(item.all(), 6.0) << item.text();
}

TEST(Calls, OfADoneItemAreAFewWhenItIsPlanned) {
  const CallCounts item = calls_of_an_item(drafts(false), plan_again);
  EXPECT_LE(item.all(), 3.0) << item.text();
}

TEST(Calls, OfADoneItemWithAnArtifactAreAFewWhenItIsPlanned) {
  const CallCounts item = calls_of_an_item(drafts(true), plan_again);
  EXPECT_LE(item.all(), 6.0) << item.text();
}

TEST(Calls, OfADoneItemAreAFewWhenItsStatusIsAskedFor) {
  const CallCounts item = calls_of_an_item(drafts(false), look_at_status);
  EXPECT_LE(item.all(), 3.0) << item.text();
}

TEST(Calls, OfADoneItemWithAnArtifactAreAFewWhenItsStatusIsAskedFor) {
  const CallCounts item = calls_of_an_item(drafts(true), look_at_status);
  EXPECT_LE(item.all(), 6.0) << item.text();
}

/// Each root enqueues another item. An item's two records are in one file: two files are scanned,
/// and of one the record is read that says what was enqueued.
TEST(Calls, OfADoneItemOfAQueueReadOnceWhatItHasEnqueued) {
  const auto add_queue = [](Pipeline& p, const auto& list) {
    p.queue("crawl", inputs(each(list)), [](Context& ctx, const std::string& page) {
      if (!page.ends_with("/more")) ctx.enqueue(page + "/more");
      return page;
    });
  };
  const CallCounts root = calls_of_an_item(add_queue, resume_again);
  EXPECT_LE(root.all(), 3 * 4.0 + 0.5) << root.text();
}

TEST(Calls, OfAValueThatIsNotInMemoryReadItOnceWhenItIsSaved) {
  TempFolder folder;
  FileStore store{folder / "store"};
  constexpr std::uint64_t size = (std::uint64_t{3} << 20U) + 7;
  const auto value = std::make_shared<const FarPayload>(size);
  const auto step = std::make_shared<const FarPayload>(size);
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    static_cast<void>(ctx.step("far", [&] { return Far{step}; }));
    return Far{value};
  });
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_EQ(report.outcome(), Outcome::done);
  EXPECT_EQ(value->bytes_read(), size);
  EXPECT_EQ(step->bytes_read(), size);
  const std::string bytes(size, 'x');
  const auto stored = store.get("r", {"s", 1});
  ASSERT_TRUE(stored);
  EXPECT_EQ(core::head_of(stored->tag).identity, digest(bytes)) << "the value's bytes name it";
  EXPECT_EQ(core::digest_of(*stored->payload), digest(bytes));
  EXPECT_EQ(outline(ResumePlanner{store}.plan(p, {.run = "r", .verify_payloads = true})),
            "s skip done");
}

TEST(Calls, OfAnInputThatIsNotInMemoryNeverHoldIt) {
  TempFolder folder;
  FileStore store{folder / "store"};
  constexpr std::uint64_t size = std::uint64_t{64} << 20U;
  for (const char* const again : {"new", "recorded"}) {
    const auto value = std::make_shared<const FarPayload>(size);
    Pipeline p{"p"};
    const auto far = p.input("far", Far{value});
    p.stage("s", inputs(far), [](const Far& given) { return given.bytes->size(); });
    const std::size_t before = allocated_bytes();
    EXPECT_EQ(resume(p, store, {.run = "r"}).outcome(), Outcome::done) << again;
    EXPECT_LT(value->most_allocated() - before, size / 8) << again;
    EXPECT_GE(value->bytes_read(), size);
  }
}

}  // namespace
}  // namespace resumable::test
