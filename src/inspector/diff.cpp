#include <map>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "inspector/json_diff.hpp"
#include "inspector/values.hpp"
#include "resumable/error.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

using survey::RecordView;

/// One value on both sides; one of them may be missing.
struct Pair {
  std::optional<RecordView> before{};
  std::optional<RecordView> after{};
};
using Pairs = std::map<std::string, Pair>;

/// What differs of one value.
struct Entry {
  std::string key{};
  std::string what{};  ///< `changed`, `added`, `removed`
  std::string note{};  ///< where the values cannot be compared
  Differences found{};
};

struct Comparison {
  std::string before{};  ///< a run, or a run's generation
  std::string after{};
  std::string run_before{};
  std::string run_after{};
  std::vector<Entry> entries{};
  std::size_t same = 0;
};

/// Whether people mean it when they speak of what a run has made.
bool is_compared(const RecordView& record) {
  return record.kind == "value" || record.kind == "input" || record.kind == "condition";
}

/// Those that people mean, of the stage or input that is selected.
std::vector<RecordView> selected(const Request& request, const std::string& run) {
  const CheckpointStore& store = *request.store;
  const std::string path =
      request.selector.empty() ? "" : survey::path_of(store, run, request.selector);
  std::vector<RecordView> list = survey::records(store, run, survey::Depth::heads);
  std::erase_if(list, [&](const RecordView& one) {
    const bool is_it = path.empty() || one.path == path || one.path.starts_with(path + "/");
    return !is_it || !is_compared(one);
  });
  return list;
}

/// The runs' current values, by path.
Pairs pairs_of_runs(const Request& request, const Comparison& names) {
  Pairs pairs;
  for (RecordView& one : selected(request, names.run_before)) {
    if (one.current) pairs[one.path].before = std::move(one);
  }
  for (RecordView& one : selected(request, names.run_after)) {
    if (one.current) pairs[one.path].after = std::move(one);
  }
  return pairs;
}

/// Each current value and the one before it, where that is kept.
Pairs pairs_of_generations(const Request& request, const std::string& run) {
  Pairs pairs;
  for (RecordView& one : selected(request, run)) {
    if (!one.is_whole()) continue;
    Pair& pair = pairs[one.path];
    const bool is_repeated =
        one.kind == "input" && pair.after && one.identity == pair.after->identity;
    if (pair.after && !is_repeated) pair.before = std::move(pair.after);
    pair.after = std::move(one);
  }
  std::erase_if(pairs, [](const auto& one) { return !one.second.before; });
  return pairs;
}

std::string name_of(const Request& request, const std::string& run, const RecordView& record) {
  return content_of(request, run, record).record.key;
}

Entry compare(const Request& request, const Comparison& names, const Pair& pair) {
  if (!pair.before) {
    return {.key = name_of(request, names.run_after, *pair.after), .what = "added"};
  }
  if (!pair.after) {
    return {.key = name_of(request, names.run_before, *pair.before), .what = "removed"};
  }
  const auto before = content_of(request, names.run_before, *pair.before);
  const auto after = content_of(request, names.run_after, *pair.after);
  Entry entry{.key = after.record.key, .what = "changed"};
  if (before.record.dropped || after.record.dropped) {
    entry.note = "dropped after use";
    return entry;
  }
  const Value old_value = value_of(request, names.run_before, before);
  const Value new_value = value_of(request, names.run_after, after);
  if (old_value.json && new_value.json) {
    entry.found = diff_json(*old_value.json, *new_value.json);
  } else if (old_value.text && new_value.text) {
    entry.found = diff_text(*old_value.text, *new_value.text);
  } else {
    entry.note = fmt::format("{} of {}, then {} of {}",
                             cli::format_size(before.record.payload_bytes), before.record.codec,
                             cli::format_size(after.record.payload_bytes), after.record.codec);
  }
  return entry;
}

void compare_all(const Request& request, const Pairs& pairs, Comparison& result) {
  for (const auto& [path, pair] : pairs) {
    if (pair.before && pair.after && pair.before->identity == pair.after->identity) {
      ++result.same;
    } else {
      result.entries.push_back(compare(request, result, pair));
    }
  }
}

/// What the words on the command line compare.
Comparison compare_asked(const Request& request) {
  const RunInfo first = chosen_run(request);
  Comparison result{.run_before = first.run, .run_after = first.run};
  if (request.runs.size() > 1) {
    result.run_after = chosen_run(request, 1).run;
    result.before = result.run_before;
    result.after = result.run_after;
    compare_all(request, pairs_of_runs(request, result), result);
  } else if (request.generations.size() == 2) {
    if (request.selector.empty()) {
      throw Error(Errc::bad_option,
                  {.what = "--generations needs --stage",
                   .next = typed(request, "diff",
                                 {first.run, "--stage", "STAGE", "--generations", "1,2"})});
    }
    const auto get = [&](std::size_t i) {
      return record_of(request, first.run, request.selector, request.generations[i]);
    };
    result.before = fmt::format("generation {}", request.generations[0]);
    result.after = fmt::format("generation {}", request.generations[1]);
    compare_all(request, {{"", Pair{get(0), get(1)}}}, result);
  } else {
    result.before = "the generations before";
    result.after = first.run;
    compare_all(request, pairs_of_generations(request, first.run), result);
  }
  return result;
}

// ---- printing ----------------------------------------------------------------------------------

std::string shortened(const Request& request, const std::string& text) {
  constexpr std::size_t most = 70;
  std::string shown = core::escaped(text);
  if (request.all || shown.size() <= most) return shown;
  return core::printable(shown.substr(0, most)) + fmt::format("… ({} bytes)", text.size());
}

std::string change_text(const Request& request, const Change& change) {
  const std::string place =
      change.pointer.empty() ? "(whole value)" : core::escaped(change.pointer);
  const char* arrow = request.console.ascii ? "->" : "→";
  if (change.after.empty()) {
    return fmt::format("    {}  removed  {}\n", place, shortened(request, change.before));
  }
  if (change.before.empty()) {
    return fmt::format("    {}  added  {}\n", place, shortened(request, change.after));
  }
  return fmt::format("    {}  {} {} {}\n", place, shortened(request, change.before), arrow,
                     shortened(request, change.after));
}

std::string entry_text(const Request& request, const Entry& entry) {
  constexpr std::size_t most = 40;
  std::string text = fmt::format("  {} {}  {}{}\n", cli::symbol(request.console, cli::Mark::stale),
                                 core::printable(entry.key), entry.what,
                                 entry.note.empty() ? "" : "  " + entry.note);
  const auto& changes = entry.found.changes;
  const std::size_t shown = request.all ? changes.size() : std::min(changes.size(), most);
  for (std::size_t i = 0; i < shown; ++i) text += change_text(request, changes[i]);
  if (shown < changes.size()) {
    text += fmt::format("    {} more changes hidden: --all\n", changes.size() - shown);
  }
  if (entry.found.unchanged > 0) {
    text += fmt::format("    {} unchanged hidden\n", entry.found.unchanged);
  }
  return text;
}

Document entry_json(const Entry& entry) {
  Document json{{"key", entry.key}, {"what", entry.what}, {"changes", Document::array()}};
  for (const Change& change : entry.found.changes) {
    Document one{{"path", change.pointer}};
    if (!change.before.empty()) one["before"] = change.before;
    if (!change.after.empty()) one["after"] = change.after;
    json["changes"].push_back(std::move(one));
  }
  json["unchanged"] = entry.found.unchanged;
  if (!entry.note.empty()) json["note"] = entry.note;
  return json;
}

}  // namespace

int diff(Request& request) {
  const Comparison result = compare_asked(request);
  if (request.output.json) {
    Document json{{"schema", 1},
                  {"before", result.before},
                  {"after", result.after},
                  {"same", result.same},
                  {"differing", Document::array()}};
    for (const Entry& entry : result.entries) json["differing"].push_back(entry_json(entry));
    print(request.console, json);
    return 0;
  }
  std::string text = fmt::format("{} {} {}\n", core::printable(result.before),
                                 request.console.ascii ? "->" : "→", core::printable(result.after));
  for (const Entry& entry : result.entries) text += entry_text(request, entry);
  text += fmt::format("{} differ{}, {} the same\n", cli::number_of(result.entries.size(), "value"),
                      result.entries.size() == 1 ? "s" : "", result.same);
  request.console.out << request.console.wrap(text);
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
