// What looking at items that are done costs, counted in calls of the file system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"

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
  DoneRun(std::size_t items, bool artifacts) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < items; ++i) list.push_back("page " + std::to_string(i));
    const auto pages = pipeline_.input("pages", list);
    const auto drafts = pipeline_.stage("draft", inputs(each(pages)),
                                        [](const std::string& page) { return page + "\n"; });
    if (artifacts) pipeline_.artifact(drafts, "pages/{item}.md");
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
  [[nodiscard]] ResumeOptions options() const { return {.run = "r", .environment = &environment_}; }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  FaultyFileSystem files_{*posix_};
  detail::Environment environment_{.file_system = &files_};
  Pipeline pipeline_{"p"};
};

/// What one more item costs: what does not grow with the items is left out.
template <class Look>
CallCounts calls_of_an_item(bool artifacts, Look look) {
  constexpr std::size_t few = 100;
  constexpr std::size_t many = 300;
  const CallCounts before = DoneRun(few, artifacts).count(look);
  CallCounts item = DoneRun(many, artifacts).count(look);
  for (std::size_t i = 0; i < op_count; ++i) {
    item.of[i] = (item.of[i] - before.of[i]) / static_cast<double>(many - few);
  }
  return item;
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
  const CallCounts item = calls_of_an_item(false, resume_again);
  EXPECT_LE(item.all(), 6.0) << item.text();
}

TEST(Calls, OfADoneItemWithAnArtifactAreAFewWhenItIsResumed) {
  const CallCounts item = calls_of_an_item(true, resume_again);
  EXPECT_LE(item.all(), 16.0) << item.text();
}

TEST(Calls, OfADoneItemAreAFewWhenItIsPlanned) {
  const CallCounts item = calls_of_an_item(false, plan_again);
  EXPECT_LE(item.all(), 6.0) << item.text();
}

TEST(Calls, OfADoneItemWithAnArtifactAreAFewWhenItIsPlanned) {
  const CallCounts item = calls_of_an_item(true, plan_again);
  EXPECT_LE(item.all(), 16.0) << item.text();
}

TEST(Calls, OfADoneItemAreAFewWhenItsStatusIsAskedFor) {
  const CallCounts item = calls_of_an_item(false, look_at_status);
  EXPECT_LE(item.all(), 6.0) << item.text();
}

}  // namespace
}  // namespace resumable::test
