/// @file
/// What the benchmarks of starts share: finished runs, and others' tools that find nothing to do.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <resumable/resumable.hpp>

#include "scratch.hpp"

namespace bench {

/// A fan-out of so many items, whose values are a few bytes; `exported`: each as a file, too.
inline resumable::Pipeline squares(std::int64_t items, bool exported) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(items));
  std::iota(list.begin(), list.end(), 0);
  resumable::Pipeline pipeline{"bench"};
  const auto numbers = pipeline.input("numbers", std::move(list));
  const auto all =
      pipeline.stage("squares", inputs(each(numbers)), [](std::int64_t n) { return n * n; });
  if (exported) pipeline.artifact(all, "squares/{item}.json");
  return pipeline;
}

/// A run of squares() that is finished.
template <class Store>
struct Finished {
  explicit Finished(std::int64_t items, bool exported = false)
      : pipeline(squares(items, exported)) {
    Store store = open();
    if (!resumable::resume(
            pipeline, store,
            {.run = "r", .concurrency = 8, .durability = resumable::Durability::queued})) {
      std::abort();
    }
  }
  [[nodiscard]] Store open() const { return Store{scratch.path() / "store"}; }

  Scratch scratch;
  resumable::Pipeline pipeline;
};

/// Made once for each number of items.
template <class Store>
const Finished<Store>& finished(std::int64_t items) {
  static std::map<std::int64_t, Finished<Store>> all;
  return all.try_emplace(items, items).first->second;
}

/// What people use to find that nothing is to do: Ninja, or GNU make, on as many files that are
/// newer than what they are made from. Both are called as a program; so their start counts, too.
class UpToDate {
 public:
  UpToDate(std::string program, std::int64_t edges) : program_(std::move(program)) {
    namespace fs = std::filesystem;
    const fs::path folder = scratch_.path();
    std::ofstream ninja{folder / "build.ninja"};
    std::ofstream make{folder / "Makefile"};
    ninja << "rule copy\n  command = cp $in $out\n  generator = 1\n";
    make << "all:";
    for (std::int64_t i = 0; i < edges; ++i) make << " o" << i;
    make << '\n';
    for (std::int64_t i = 0; i < edges; ++i) {
      const std::string name = std::to_string(i);
      std::ofstream{folder / ("i" + name)};
      ninja << "build o" << name << ": copy i" << name << '\n';
      make << 'o' << name << ": i" << name << "\n\tcp $< $@\n";
    }
    for (std::int64_t i = 0; i < edges; ++i) std::ofstream{folder / ("o" + std::to_string(i))};
  }
  void look() const {
    const std::string command =
        program_ + " -C " + scratch_.path().string() + " >" + scratch_.path().string() + "/said";
    if (std::system(command.c_str()) != 0) std::abort();
  }
  [[nodiscard]] static bool installed(const std::string& program) {
    return std::system((program + " --version >/dev/null 2>&1").c_str()) == 0;
  }

 private:
  Scratch scratch_;
  std::string program_;
};

}  // namespace bench
