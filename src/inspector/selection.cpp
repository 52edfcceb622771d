// Which runs a person means.
#include <algorithm>
#include <ctime>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "inspector/request.hpp"
#include "resumable/error.hpp"
#include "resumable/open_store.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// When something last worked on it.
Timestamp last_work(const RunInfo& run) {
  return run.at.value_or(run.started.value_or(Timestamp{}));
}

/// `name`, or `name=value`.
bool has_label(const RunInfo& run, const std::string& word) {
  const std::size_t equals = word.find('=');
  const auto label = run.labels.find(word.substr(0, equals));
  return label != run.labels.end() &&
         (equals == word.npos || label->second == word.substr(equals + 1));
}

bool passes(const Request& request, const RunInfo& run) {
  if (!request.state.empty() && state_text(run) != request.state) return false;
  if (!request.pipeline.empty() && run.pipeline != request.pipeline) return false;
  for (const std::string& label : request.labels) {
    if (!has_label(run, label)) return false;
  }
  if (request.since.count() == 0) return true;
  return last_work(run) >= std::chrono::system_clock::now() - request.since;
}

std::vector<RunInfo> filtered(const Request& request) {
  static constexpr std::string_view states[] = {"created",     "running",   "done",
                                                "failed",      "refused",   "waiting",
                                                "interrupted", "suspended", "killed"};
  std::vector<RunInfo> runs = list_runs(*request.store);
  const bool known = request.state.empty() || std::ranges::count(states, request.state) > 0 ||
                     std::ranges::count(runs, request.state, state_text) > 0;
  if (!known) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("no run can be '{}'", core::printable(request.state)),
                 .next = fmt::format("the states are {}", fmt::join(states, ", "))});
  }
  std::erase_if(runs, [&](const RunInfo& run) { return !passes(request, run); });
  std::ranges::stable_sort(runs, std::ranges::greater{}, last_work);
  return runs;
}

/// The first few ids, for messages.
std::string some_ids(const std::vector<RunInfo>& runs) {
  constexpr std::size_t most = 8;
  std::vector<std::string> ids;
  for (const RunInfo& run : runs) {
    if (ids.size() < most) ids.push_back(core::printable(run.run));
  }
  std::string text = fmt::format("{}", fmt::join(ids, ", "));
  if (runs.size() > most) text += fmt::format(" and {} more", runs.size() - most);
  return text;
}

[[noreturn]] void nothing_found(const Request& request, std::string_view word,
                                const std::vector<RunInfo>& filtered_runs) {
  const std::string url = request.store->url();
  const std::vector<RunInfo> all = list_runs(*request.store);
  if (all.empty()) {
    throw Error(Errc::unknown_run,
                {.what = fmt::format("there are no runs in {}", url),
                 .next = "a program that calls resumable::resume() with this store creates one; "
                         "for another store use --store"});
  }
  if (filtered_runs.empty()) {
    throw Error(
        Errc::unknown_run,
        {.what = fmt::format("none of the {} runs in {} fits these filters", all.size(), url),
         .next = typed(request, "list")});
  }
  std::vector<std::string> ids;
  ids.reserve(all.size());
  for (const RunInfo& run : all) ids.push_back(run.run);
  const std::string guess = core::did_you_mean(word, ids);
  throw Error(Errc::unknown_run,
              {.what = fmt::format("there is no run '{}' in {}{}", core::printable(word), url,
                                   guess.empty() ? "" : ". Did you mean '" + guess + "'?"),
               .next = fmt::format("{}   the runs are {}", typed(request, "list"),
                                   some_ids(filtered_runs))});
}

void tell_about(const Request& request, const RunInfo& run) {
  if (run.owner) {
    request.console.err << request.console.wrap(
        fmt::format("note: run {} is in use by pid {} on {} since {}\n", core::printable(run.run),
                    run.owner->pid, core::printable(run.owner->host),
                    core::format_utc_seconds(run.owner->since)));
    return;
  }
  const auto age = std::chrono::system_clock::now() - last_work(run);
  if (request.warn_age.count() == 0 || !run.at || age < request.warn_age) return;
  request.console.err << request.console.wrap(fmt::format(
      "warning: run {} was last worked on{}: what it depends on outside may have changed "
      "(--warn-age)\n",
      core::printable(run.run), cli::ago(run.at)));
}

}  // namespace

std::string typed(const Request& request, std::string_view command,
                  const std::vector<std::string>& words) {
  std::string text = fmt::format("{} {}", request.options.program, command);
  for (const std::string& word : words) text += " " + cli::shell_quote(core::escaped(word));
  if (request.url_given) {
    text += " --store " + cli::shell_quote(core::escaped(without_password(request.url)));
  }
  return text;
}

std::vector<RunInfo> chosen_runs(const Request& request) {
  std::vector<RunInfo> runs = filtered(request);
  if (request.runs.empty()) return runs;
  std::vector<RunInfo> chosen;
  for (const std::string& word : request.runs) {
    const std::vector<RunInfo> found = find_runs(runs, word);
    if (found.empty()) nothing_found(request, word, runs);
    for (const RunInfo& run : found) {
      if (std::ranges::count(chosen, run.run, &RunInfo::run) == 0) chosen.push_back(run);
    }
  }
  std::ranges::stable_sort(chosen, std::ranges::greater{}, last_work);
  return chosen;
}

RunInfo chosen_run(const Request& request, std::size_t word) {
  const std::vector<RunInfo> runs = filtered(request);
  const bool given = word < request.runs.size();
  const std::vector<RunInfo> found = given ? find_runs(runs, request.runs[word]) : runs;
  if (found.empty()) nothing_found(request, given ? request.runs[word] : "", runs);
  if (found.size() > 1) {
    throw Error(Errc::bad_option,
                {.what = given ? fmt::format("'{}' names {} runs",
                                             core::printable(request.runs[word]), found.size())
                               : fmt::format("which of the {} runs in {}?", found.size(),
                                             request.store->url()),
                 .next = fmt::format("name one of them, or latest: {}", some_ids(found))});
  }
  if (found.front().error) throw *found.front().error;
  tell_about(request, found.front());
  return found.front();
}

std::string time_text(const Request& request, std::optional<Timestamp> at) {
  if (!at) return "-";
  const std::time_t seconds = std::chrono::system_clock::to_time_t(*at);
  std::tm parts{};
  const bool good = request.utc ? gmtime_r(&seconds, &parts) != nullptr
                                : localtime_r(&seconds, &parts) != nullptr;
  char text[32];
  const std::size_t length = good ? std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) : 0;
  return std::string{text, length} + (request.utc ? "Z" : "");
}

std::string time_text(const Request& request, std::string_view utc) {
  const auto at = core::parse_utc(utc);
  if (!at) return "-";
  return time_text(request, std::chrono::floor<std::chrono::milliseconds>(*at));
}

std::string state_text(const RunInfo& run) {
  return std::string{run.error ? to_string(run.error->errc()) : to_string(run.state)};
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
