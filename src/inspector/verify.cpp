#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"
#include "survey/artifacts.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// What is known of one run after it was read.
struct Outcome {
  std::string run{};
  Verification found{};
  survey::Artifacts artifacts{};
  survey::FilesSetAside aside{};
  std::vector<survey::RecordView> records{};  ///< their heads, where something is damaged
  std::vector<std::string> moved{};           ///< by --set-aside
  std::optional<Error> error{};               ///< it could not be read as a whole
  std::optional<Error> not_moved{};

  [[nodiscard]] bool is_whole() const {
    return !error && found.problems.size() == moved.size() && artifacts.unreadable.empty();
  }
};

std::vector<RecordProblem> torn(const Verification& found) {
  std::vector<RecordProblem> list;
  for (const RecordProblem& one : found.problems) {
    if (one.damage == Damage::torn || one.damage == Damage::foreign) list.push_back(one);
  }
  return list;
}

void set_aside(const Request& request, Outcome& outcome) {
  const auto damaged = torn(outcome.found);
  if (damaged.empty()) return;
  try {
    outcome.moved = survey::set_aside(*request.store, outcome.run, damaged, request.wait);
  } catch (const Error& error) {
    outcome.not_moved = error;
  }
}

Outcome verify_one(const Request& request, const RunInfo& run) {
  Outcome outcome{.run = run.run};
  try {
    outcome.found = resumable::verify_run(*request.store, run.run);
    outcome.artifacts = survey::artifacts(*request.store, run.run, outcome.found.exported);
    outcome.aside = survey::files_set_aside(*request.store, run.run);
    if (!outcome.found.ok()) {
      outcome.records = survey::records(*request.store, run.run, survey::Depth::heads);
    }
    if (request.set_aside) set_aside(request, outcome);
  } catch (const Error& error) {
    outcome.error = error;
  }
  return outcome;
}

std::string stage_of(const RecordProblem& record) {
  if (!record.path.starts_with('@')) return record.path.substr(0, record.path.find('/'));
  return {};
}

/// Whether another generation of the same record is whole.
bool stands_in(const Outcome& outcome, const RecordProblem& one) {
  const auto& heads = outcome.records;
  return std::ranges::any_of(heads, [&](const survey::RecordView& other) {
    const bool damaged = std::ranges::any_of(outcome.found.problems, [&](const auto& problem) {
      return problem.path == other.path && problem.generation == other.generation;
    });
    return other.path == one.path && other.is_whole() && !damaged;
  });
}

/// What is left of the value, and what makes it whole again.
std::string advice(const Request& request, const Outcome& outcome, const RecordProblem& one) {
  std::string kept = "nothing else of this record; all other records";
  if (!one.current) {
    kept = "a newer generation is whole: nothing depends on this one";
  } else if (stands_in(outcome, one)) {
    kept = "an earlier generation is whole, and is used if its inputs are as they are now";
  }
  std::string next;
  switch (one.damage) {
    case Damage::newer: next = "use a newer program; nothing is wrong with it"; break;
    case Damage::unreadable: next = "let this account read the file, or use one that may"; break;
    default: {
      next = typed(request, "verify", {outcome.run, "--set-aside"});
      const std::string stage = one.current ? stage_of(one) : std::string{};
      next += "   then resume the run with its program";
      if (!stage.empty()) {
        next += fmt::format(": '{}' runs again unless an older generation can be used",
                            core::printable(stage));
      }
    }
  }
  return fmt::format("  kept  {}\n  next  {}\n", kept, next);
}

std::string findings_text(const Request& request, const Outcome& outcome) {
  std::string text;
  for (const RecordProblem& one : outcome.found.problems) {
    text += fmt::format("{} run {}: the record '{}', generation {}: {}\n  file  {}\n",
                        cli::symbol(request.console, cli::Mark::failed),
                        core::printable(outcome.run), core::printable(one.key), one.generation,
                        core::printable(one.what), core::escaped(one.file));
    if (outcome.moved.empty()) text += advice(request, outcome, one);
  }
  for (const std::string& place : outcome.moved) {
    text += fmt::format("  moved to {}\n", core::escaped(place));
  }
  if (!outcome.moved.empty()) {
    text += "  next  resume the run with its program: what is missing is made again\n";
  }
  for (const std::string& path : outcome.artifacts.unreadable) {
    text += fmt::format("{} run {}: the artifact '{}' cannot be read\n",
                        cli::symbol(request.console, cli::Mark::failed),
                        core::printable(outcome.run), core::printable(path));
  }
  if (outcome.not_moved) text += core::escaped(outcome.not_moved->explain()) + "\n";
  if (outcome.error) text += core::escaped(outcome.error->explain()) + "\n";
  return text;
}

std::string notes_text(const Outcome& outcome) {
  const auto note = [&](const std::vector<std::string>& paths, std::string_view one,
                        std::string_view several) {
    if (paths.empty()) return std::string{};
    std::vector<std::string> shown;
    for (const std::string& path : paths) {
      if (shown.size() < 5) shown.push_back(core::printable(path));
    }
    return fmt::format("note: run {}: {} {}: {}{}\n", core::printable(outcome.run),
                       cli::number_of(paths.size(), "artifact"), paths.size() == 1 ? one : several,
                       fmt::join(shown, ", "), paths.size() > shown.size() ? ", …" : "");
  };
  return note(outcome.artifacts.edited, "differs from what was exported",
              "differ from what was exported") +
         note(outcome.artifacts.missing, "is gone, and is exported again on resume",
              "are gone, and are exported again on resume");
}

Document problem_json(const Outcome& outcome, const RecordProblem& one) {
  return {{"key", one.key},
          {"path", one.path},
          {"generation", one.generation},
          {"current", one.current},
          {"damage", damage_name(one.damage)},
          {"file", one.file},
          {"what", one.what},
          {"stands_in", stands_in(outcome, one)}};
}

Document outcome_json(const Outcome& outcome) {
  const Verification& found = outcome.found;
  const survey::Artifacts& files = outcome.artifacts;
  Document json{
      {"run", outcome.run},
      {"whole", outcome.is_whole()},
      {"records", found.records},
      {"bytes", found.bytes},
      {"set_aside", found.set_aside},
      {"files_set_aside", {{"files", outcome.aside.files}, {"bytes", outcome.aside.bytes}}},
      {"artifacts", files.read},
      {"edited", files.edited},
      {"missing", files.missing},
      {"unreadable", files.unreadable},
      {"damaged", Document::array()},
      {"moved", outcome.moved}};
  for (const RecordProblem& one : found.problems) {
    json["damaged"].push_back(problem_json(outcome, one));
  }
  if (outcome.error) json["error"] = outcome.error->info().what;
  if (outcome.not_moved) json["error"] = outcome.not_moved->info().what;
  return json;
}

void print_text(const Request& request, const std::vector<Outcome>& outcomes) {
  Verification sum;
  survey::FilesSetAside aside;
  std::size_t artifacts = 0;
  std::size_t damaged = 0;
  std::size_t unread = 0;
  std::string text;
  std::string notes;
  for (const Outcome& outcome : outcomes) {
    text += findings_text(request, outcome);
    notes += notes_text(outcome);
    sum.records += outcome.found.records;
    sum.bytes += outcome.found.bytes;
    artifacts += outcome.artifacts.read;
    sum.set_aside += outcome.found.set_aside;
    aside.files += outcome.aside.files;
    aside.bytes += outcome.aside.bytes;
    damaged += outcome.found.problems.size();
    unread += outcome.error ? 1U : 0U;
  }
  text += fmt::format("{}: {} ({}) and {} read, {} damaged", cli::number_of(outcomes.size(), "run"),
                      cli::number_of(sum.records, "record"), cli::format_size(sum.bytes),
                      cli::number_of(artifacts, "artifact"), damaged);
  if (aside.files > 0) {
    text += fmt::format(", {} set aside earlier ({})", cli::number_of(aside.files, "file"),
                        cli::format_size(aside.bytes));
  } else if (sum.set_aside > 0) {
    text += fmt::format(", {} set aside earlier", sum.set_aside);
  }
  if (unread > 0) text += fmt::format(", {} could not be read", cli::number_of(unread, "run"));
  request.console.out << request.console.wrap(text + "\n");
  request.console.err << request.console.wrap(notes);
}

}  // namespace

int verify(Request& request) {
  std::vector<Outcome> outcomes;
  for (const RunInfo& run : chosen_runs(request)) outcomes.push_back(verify_one(request, run));
  if (request.output.json) {
    Document json{{"schema", 1}, {"store", request.store->url()}, {"runs", Document::array()}};
    for (const Outcome& outcome : outcomes) json["runs"].push_back(outcome_json(outcome));
    print(request.console, json);
  } else {
    print_text(request, outcomes);
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.not_moved) return outcome.not_moved->exit_code();
  }
  return std::ranges::all_of(outcomes, &Outcome::is_whole) ? 0 : 3;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
