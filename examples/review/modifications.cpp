#include "review/modifications.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>

#include "review/pipeline.hpp"

namespace review {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;

// `and 12 more changes` stands for those that a plan does not name.
std::size_t unnamed(const std::string& detail) {
  if (!detail.starts_with("and ")) return 0;
  return std::stoul("0" + detail.substr(4));
}

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in) {
    throw rs::Error(rs::Errc::unreadable,
                    {.what = "an edited file cannot be read", .file = file.string()});
  }
  return text;
}

bool is_edited(const rs::Decision& decision) {
  return std::ranges::any_of(decision.causes, [](const rs::Cause& cause) {
    return cause.reason == rs::Reason::edited || cause.reason == rs::Reason::invalid_edit;
  });
}

std::string keep_aside(const Review& one, const fs::path& folder) {
  const std::string aside = fmt::format("{}_replaced.yaml", one.field);
  fs::copy_file(folder / one.file, folder / aside, fs::copy_options::overwrite_existing);
  return aside;
}

}  // namespace

ResumedFrom resumed_from(const rs::Plan& plan, const rs::RunStatus& status) {
  ResumedFrom resumed{status.run, std::string{to_string(status.state)}, status.at};
  for (const rs::Decision& decision : plan) {
    for (const rs::Cause& cause : decision.causes) {
      if (cause.reason != rs::Reason::edited) continue;
      if (cause.before.empty() && cause.after.empty()) {
        resumed.count += unnamed(cause.detail);
        continue;
      }
      const char* action = cause.before.empty()  ? "added"
                           : cause.after.empty() ? "deleted"
                                                 : "changed";
      resumed.modifications.push_back({action, fs::path{cause.file}.filename().string(),
                                       cause.subject, cause.before, cause.after});
      ++resumed.count;
    }
  }
  return resumed;
}

void log(const ResumedFrom& resumed, const fs::path& folder) {
  nlohmann::ordered_json line{{"checkpoint_name", resumed.run}, {"state", resumed.state}};
  if (resumed.at) line["timestamp"] = rs::to_string(*resumed.at);
  line["count"] = resumed.count;
  line["modifications"] = nlohmann::ordered_json::array();
  for (const Modification& one : resumed.modifications) {
    line["modifications"].push_back({{"action", one.action},
                                     {"file", one.file},
                                     {"path", one.path},
                                     {"original", one.before},
                                     {"modified", one.after}});
  }
  std::ofstream out{folder / "resumed_from.jsonl", std::ios::app};
  out << line.dump() + "\n" << std::flush;
  if (!out) {
    throw rs::Error(rs::Errc::store_failed, {.what = "the log of changes cannot be written",
                                             .file = (folder / "resumed_from.jsonl").string()});
  }
}

long days_since(rs::Timestamp at, std::chrono::system_clock::time_point now) {
  return std::chrono::duration_cast<std::chrono::days>(now - at).count();
}

std::vector<std::string> take_edited_files(const rs::Plan& plan, const fs::path& folder) {
  std::vector<std::string> done;
  for (const Review& one : reviews) {
    const fs::path other = folder / one.other;
    if (!fs::exists(other)) continue;
    try {
      check_edit(one.field, read(other));
    } catch (const rs::Error&) {
      throw;
    } catch (const std::exception& error) {
      throw rs::Error(rs::Errc::edited, {.what = fmt::format("'{}' cannot become the {}: {}",
                                                             one.other, one.field, error.what()),
                                         .file = other.string(),
                                         .kept = "nothing was changed",
                                         .next = "correct the file, or move it away"});
    }
    const fs::path place = folder / one.file;
    if (is_edited(plan[one.field])) {
      done.push_back(
          fmt::format("{}, which was edited, too, is now {}", one.file, keep_aside(one, folder)));
    }
    fs::rename(other, place);
    done.push_back(fmt::format("{} is now {}", one.other, one.file));
  }
  return done;
}

std::vector<std::string> edited_files(const fs::path& folder) {
  std::vector<std::string> found;
  for (const Review& one : reviews) {
    if (!fs::exists(folder / one.other)) continue;
    found.push_back(fmt::format(
        "{} is there: `continue` first puts it in the place of {}. This plan is without it",
        one.other, one.file));
  }
  return found;
}

std::vector<std::string> damage_of(const rs::Plan& plan) {
  std::vector<std::string> found;
  const auto add = [&](const std::string& what, const std::vector<rs::Cause>& causes) {
    for (const rs::Cause& cause : causes) {
      if (cause.reason != rs::Reason::fell_back && cause.reason != rs::Reason::damaged) continue;
      found.push_back(fmt::format("{}{}", what, cause.text()));
    }
  };
  for (const rs::Decision& decision : plan) {
    add(fmt::format("stage '{}': ", decision.stage), decision.causes);
  }
  add("", plan.notes());
  return found;
}

}  // namespace review
