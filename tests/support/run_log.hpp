/// @file
/// What happened in a run, and what it left: for tests that kill it and go on.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/digest.hpp"
#include "resumable/observer.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

/// Lines in a file, which a killed process leaves to the next.
class Journal {
 public:
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}
  void note(std::string_view line) const {
    std::ofstream(file_, std::ios::app | std::ios::binary) << line << '\n' << std::flush;
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  void clear() const { std::filesystem::remove(file_); }

 private:
  std::filesystem::path file_;
};

/// Keeps events as `kind stage[/item]`, and calls back at each.
class EventLog final : public Observer {
 public:
  explicit EventLog(std::function<void(const Event&)> call = {}) : call_(std::move(call)) {}
  void on_event(const Event& event) override {
    std::string line = std::string(to_string(event.kind)) + " " + event.stage;
    if (!event.item.empty()) line += "/" + event.item;
    lines_.push_back(line);
    if (call_) call_(event);
  }
  [[nodiscard]] std::vector<std::string> of(EventKind kind) const {
    std::vector<std::string> found;
    const std::string begin = std::string(to_string(kind)) + " ";
    for (const std::string& line : lines_) {
      if (line.starts_with(begin)) found.push_back(line.substr(begin.size()));
    }
    return found;
  }

 private:
  std::function<void(const Event&)> call_;
  std::vector<std::string> lines_;
};

/// The same as snapshot(), short enough to be shown when two differ.
[[nodiscard]] inline std::map<std::string, std::string> digests(
    const std::filesystem::path& folder) {
  auto all = snapshot(folder);
  for (auto& [name, bytes] : all) bytes = digest(bytes).brief();
  return all;
}

}  // namespace resumable::test
