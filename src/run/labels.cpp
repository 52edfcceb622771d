#include "run/labels.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::run {

void check_labels(const ResumeOptions& options) {
  constexpr std::size_t longest_name = 128;
  constexpr std::size_t longest_value = 1024;
  for (const auto& [name, value] : options.labels) {
    const bool fits = !name.empty() && name.size() <= longest_name && value.size() <= longest_value;
    if (fits && core::is_utf8(name) && core::is_utf8(value)) continue;
    throw Error(Errc::bad_option,
                {.what = fmt::format("'{}={}' cannot be a label", core::printable(name),
                                     core::printable(value)),
                 .run = options.run,
                 .kept = "nothing was changed",
                 .next = fmt::format("use UTF-8: a name of 1 to {} bytes, a value of at most {}",
                                     longest_name, longest_value)});
  }
  if (options.time_to_live.count() < 0) {
    throw Error(Errc::bad_option, {.what = "a time to live is below 0",
                                   .run = options.run,
                                   .kept = "nothing was changed",
                                   .next = "give none: the run is then kept for ever"});
  }
}

bool describe(record::RunRecord& run, const ResumeOptions& options) {
  constexpr std::size_t most = 64;
  bool changed = false;
  for (const auto& [name, value] : options.labels) {
    const auto old = run.labels.find(name);
    const bool same = old == run.labels.end() ? value.empty() : old->second == value;
    if (same) continue;
    changed = true;
    if (value.empty()) {
      run.labels.erase(old);
    } else {
      run.labels[name] = value;
    }
  }
  if (run.labels.size() > most) {
    throw Error(Errc::bad_option, {.what = fmt::format("a run has at most {} labels", most),
                                   .run = options.run,
                                   .kept = "nothing was changed",
                                   .next = "remove some of them: give them an empty value"});
  }
  const bool other_time =
      options.time_to_live.count() > 0 && options.time_to_live != run.time_to_live;
  if (other_time) run.time_to_live = options.time_to_live;
  return changed || other_time;
}

}  // namespace resumable::run
