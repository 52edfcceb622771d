#include "memo/actions.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/records.hpp>
#include <resumable/resume.hpp>
#include <resumable/status.hpp>

#include "memo/outline.hpp"
#include "memo/sources.hpp"

namespace memo {
namespace rs = resumable;
namespace cli = resumable::cli;

namespace {

constexpr double usual_min_score = 8.0;

rs::ResumeOptions with(rs::ResumeOptions options, rs::Create create) {
  options.create = create;
  return options;
}

nlohmann::json read_json(const std::string& path) {
  std::ifstream file{path};
  return nlohmann::json::parse(file, nullptr, false);
}

/// A line with the score, from the file of a finished memo; empty if it cannot be read.
std::string outcome_in(const std::string& folder) {
  const auto checks = read_json(folder + "/3-validation.json");
  if (!checks.is_object() || !checks.contains("overall_score")) return {};
  const auto closed = checks["terms"].empty() ? checks : checks["terms"].back();
  return fmt::format("score: {:.1f} of 10; questions open: {} of {}\n",
                     checks["overall_score"].get<double>(),
                     closed.value("whole", 0) - closed.value("part", 0), closed.value("whole", 0));
}

}  // namespace

Actions::Actions(const Arguments& arguments, cli::Console& console)
    : args_(arguments), console_(console), store_(args_.place) {}

int Actions::run() {
  check_before_writing();
  for (const std::string& name : unread_files(args_.sources)) {
    console_.err << "note: " << name
                 << " is not read: memo reads .md, .txt, .csv, .tsv, .yml, .yaml, .html and .pdf\n";
  }
  if (const int code = offer_unfinished(); code >= 0) return code;
  const std::string run = name_for_run();
  console_.err << "new memo: " << run << "\n";
  return go(run, settings_for_run(), args_.options);
}

/// The next version; the last one again if it was killed before it had recorded anything.
std::string Actions::name_for_run() {
  const auto known = versions_of(store_, subject());
  const bool last_is_empty =
      !known.empty.empty() &&
      (known.begun.empty() || known.begun.back().numbers < known.empty.back().numbers);
  if (last_is_empty) return known.empty.back().run;
  const cli::ReservedVersion reserved = cli::reserve_version(store_, subject());
  if (!reserved.notes.empty()) {
    const std::size_t more = reserved.notes.size() - 1;
    console_.err << "note: " << reserved.notes.front()
                 << (more > 0 ? fmt::format(" (and {} more)", more) : "") << "\n";
  }
  return reserved.run;
}

int Actions::resume() {
  const std::string run = find();
  warn_of_others(run);
  Settings settings = common();
  if (args_.deck) settings.deck = deck();
  settings.min_score = args_.min_score;
  if (args_.type || args_.mode || args_.outline) {
    settings.request = request(recorded<Request>(run, "request"));
    static_cast<void>(outline_of(*settings.request));
  }
  if (args_.choice.is_given()) {
    settings.provider = args_.choice.name(recorded<std::string>(run, "provider").value_or("quote"));
  }
  return go(run, settings, with(args_.options, rs::Create::never));
}

int Actions::adopt() {
  check_before_writing();
  const std::string run = folder_to_adopt();
  rs::ResumeOptions options = args_.options;
  options.run = run;
  options.adopt = true;
  const MemoPipeline memo{settings_for_run()};
  cli::OutputOptions output = args_.output;
  output.explain = true;
  if (args_.dry_run) return cli::plan(console_, memo.pipeline(), store_, options, output);
  console_.err << rs::ResumePlanner{store_}.plan(memo.pipeline(), options).text();
  if (console_.interactive && !cli::confirm(console_, "Adopt these files and finish the memo?")) {
    return 0;
  }
  return go(run, settings_for_run(), options);
}

int Actions::plan() {
  const std::string run = find();
  const MemoPipeline memo{common()};
  rs::ResumeOptions options = args_.options;
  options.run = run;
  options.create = rs::Create::never;
  const int code = cli::plan(console_, memo.pipeline(), store_, options, args_.output);
  if (!args_.output.json && approval(run, options) == Approval::asked) {
    console_.out << "  next  " << command("approve") << "\n";
  }
  return code;
}

int Actions::status() {
  const std::string run = find();
  const MemoPipeline memo{common()};
  const auto line = [&](std::string_view name, std::string_view what) {
    return fmt::format("{:<32}  {}", command(name), what);
  };
  return cli::status(
      console_, memo.pipeline(), store_, run, args_.output,
      {line("plan", "why each stage runs or not"),
       approval(run) == Approval::asked
           ? line("approve", "say yes; first read 4-final-draft.md and 3-validation.json")
           : line("resume", "continue from here")});
}

int Actions::approve() {
  const std::string run = find();
  switch (approval(run)) {
    case Approval::asked: {
      const MemoPipeline memo{common()};
      const std::string message =
          rs::approve(memo.pipeline(), store_, run, "finalize", cli::user());
      console_.out << "approved: " << message << "\n";
      break;
    }
    case Approval::given: console_.out << run << " is approved already\n"; break;
    case Approval::not_asked:
      throw rs::Error(rs::Errc::unknown_stage,
                      {.what = fmt::format("{} does not wait for a person", run),
                       .run = run,
                       .kept = "nothing was changed",
                       .next = command("status")});
  }
  console_.out << "  next  " << command("resume") << "\n";
  return 0;
}

int Actions::list() {
  const MemoPipeline memo{{}};
  const std::string prefix = args_.company.empty() ? "" : subject() + "-";
  return cli::list(console_, memo.pipeline(), store_, args_.output, prefix);
}

std::string Actions::subject() const {
  const std::string subject = cli::subject_of(args_.company);
  if (!subject.empty()) return subject;
  throw rs::Error(rs::Errc::bad_name, {.what = "the company's name has no letter or digit",
                                       .next = "name the company: memo run Acme --sources DIR"});
}

/// About this version, or the one that the command line is about.
std::string Actions::command(std::string_view name, std::string_view run) const {
  std::string text =
      fmt::format("memo {} {}{}", name, cli::shell_quote(args_.company), args_.place.flags());
  const std::string version{run.empty() ? args_.version : run.substr(subject().size() + 1)};
  if (!version.empty()) text += " --version " + version;
  if (name == "resume" || name == "adopt") text += args_.terms.flags();
  return text;
}

std::string Actions::command_to_begin() const {
  return fmt::format("memo run {} --sources DIR{}", cli::shell_quote(args_.company),
                     args_.place.flags());
}

/// What an input was; nullopt if its record is damaged, which a flag repairs.
template <class T>
std::optional<T> Actions::recorded(const std::string& run, const char* input) {
  try {
    const auto found = rs::Records{store_, run}.input<T>(input);
    return found ? std::optional{found->value} : std::nullopt;
  } catch (const rs::Error&) {
    return std::nullopt;
  }
}

/// The files of the deck as they were given; none, or `-`: memo::default_deck() finds them.
std::vector<std::string> Actions::deck() const {
  std::vector<std::string> files = args_.deck.value_or(std::vector<std::string>{});
  std::erase(files, "-");
  return files;
}

/// What was asked for `before`, with what the flags change of it.
Request Actions::request(const std::optional<Request>& before) const {
  Request request = before.value_or(Request{.company = args_.company});
  request.type = args_.type.value_or(request.type);
  request.mode = args_.mode.value_or(request.mode);
  if (args_.outline) request.outline = read_outline_file(*args_.outline);
  return request;
}

/// Throws for an unknown type or mode, or an outline or sources that cannot be read, before
/// anything is written.
void Actions::check_before_writing() {
  const auto check = [](const std::string& next, const auto& read) {
    try {
      static_cast<void>(read());
    } catch (const std::exception& error) {
      throw rs::Error(rs::Errc::bad_option,
                      {.what = error.what(), .kept = "nothing was changed", .next = next});
    }
  };
  static_cast<void>(subject());
  check("docs/memo.md shows an outline; correct yours, and type the same command again",
        [&] { return request({}); });
  check("memo run --help", [&] { return outline_of(request({})); });
  check("put that right in the folder, and type the same command again",
        [&] { return load_sources(args_.sources); });
  check("name one of the sources with --deck, and type the same command again",
        [&] { return only(load_sources(args_.sources), deck()); });
  const MemoPipeline memo{settings_for_run()};
  static_cast<void>(rs::ResumePlanner{store_}.plan(memo.pipeline(),
                                                   {.run = cli::next_version(store_, subject())}));
}

Settings Actions::common() const {
  Settings settings;
  settings.calling = {.pace = std::chrono::milliseconds{args_.pace}, .terms = args_.terms};
  if (!args_.sources.empty()) settings.sources = args_.sources;
  return settings;
}

Settings Actions::settings_for_run() const {
  Settings settings = common();
  settings.request = request({});
  settings.deck = deck();
  settings.provider = args_.choice.name("quote");
  settings.min_score = args_.min_score.value_or(usual_min_score);
  return settings;
}

int Actions::go(const std::string& run, const Settings& settings, rs::ResumeOptions options) {
  const MemoPipeline memo{settings};
  options.run = run;
  options.artifact_folder = program::recorded_folder(store_, run);
  const int code = cli::resume(console_, memo.pipeline(), store_, options, args_.output);
  const std::string folder = store_.artifact_folder(run);
  if (code == 0 && !args_.output.json) {
    console_.out << outcome_in(folder) << "memo: " << folder << "/4-final-draft.md\n";
  }
  if (code == 0 || code == 2 || code == 3 || code == 4) return code;
  const auto begun = versions_of(store_, subject()).begun;
  if (std::ranges::find(begun, run, &cli::Version::run) == begun.end()) return code;
  const std::string about = run == begun.back().run ? "" : run;
  const bool asked = code == 75 && approval(run) == Approval::asked;
  if (asked) {
    console_.err << fmt::format(
        "  read  {0}/4-final-draft.md\n"
        "  read  {0}/3-validation.json, which says what lowers its score\n",
        folder);
  }
  console_.err << program::label_of_command(code) << command(asked ? "approve" : "resume", about)
               << "\n";
  return code;
}

Approval Actions::approval(const std::string& run, rs::ResumeOptions options) {
  const MemoPipeline memo{common()};
  options.run = run;
  options.create = rs::Create::never;
  return approval_of(rs::ResumePlanner{store_}.plan(memo.pipeline(), options),
                     rs::run_state(store_, run));
}

/// The run that a command is about: the version named, or the latest that has recorded anything.
std::string Actions::find() {
  const Versions known = versions_of(store_, subject());
  const std::string named = subject() + "-" + args_.version;
  const auto meant = [&](const std::vector<cli::Version>& list) -> std::string {
    if (args_.version.empty()) return list.empty() ? "" : list.back().run;
    return std::ranges::find(list, named, &cli::Version::run) == list.end() ? "" : named;
  };
  if (std::string run = meant(known.begun); !run.empty()) return run;
  rs::ErrorInfo info{.kept = "nothing was changed", .next = command_to_begin()};
  if (const std::string run = meant(known.empty); !run.empty()) {
    info.what = fmt::format("{} was stopped before it recorded what it is made from", run);
  } else if (known.begun.empty()) {
    info.what =
        fmt::format("there is no memo of {} in {}", args_.company, args_.place.checkpoints());
    if (const auto folders = folders_with_files(); !folders.empty()) {
      info.what += fmt::format("; the folder {} has files, but no checkpoints", folders.back());
      info.next = command("adopt") + " --sources DIR";
    }
  } else {
    std::vector<std::string> names;
    for (const cli::Version& version : known.begun) names.push_back(version.run);
    info.what = fmt::format("there is no version {} of {}; there are {}", args_.version,
                            args_.company, fmt::join(names, ", "));
    info.next = command("status", names.back());
  }
  throw rs::Error(rs::Errc::unknown_run, std::move(info));
}

/// Folders without checkpoints that are not empty.
std::vector<std::string> Actions::folders_with_files() {
  auto folders = cli::adoptable_versions(store_, subject());
  std::erase_if(folders, [&](const std::string& run) {
    std::error_code error;
    return std::filesystem::is_empty(store_.artifact_folder(run), error);
  });
  return folders;
}

/// The version named, or the latest folder without checkpoints. One that was adopted in part is a
/// run already, and may be named.
std::string Actions::folder_to_adopt() {
  const std::vector<std::string> folders = folders_with_files();
  const std::string named = subject() + "-" + args_.version;
  if (args_.version.empty() && !folders.empty()) return folders.back();
  if (std::ranges::count(folders, named) > 0 || rs::run_state(store_, named)) return named;
  throw rs::Error(rs::Errc::unknown_run,
                  {.what = args_.version.empty()
                               ? fmt::format("no folder {}-v… without checkpoints is in {}",
                                             subject(), args_.place.out)
                               : fmt::format("there is no folder {} in {}", named, args_.place.out),
                   .kept = "nothing was changed",
                   .next = command_to_begin()});
}

/// A person may prefer to continue a memo that was begun; -1 when a new one is wanted.
int Actions::offer_unfinished() {
  const auto known = versions_of(store_, subject()).begun;
  const auto last = std::find_if(known.rbegin(), known.rend(), is_unfinished);
  if (last == known.rend()) return -1;
  console_.err << fmt::format("note: {} is unfinished ({})\n", last->run, to_string(last->state));
  if (approval_of(store_, *last) == Approval::asked) {
    console_.err << "  next  " << command("approve", last->run) << "   to finish it\n";
    return -1;
  }
  if (cli::confirm(console_, "Resume it instead of beginning a new one?")) {
    return go(last->run, common(), with(args_.options, rs::Create::never));
  }
  console_.err << "  next  " << command("resume", last->run) << "   to continue it\n";
  return -1;
}

void Actions::warn_of_others(const std::string& run) {
  std::vector<std::string> others;
  for (const cli::Version& version : versions_of(store_, subject()).begun) {
    if (version.run != run && is_unfinished(version)) others.push_back(version.run);
  }
  if (others.empty() || !args_.version.empty()) return;
  console_.err << fmt::format(
      "warning: also unfinished: {}; resuming {} (--version names another)\n",
      fmt::join(others, ", "), run);
}

}  // namespace memo
