// One idea: runs are tagged, forked, rolled back, copied and verified without the program that made
// them.
#include <iostream>
#include <string>

#include <resumable/manage.hpp>
#include <resumable/resumable.hpp>

namespace rs = resumable;

// draft -> page; returns the page.
std::string write_page(rs::CheckpointStore& store, const std::string& run,
                       const std::string& tone) {
  rs::Pipeline pipeline{"page"};
  const auto how = pipeline.input("tone", tone);
  const auto draft = pipeline.stage("draft", inputs(how),
                                    [](const std::string& as) { return "a " + as + " draft"; });
  const auto page = pipeline.stage("page", inputs(draft),
                                   [](const std::string& text) { return "page: " + text; });
  const rs::Report report = rs::resume(pipeline, store, {.run = run});
  return report ? report[page] : std::string{to_string(report.outcome())};
}

int main() {
  rs::FileStore store{"output"};
  write_page(store, "first", "plain");
  rs::tag_run(store, "first", "plain-words");

  // An experiment in a run of its own: the source stays as it is, and "page" will run again.
  const rs::CopyResult fork = rs::fork_run(store, "first", "bold", {.from_stage = "page"});
  std::cout << "forked " << fork.records << " records, without those of "
            << fork.stages_left_out.at(0) << '\n';

  // The next version, and back: the old draft is the newest generation now, so "page" follows it.
  std::cout << write_page(store, "first", "florid") << '\n';
  rs::roll_back(store, "first", "draft", {.tag = "plain-words"});
  const std::string restored = write_page(store, "first", "florid");
  std::cout << restored << '\n';

  rs::FileStore backup{"backup"};
  rs::back_up_store(store, backup);
  for (const std::string run : {"first", "bold"}) {
    const rs::Verification found = rs::verify_run(backup, run);
    std::cout << "the backup of " << run << " has " << found.records << " records, "
              << found.problems.size() << " of them damaged\n";
    if (!found.ok()) return 1;
  }
  return restored == "page: a plain draft" ? 0 : 1;
}
