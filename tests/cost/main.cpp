// cost WHAT UNITS TIMES: does something that costs nothing but the library's own work, on one
// thread, and in memory but for `journal`, so that instructions.sh can count its instructions.
//   stages      a chain of UNITS stages is run; again TIMES times, in other runs
//   journal     the same, in a journal
//   steps       a stage with UNITS steps
//   items       a fan-out of UNITS items
//   plan        a finished fan-out of UNITS items is planned
//   status      the status of such a run is read
//   safepoints  a loop of UNITS turns, none of whose states is due to be saved
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>
#include <unistd.h>

namespace rs = resumable;

namespace {

void must(bool good) {
  if (!good) std::abort();
}

rs::Pipeline chain(int stages) {
  rs::Pipeline pipeline{"cost"};
  auto last = pipeline.stage(rs::Name::checked("s0"), [] { return 0; });
  for (int i = 1; i < stages; ++i) {
    const std::string name = "s" + std::to_string(i);
    last = pipeline.stage(rs::Name::checked(name), inputs(last), [](int n) { return n + 1; });
  }
  return pipeline;
}

rs::Pipeline stage_of_steps(int steps) {
  rs::Pipeline pipeline{"cost"};
  static_cast<void>(pipeline.stage("work", [steps](rs::Context& context) {
    int sum = 0;
    for (int i = 0; i < steps; ++i) sum += context.step(std::to_string(i), [i] { return i; });
    return sum;
  }));
  return pipeline;
}

rs::Pipeline fan_out(int items) {
  rs::Pipeline pipeline{"cost"};
  const auto list = pipeline.stage("list", [items] {
    std::vector<std::string> keys;
    for (int i = 0; i < items; ++i) keys.push_back("item-" + std::to_string(i));
    return keys;
  });
  static_cast<void>(pipeline.stage("each", inputs(each(list)),
                                   [](const std::string& key) { return key.size(); }));
  return pipeline;
}

rs::Pipeline loop_of(int turns) {
  rs::Pipeline pipeline{"cost"};
  static_cast<void>(pipeline.stage("work", [turns](rs::Context& context) {
    auto state = context.progress(0, {.every = 1'000'000'000});
    for (int i = 0; i < turns; ++i) {
      ++*state;
      state.safepoint();
    }
    return *state;
  }));
  return pipeline;
}

void run(const rs::Pipeline& pipeline, rs::CheckpointStore& store, int number) {
  const std::string run = "r" + std::to_string(number);
  must(rs::resume(pipeline, store, {.run = run, .concurrency = 1}).exit_code() == 0);
}

/// A folder that is gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cost-XXXXXX").string();
    must(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::unique_ptr<rs::CheckpointStore> store_for(std::string_view what, const Scratch& scratch) {
  if (what == "journal") return std::make_unique<rs::JournalStore>(scratch.path());
  return std::make_unique<rs::MemoryStore>();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string_view what = argv[1];
  const int units = std::atoi(argv[2]);
  const int times = std::atoi(argv[3]);
  const Scratch scratch;
  const auto owned = store_for(what, scratch);
  rs::CheckpointStore& store = *owned;
  const bool chained = what == "stages" || what == "journal";
  const rs::Pipeline pipeline = chained                ? chain(units)
                                : what == "steps"      ? stage_of_steps(units)
                                : what == "safepoints" ? loop_of(units)
                                                       : fan_out(units);
  if (what == "plan") {
    run(pipeline, store, 0);
    for (int i = 0; i < times; ++i) {
      must(rs::ResumePlanner{store}.plan(pipeline, {.run = "r0"}).complete());
    }
  } else if (what == "status") {
    run(pipeline, store, 0);
    for (int i = 0; i < times; ++i) {
      must(rs::status(pipeline, store, "r0").state == rs::RunState::done);
    }
  } else {
    for (int i = 0; i < times; ++i) run(pipeline, store, i);
  }
  return 0;
}
