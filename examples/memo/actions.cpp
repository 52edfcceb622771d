#include "memo/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <resumable/error.hpp>
#include <resumable/resume.hpp>
#include <resumable/status.hpp>

#include "memo/outline.hpp"
#include "memo/source.hpp"

namespace memo {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

std::string as_word(const std::string& word) {
  return word.find(' ') == word.npos ? word : "'" + word + "'";
}

}  // namespace

Actions::Actions(const Arguments& arguments, cli::Console& console)
    : args_(arguments), console_(console), store_(args_.out) {}

int Actions::run() {
  check_before_writing();
  if (const int code = offer_unfinished(); code >= 0) return code;
  const std::string run = cli::reserve_version(store_, subject());
  console_.err << "new memo: " << run << "\n";
  return go(run, settings_for_run(), false);
}

int Actions::resume() {
  const std::string run = find();
  warn_of_others(run);
  return go(run, common(), true);
}

int Actions::plan() {
  const std::string run = find();
  const MemoPipeline memo{common()};
  const int code =
      cli::plan(console_, memo.pipeline(), store_, {.run = run, .must_exist = true}, args_.look);
  if (!args_.look.json && approval(run, args_.look) == Approval::asked) {
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
      console_, memo.pipeline(), store_, run, args_.look,
      {line("plan", "why each stage runs or not"),
       approval(run) == Approval::asked ? line("approve", "say yes; first read 4-final-draft.md")
                                        : line("resume", "go on from here")});
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

std::string Actions::subject() const {
  const std::string subject = cli::subject_of(args_.company);
  if (!subject.empty()) return subject;
  throw rs::Error(rs::Errc::bad_name,
                  {.what = "the company's name has no letter or digit",
                   .next = "name the company: memo run Cloudgov --sources DIR"});
}

/// About this version, or the one that the command line is about.
std::string Actions::command(std::string_view name, std::string_view run) const {
  std::string text = fmt::format("memo {} {}", name, as_word(args_.company));
  if (args_.out != "output") text += " --out " + as_word(args_.out);
  const std::string version{run.empty() ? args_.version : run.substr(subject().size() + 1)};
  if (!version.empty()) text += " --version " + version;
  return text;
}

std::string Actions::command_to_begin() const {
  std::string text = fmt::format("memo run {} --sources DIR", as_word(args_.company));
  if (args_.out != "output") text += " --out " + as_word(args_.out);
  return text;
}

/// Throws for an unknown type or mode, or sources that cannot be read, before anything is written.
void Actions::check_before_writing() {
  const MemoPipeline memo{settings_for_run()};
  static_cast<void>(rs::ResumePlanner{store_}.plan(memo.pipeline(),
                                                   {.run = cli::next_version(store_, subject())}));
  try {
    static_cast<void>(outline({args_.company, args_.type, args_.mode}));
    static_cast<void>(only(load_sources(args_.sources), args_.deck));
  } catch (const std::exception& error) {
    throw rs::Error(
        rs::Errc::bad_option,
        {.what = error.what(), .kept = "nothing was changed", .next = "memo run --help"});
  }
}

Settings Actions::common() const {
  Settings settings;
  settings.pace = std::chrono::milliseconds{args_.pace};
  if (!args_.sources.empty()) settings.sources = args_.sources;
  return settings;
}

Settings Actions::settings_for_run() const {
  Settings settings = common();
  settings.request = Request{args_.company, args_.type, args_.mode};
  settings.deck = args_.deck;
  settings.provider = args_.provider == "openai"
                          ? fmt::format("openai:{}@{}", args_.model, args_.base_url)
                          : args_.provider;
  settings.min_score = args_.min_score;
  return settings;
}

int Actions::go(const std::string& run, Settings settings, bool must_exist) {
  const MemoPipeline memo{std::move(settings)};
  const int code = cli::resume(console_, memo.pipeline(), store_,
                               {.run = run, .must_exist = must_exist}, args_.run);
  const std::string folder = store_.artifact_folder(run);
  if (code == 0 && !args_.run.json) console_.out << "memo: " << folder << "/4-final-draft.md\n";
  if (code == 0 || code == 2 || code == 3 || code == 4) return code;
  const auto begun = versions_of(store_, subject()).begun;
  if (std::ranges::find(begun, run, &cli::Version::run) == begun.end()) return code;
  const std::string about = run == begun.back().run ? "" : run;
  const bool asked = code == 75 && approval(run) == Approval::asked;
  if (asked) console_.err << "  read  " << folder << "/4-final-draft.md and 3-validation.json\n";
  console_.err << "  next  " << command(asked ? "approve" : "resume", about) << "\n";
  return code;
}

Approval Actions::approval(const std::string& run, const cli::LookFlags& look) {
  const MemoPipeline memo{common()};
  return approval_of(rs::ResumePlanner{store_}.plan(memo.pipeline(), {.run = run,
                                                                      .redo = look.redo,
                                                                      .from = look.from,
                                                                      .fresh = look.fresh,
                                                                      .must_exist = true}),
                     rs::run_state(store_, run));
}

/// The run that a command is about: the version named, or the latest with anything on record.
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
    info.what = fmt::format("there is no memo of {} in {}", args_.company, args_.out);
  } else {
    std::vector<std::string> names;
    for (const cli::Version& version : known.begun) names.push_back(version.run);
    info.what = fmt::format("there is no version {} of {}; there are {}", args_.version,
                            args_.company, fmt::join(names, ", "));
    info.next = command("status", names.back());
  }
  throw rs::Error(rs::Errc::unknown_run, std::move(info));
}

/// A person may rather go on with a memo that was begun; -1 when a new one is wanted.
int Actions::offer_unfinished() {
  const auto known = versions_of(store_, subject()).begun;
  const auto last = std::find_if(known.rbegin(), known.rend(), is_unfinished);
  if (last == known.rend()) return -1;
  console_.err << fmt::format("note: {} is unfinished ({})\n", last->run, last->state);
  if (approval_of(store_, *last) == Approval::asked) {
    console_.err << "  next  " << command("approve", last->run) << "   to finish it\n";
    return -1;
  }
  if (cli::ask(console_, "Resume it instead of beginning a new one?")) {
    return go(last->run, common(), true);
  }
  console_.err << "  next  " << command("resume", last->run) << "   to go on with it\n";
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
