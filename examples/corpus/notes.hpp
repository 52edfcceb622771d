/// @file
/// What stages have to say while they run, on its way to a person.
#pragma once

#include <mutex>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <resumable/observer.hpp>

namespace corpus {

/// Takes lines from any thread and prints them with the next event, one writer at a time.
class Notes final : public resumable::Observer {
 public:
  explicit Notes(std::ostream& err) : err_(err) {}

  void add(std::string line) {
    const std::scoped_lock lock{guard_};
    lines_.push_back(std::move(line));
  }
  void on_event(const resumable::Event&) override {
    std::vector<std::string> lines;
    {
      const std::scoped_lock lock{guard_};
      lines.swap(lines_);
    }
    for (const std::string& line : lines) err_ << line << "\n";
  }

 private:
  std::ostream& err_;
  std::mutex guard_;
  std::vector<std::string> lines_;
};

}  // namespace corpus
