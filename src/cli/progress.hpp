/// @file
/// What a person sees while a run goes on: a line per event.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

/// For a person: lines to read, with one when a stage or item begins, so that a long one does not
/// look like a hang. Otherwise lines to parse: `2026-11-21T20:44:01Z done stage=…`.
class Progress final : public Observer {
 public:
  explicit Progress(Console& console) : console_(console) {}
  void on_event(const Event& event) override;

 private:
  void for_people(const Event& event);
  void for_logs(const Event& event);
  void line(Mark mark, const std::string& place, const std::string& rest);
  void report_kept();
  std::string begun(const std::string& stage);

  Console& console_;
  std::vector<std::string> kept_;  ///< stages kept in a row, not printed yet
  struct Items {
    Counts counts;
    std::size_t begun = 0;  ///< in this call
  };
  std::map<std::string, Items> items_;  ///< by stage
};

}  // namespace cli
}  // namespace v0
}  // namespace resumable
