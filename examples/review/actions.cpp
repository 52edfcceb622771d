#include "review/actions.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/plan.hpp>
#include <resumable/records.hpp>
#include <resumable/run_list.hpp>

namespace review {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

constexpr long old_days = 30;

bool is_waiting(const rs::Plan& plan, std::string_view stage) {
  return plan[stage].action == rs::Action::wait;
}

/// What the user has seen, and may have changed, waits for consent; nullptr: nothing does.
const Review* seen(const rs::Plan& plan) {
  for (const Review& one : reviews) {
    if (plan[one.gate].action == rs::Action::skip) continue;
    return plan[one.field].action == rs::Action::skip ? &one : nullptr;
  }
  return nullptr;
}

}  // namespace

Actions::Actions(const Arguments& arguments, cli::Console& console)
    : args_(arguments), console_(console), store_(args_.place) {}

int Actions::run() {
  const auto state = rs::run_state(store_, args_.name);
  if (state && *state != rs::RunState::not_begun) {
    throw rs::Error(rs::Errc::duplicate_name,
                    {.what = fmt::format("there is a run '{}' already", args_.name),
                     .kept = "nothing was changed",
                     .next = command("continue") + ", or another name"});
  }
  const ReviewPipeline review{settings()};
  args_.options.run = args_.name;
  return go(review.pipeline());
}

int Actions::resume_run(bool agrees) {
  args_.name = find();
  args_.options.run = args_.name;
  args_.options.create = rs::Create::never;
  const ReviewPipeline review{settings()};
  const rs::ResumePlanner planner{store_};
  const std::string folder = store_.artifact_folder(args_.name);
  const auto files = take_edited_files(planner.plan(review.pipeline(), args_.options), folder);
  for (const std::string& one : files) console_.err << "note: " << one << "\n";

  const rs::RunStatus before = rs::status(review.pipeline(), store_, args_.name);
  const rs::Plan plan = planner.plan(review.pipeline(), args_.options);
  for (const std::string& one : damage_of(plan)) {
    console_.err << "warning: " << one << "\n";
  }
  const ResumedFrom resumed = resumed_from(plan, before);
  tell(resumed);
  if (!plan.refused()) log(resumed, folder);
  const Review* file = agrees && before.state == rs::RunState::waiting ? seen(plan) : nullptr;
  if (file != nullptr) {
    // First the changes are taken over, because consent is to what they have made.
    const rs::Outcome taken = take_over(review.pipeline());
    // Given up once: a second time it would be of the edits that were taken over earlier.
    const bool began = taken != rs::Outcome::busy && taken != rs::Outcome::refused;
    if (began) args_.options.reject.clear();
    if (taken == rs::Outcome::waiting &&
        is_waiting(planner.plan(review.pipeline(), args_.options), file->gate)) {
      static_cast<void>(
          rs::approve(review.pipeline(), store_, args_.name, file->gate, cli::user()));
    }
  }
  return go(review.pipeline());
}

rs::Outcome Actions::take_over(const rs::Pipeline& pipeline) {
  rs::ResumeOptions options = args_.options;
  options.artifact_folder = program::recorded_folder(store_, args_.name);
  std::optional<rs::EventFile> events;
  if (!args_.output.events.empty()) {
    options.observers.push_back(&events.emplace(args_.output.events));
  }
  return rs::resume(pipeline, store_, options).outcome();
}

int Actions::plan() {
  args_.options.run = args_.name = find();
  args_.options.create = rs::Create::never;
  const ReviewPipeline review{settings()};
  for (const std::string& one : edited_files(store_.artifact_folder(args_.name))) {
    console_.err << "note: " << one << "\n";
  }
  return cli::plan(console_, review.pipeline(), store_, args_.options, args_.output);
}

int Actions::status() {
  args_.name = find();
  const ReviewPipeline review{settings()};
  std::vector<std::string> next;
  if (const Review* file = waits(review.pipeline())) {
    next.push_back(fmt::format("read {}/{}, and change what you like",
                               store_.artifact_folder(args_.name), file->file));
    next.push_back(command("continue"));
  } else {
    next.push_back(command("resume"));
  }
  return cli::status(console_, review.pipeline(), store_, args_.name, args_.output, next);
}

int Actions::list() {
  const ReviewPipeline review{{}};
  return cli::list(console_, review.pipeline(), store_, args_.output);
}

int Actions::go(const rs::Pipeline& pipeline) {
  args_.options.artifact_folder = program::recorded_folder(store_, args_.name);
  const int code = cli::resume(console_, pipeline, store_, args_.options, args_.output);
  const std::string folder = store_.artifact_folder(args_.name);
  if (code == 0 && !args_.output.json) console_.out << "report: " << folder << "/report.md\n";
  if (code == 0 || code == 2 || code == 3 || code == 4) return code;
  const Review* file = code == 75 ? waits(pipeline) : nullptr;
  if (file != nullptr) {
    console_.err << fmt::format("  read  {}/{}\n", folder, file->file)
                 << fmt::format("        change what you like, or put {} next to it\n",
                                file->other);
  } else if (const std::string stage = code == 75 ? collides(pipeline) : ""; !stage.empty()) {
    console_.err << fmt::format("  next  {} --accept {}   keeps what you have written\n",
                                command("continue"), stage)
                 << fmt::format("        {} --reject {}   takes the new value\n",
                                command("continue"), stage);
    return code;
  }
  console_.err << program::label_of_command(code)
               << command(file != nullptr ? "continue" : "resume") << "\n";
  return code;
}

/// The run that a command is about: by its name, `*` and `?` in it, a part of it, or the latest.
std::string Actions::find() {
  const std::vector<rs::RunInfo> all = rs::list_runs(store_);
  std::vector<std::string> runs;
  for (const rs::RunInfo& run : all) runs.push_back(run.run);
  std::vector<std::string> found;
  for (const rs::RunInfo& run : rs::find_runs(all, args_.name.empty() ? "latest" : args_.name)) {
    found.push_back(run.run);
  }
  if (found.empty() && !args_.name.empty()) {
    std::ranges::copy_if(runs, std::back_inserter(found),
                         [&](const std::string& run) { return run.find(args_.name) != run.npos; });
  }
  if (found.size() == 1) return found.front();
  rs::ErrorInfo info{.kept = "nothing was changed", .next = command_to_begin()};
  if (found.size() > 1) {
    info.what = fmt::format("'{}' stands for several runs: {}", args_.name, fmt::join(found, ", "));
    info.next = "give the whole name";
  } else if (runs.empty()) {
    info.what = "there is no run in " + args_.place.checkpoints();
  } else {
    const std::string guess = cli::did_you_mean(args_.name, runs);
    info.what = fmt::format("there is no run '{}' in {}; there are: {}{}", args_.name,
                            args_.place.checkpoints(), fmt::join(runs, ", "),
                            guess.empty() ? "" : ". Did you mean '" + guess + "'?");
    if (!guess.empty()) info.next = "give the name of one of them";
  }
  throw rs::Error(rs::Errc::unknown_run, std::move(info));
}

/// The names of the sources as the run has recorded them; none when it cannot be read.
std::vector<std::string> Actions::recorded_files() const {
  std::vector<std::string> names;
  try {
    const rs::Records records{store_, args_.name};
    const auto sources = records.input<rs::Json>("sources");
    if (!sources) return {};
    for (const rs::Json& file : sources->value.at("files")) {
      auto name = file.at("name").get<std::string>();
      if (name.ends_with(".md")) names.push_back(std::move(name));
    }
  } catch (const rs::Error&) {
    return {};  // the plan says what is wrong
  }
  return names;
}

/// Runs that began before there was a choice have recorded none, and quote.
std::optional<std::string> Actions::provider() const {
  std::optional<std::string> before;
  try {
    const auto recorded = rs::Records{store_, args_.name}.input<std::string>("provider");
    before = recorded ? recorded->value : "quote";
  } catch (const rs::Error&) {  // damaged: the plan says so, unless a flag replaces it
  }
  return args_.choice.is_given() ? args_.choice.name(before.value_or("quote")) : before;
}

Settings Actions::settings() const {
  Settings settings{
      .provider = provider(),
      .calling = {.pace = std::chrono::milliseconds{args_.pace}, .terms = args_.terms}};
  if (args_.sources.empty()) {
    settings.files = recorded_files();
  } else {
    settings.sources = args_.sources;
  }
  if (!args_.title.empty()) settings.title = args_.title;
  return settings;
}

std::string Actions::command(std::string_view name) const {
  return fmt::format("review {} {}{}", name, cli::shell_quote(args_.name), args_.place.flags());
}

std::string Actions::command_to_begin() const {
  return fmt::format("review run {} --sources DIR{}",
                     args_.name.empty() ? "NAME" : cli::shell_quote(args_.name),
                     args_.place.flags());
}

const Review* Actions::waits(const rs::Pipeline& pipeline) {
  const rs::Plan plan =
      rs::ResumePlanner{store_}.plan(pipeline, {.run = args_.name, .create = rs::Create::never});
  const auto file =
      std::ranges::find_if(reviews, [&](const Review& one) { return is_waiting(plan, one.gate); });
  return file == reviews.end() ? nullptr : &*file;
}

/// The stage whose new value collides with what the user has written, or "".
std::string Actions::collides(const rs::Pipeline& pipeline) {
  const rs::Plan plan =
      rs::ResumePlanner{store_}.plan(pipeline, {.run = args_.name, .create = rs::Create::never});
  const auto waits = std::ranges::find_if(plan, [](const rs::Decision& one) {
    return one.action == rs::Action::wait && one.causes.front().reason == rs::Reason::conflict;
  });
  return waits == plan.end() ? std::string{} : waits->stage;
}

void Actions::tell(const ResumedFrom& resumed) {
  tell_age(resumed);
  if (args_.output.json) return;
  const std::string_view when = resumed.state == "waiting" ? " since "
                                : resumed.state == "done"  ? " at "
                                                           : ", last written at ";
  console_.out << fmt::format("resumed from {}: {}{}{}\n", resumed.run, resumed.state,
                              resumed.at ? when : "", resumed.at ? rs::to_string(*resumed.at) : "");
  if (resumed.count == 0) return;
  console_.out << fmt::format("Found {} modification{}\n", resumed.count,
                              resumed.count == 1 ? "" : "s");
  for (const Modification& one : resumed.modifications) {
    console_.out << fmt::format("  {:<8}{}  {}", one.action, one.file, one.path);
    const bool changed = !one.before.empty() && !one.after.empty();
    console_.out << "  " << one.before << (changed ? " -> " : "") << one.after;
    console_.out << "\n";
  }
  if (resumed.count > resumed.modifications.size()) {
    console_.out << fmt::format("  and {} more\n", resumed.count - resumed.modifications.size());
  }
}

void Actions::tell_age(const ResumedFrom& resumed) {
  if (!resumed.at) return;
  const long days = days_since(*resumed.at, std::chrono::system_clock::now());
  if (days > old_days) {
    console_.err << fmt::format("warning: the run was last written {} days ago\n", days);
  }
}

}  // namespace review
