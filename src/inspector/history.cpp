#include "inspector/history.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

std::string shortened(const std::string& identity) { return identity.substr(0, 8); }

struct Difference {
  std::string name;
  std::string text;
};

std::vector<Difference> differences(const survey::RecordView& now, const survey::RecordView& before,
                                    bool exact) {
  std::vector<Difference> changes;
  std::map<std::string, std::string> old{before.inputs.begin(), before.inputs.end()};
  for (const auto& [name, identity] : now.inputs) {
    const auto known = old.find(name);
    if (known == old.end()) {
      changes.push_back({name, fmt::format("input '{}' is new", name)});
      continue;
    }
    if (known->second != identity) {
      const std::string values =
          exact ? fmt::format(": {} → {}", shortened(known->second), shortened(identity)) : "";
      changes.push_back({name, fmt::format("input '{}' changed{}", name, values)});
    }
    old.erase(known);
  }
  for (const auto& [name, identity] : old) {
    changes.push_back({name, fmt::format("input '{}' is gone", name)});
  }
  return changes;
}

}  // namespace

History history_of(const survey::RecordView& record, const survey::RecordView* before, bool exact) {
  if (record.edited) {
    return {.why = record.edited_by.empty() ? std::string{"an edit became its value"}
                                            : "edited by " + record.edited_by};
  }
  if (record.from_generation > 0) {
    return {.why = fmt::format("rolled back to generation {}", record.from_generation)};
  }
  if (record.generation == 1) return {.why = "first run"};
  if (before == nullptr) return {.why = "unknown: the generation before is not kept"};
  History history;
  std::vector<std::string> lines;
  for (Difference& change : differences(record, *before, exact)) {
    history.changed.push_back(std::move(change.name));
    lines.push_back(std::move(change.text));
  }
  if (record.revision != before->revision) {
    lines.push_back(
        fmt::format("its code changed: revision {} → {}", before->revision, record.revision));
  }
  if (record.schema != before->schema) {
    lines.push_back(fmt::format("its schema changed: {} → {}", before->schema, record.schema));
  }
  history.why = lines.empty() ? "inputs and code were the same: it was requested, or its value "
                                "was too old or damaged; which of these is not recorded"
                              : fmt::format("{}", fmt::join(lines, "; "));
  return history;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
