// The commands: what has to hold before anything runs, and what is said afterwards. All of a
// session is read before it goes on: damage in what nothing else would look at is made good, too.
#include "research/actions.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <resumable/records.hpp>
#include <resumable/stop.hpp>
#include <resumable/time.hpp>

#include "research/fetch.hpp"
#include "research/history_server.hpp"
#include "research/sessions.hpp"
#include "research/site_server.hpp"
#include "research/views.hpp"

namespace research {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

[[noreturn]] void misused(std::string what, std::string next) {
  throw rs::Error(
      rs::Errc::bad_option,
      {.what = std::move(what), .kept = "nothing was changed", .next = std::move(next)});
}

bool asks_again(const rs::ResumeOptions& options) {
  return options.fresh || !options.redo.empty() || !options.from.empty();
}

std::string now() {
  return rs::to_string(
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()));
}

/// `0.5`, `0_5` and `phase0_5` are one phase.
std::string phase_of(const std::string& said) {
  std::string name = said.starts_with("phase") ? said : "phase" + said;
  std::ranges::replace(name, '.', '_');
  if (std::ranges::find(phases, name) != phases.end()) return name;
  misused(fmt::format("there is no phase '{}'", said), "one of 0, 0.5, 1, 2, 3, 4");
}

}  // namespace

Actions::Actions(const Arguments& arguments, cli::Console& console)
    : args_(arguments), console_(console), store_(args_.place) {}

int Actions::go_on() {
  const auto all = sessions_of(store_, args_.batch);
  if (all.empty()) {
    must_be_free(args_.batch);
    const Settings settings = for_new_session();
    console_.err << fmt::format("new session {} of batch {}\n", args_.batch, args_.batch);
    return go(args_.batch, settings, {}, false);
  }
  const Session& session = all.front();
  if (const auto why_not = obstacle(session, args_.place)) throw rs::Error{*why_not};
  for (const Session& other : all) {
    if (other.id == session.id || other.progress.finished()) continue;
    console_.err << fmt::format("note: also unfinished: {}; continuing {}\n", other.id, session.id);
  }
  if (!session.begun) return go(session.id, for_new_session(), {}, false);
  if (!session.progress.finished()) return go(session.id, given(session.id), {}, true);
  // It is not changed in passing: what is given has to be what it was made from.
  const ResearchPipeline research{given(session.id)};
  const rs::Plan plan = rs::ResumePlanner{store_}.plan(research.pipeline(), {.run = session.id});
  if (!plan.complete() && !plan.refused()) {
    misused(fmt::format("session {} is finished, and these options would change that", session.id),
            "leave them out to see its report, or name another batch");
  }
  if (asks_again(args_.options)) {
    misused(fmt::format("session {} is finished", session.id),
            command("resume", session.id) + " --force   runs a part of it again");
  }
  return go(session.id, {}, {}, true);
}

int Actions::resume() {
  const Session session = must_have(args_.session);
  std::vector<std::string> redo = again(session);
  if (session.outdated && redo.size() < phases.size()) {
    throw rs::Error{*obstacle(session, args_.place)};
  }
  const bool asked = !redo.empty() || asks_again(args_.options);
  if (session.plan.complete() && asked && !args_.force) {
    misused(fmt::format("session {} is finished", args_.session),
            "add --force to run a part of it again");
  }
  if (session.plan.complete() && args_.force && !asked) redo.emplace_back(phases.back());
  return go(args_.session, {}, redo, true);
}

int Actions::list() {
  const auto all = sessions(store_);
  if (args_.output.json) {
    console_.out << sessions_json(all) << "\n";
    return 0;
  }
  if (all.empty()) {
    console_.err << fmt::format("no sessions in {}\n  next  {} --pages DIR\n",
                                args_.place.checkpoints(), command("continue", "BATCH"));
    return 0;
  }
  console_.out << sessions_text(all);
  return 0;
}

int Actions::status() {
  const Session session = must_have(args_.session);
  const ResearchPipeline research{{}};
  std::vector<std::string> next;
  const auto add = [&](const std::string& line, const char* what) {
    next.push_back(fmt::format("{:<40}  {}", line, what));
  };
  add(command("plan", session.id), "why each phase runs or not");
  add(command("resume", session.id), "continue from here");
  const auto& causes = session.plan["phase0_5"].causes;
  if (!causes.empty() && causes.front().reason == rs::Reason::failed) {
    add(command("continue", session.batch) + " --topic TEXT", "the same with another topic");
  }
  const int code =
      cli::status(console_, research.pipeline(), store_, session.id, args_.output, next);
  if (const auto why_not = obstacle(session, args_.place)) {  // also what the page does not read
    const rs::ErrorInfo& info = why_not->info();
    console_.err << fmt::format("warning: {}\n  file  {}\n  next  {}\n", info.what, info.file,
                                info.next);
  }
  for (const std::string& note : notes_of(store_, session.id)) {
    console_.err << fmt::format("note: {}\n", note);
  }
  return code == 0 && args_.output.exit_code && !session.plan.complete() ? 5 : code;
}

int Actions::plan() {
  static_cast<void>(must_have(args_.session));
  const ResearchPipeline research{{}};
  rs::ResumeOptions options = args_.options;
  options.run = args_.session;
  options.verify_payloads = true;  // as resume() does
  options.create = rs::Create::never;
  return cli::plan(console_, research.pipeline(), store_, options, args_.output);
}

/// The history of all sessions or, with --pages, a site.
int Actions::serve() {
  const rs::StopOnSignal signals{SIGHUP, SIGINT, SIGTERM};
  std::unique_ptr<SiteServer> site;
  std::unique_ptr<HistoryServer> history;
  if (args_.pages.empty()) {
    history = std::make_unique<HistoryServer>(args_.place, how({}), args_.port);
  } else {
    site = std::make_unique<SiteServer>(load_site(args_.pages), args_.port);
  }
  console_.out << (site ? site->url() : history->url()) << std::endl;
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock{mutex};
  never.wait(lock, signals.stop().token(), [] { return false; });
  if (!site) return 0;
  for (const auto& [path, count] : site->requests()) {
    console_.err << fmt::format("{:>6}  {}\n", count, path);
  }
  return 0;
}

/// What does not change a value: how fast, on what terms, and with which certificates.
Settings Actions::how(Settings settings) const {
  const std::chrono::milliseconds pace{args_.pace};
  settings.calling = {.pace = pace, .terms = args_.terms};
  settings.visiting = {.pace = pace, .ca = args_.ca};
  if (args_.delay) settings.visiting.delay = std::chrono::milliseconds{*args_.delay};
  return settings;
}

std::string Actions::command(std::string_view name, std::string_view id) const {
  const bool asks = name == "continue" || name == "resume";
  return research::command(args_.place, name, id) + (asks ? args_.terms.flags() : "");
}

/// All of a session is read before it goes on: damage in what nothing else would look at is made
/// good, too.
int Actions::go(const std::string& session, Settings settings, const std::vector<std::string>& redo,
                bool must_exist) {
  const ResearchPipeline research{how(std::move(settings))};
  rs::ResumeOptions options = args_.options;
  options.run = session;
  options.artifact_folder = program::recorded_folder(store_, session);
  options.redo.insert(options.redo.end(), redo.begin(), redo.end());
  options.verify_payloads = true;
  options.create = must_exist ? rs::Create::never : rs::Create::if_absent;
  if (must_exist) {
    const rs::Plan plan = rs::ResumePlanner{store_}.plan(research.pipeline(), options);
    console_.err << fmt::format("session {}: {}\n", session, progress_of(plan).text());
  }
  const int code = cli::resume(console_, research.pipeline(), store_, options, args_.output);
  if (code == 2 || code == 3 || code == 4) return code;
  if (look_up(store_, session) == Known::nothing) return code;  // not even begun
  write_view(session);
  if (code == 0 && !args_.output.json) {
    console_.out << fmt::format("report: {}/report.md\n", store_.artifact_folder(session));
  } else if (code != 0) {
    const bool another = research.is_off_topic();
    console_.err << fmt::format("{}{}\n", program::label_of_command(code),
                                another ? command("continue", batch_of(store_, session)) +
                                              " --topic TEXT   names another topic"
                                        : command("resume", session));
  }
  return code;
}

/// The session's file is a view: that it cannot be written is worth a warning, no more.
void Actions::write_view(const std::string& session) {
  try {
    write_session_file(store_, args_.place.out, session);
  } catch (const std::exception& error) {
    console_.err << fmt::format("warning: the session's file was not written: {}\n", error.what());
  }
}

/// Where the pages are, in words that do not change from call to call; empty when not given.
std::string Actions::site() const {
  if (!args_.site.empty()) {
    std::string origin = args_.site;
    if (origin.ends_with('/')) origin.pop_back();
    if (!is_origin(origin)) {
      misused(fmt::format("'{}' is not a site", args_.site),
              "--site http://HOST[:PORT], or https://");
    }
    return origin;
  }
  if (args_.pages.empty()) return {};
  static_cast<void>(load_site(args_.pages));  // throws before anything is written
  return std::filesystem::canonical(args_.pages).string();
}

/// What the command line changes of a session.
Settings Actions::given(const std::string& session) const {
  Settings settings;
  if (std::string from = site(); !from.empty()) settings.site = std::move(from);
  if (!args_.topic.empty()) settings.topic = args_.topic;
  const auto before = rs::Records{store_, session}.input<std::string>("provider");
  settings.provider = args_.choice.name(before ? before->value : "quote");
  settings.limits = args_.limits;
  return settings;
}

Settings Actions::for_new_session() const {
  Settings settings = given(args_.batch);
  if (!settings.site) {
    misused(fmt::format("batch {} has no session in {}, and where its pages are is not said",
                        args_.batch, args_.place.checkpoints()),
            command("continue", args_.batch) + " --pages DIR   (or --site URL)");
  }
  settings.batch = args_.batch;
  settings.created = now();
  if (!settings.topic) settings.topic = "";
  if (!settings.limits) settings.limits = Limits{};
  return settings;
}

/// @throws Error  another program has a run of this id
void Actions::must_be_free(const std::string& id) const {
  if (look_up(store_, id) != Known::other_program) return;
  throw rs::Error(
      rs::Errc::foreign,
      {.what = fmt::format("run {} in {} is another program's", id, args_.place.checkpoints()),
       .run = id,
       .kept = "it is untouched; no session was made",
       .next = "choose another batch id, or another folder: --out DIR"});
}

/// @throws Error  there is no such session, or nothing to go on from
Session Actions::must_have(const std::string& id) {
  if (look_up(store_, id) == Known::session) {
    Session session = look_at(store_, id);
    const bool no_input = session.damage && session.damage->reason == rs::Reason::missing_input;
    if (session.error || no_input) throw rs::Error{*obstacle(session, args_.place)};
    if (!session.begun) throw not_begun(session, args_.place);
    return session;
  }
  std::vector<std::string> ids;
  for (const Session& one : sessions(store_)) ids.push_back(one.id);
  throw rs::Error(
      rs::Errc::unknown_run,
      {.what = ids.empty() ? fmt::format("there is no session {}: {} has none", id,
                                         args_.place.checkpoints())
                           : fmt::format("there is no session {} in {}; there are {}", id,
                                         args_.place.checkpoints(), fmt::join(ids, ", ")),
       .kept = "nothing was changed",
       .next = ids.empty() ? command("continue", "BATCH") + " --pages DIR" : command("list")});
}

/// A phase can run when those before it have values, also old ones.
void Actions::must_have_come_to(const std::string& phase, const Session& session) const {
  std::set<std::string, std::less<>> recorded;
  store_.scan(args_.session, {}, [&](const rs::RecordHead& found) {
    recorded.emplace(found.id.path);
    return true;
  });
  for (const std::string_view before : phases) {
    if (before == phase) return;
    if (session.plan[before].action == rs::Action::skip || recorded.contains(before)) continue;
    misused(fmt::format("session {} is at {}, which --phase {} needs first", args_.session,
                        session.progress.text(), args_.phase),
            "leave --phase out: it continues where it is");
  }
}

/// What --phase and --step run again.
std::vector<std::string> Actions::again(const Session& session) const {
  std::vector<std::string> redo;
  const std::string phase = args_.phase.empty() ? "" : phase_of(args_.phase);
  if (args_.step == 0) {
    if (phase.empty()) return redo;
    must_have_come_to(phase, session);
    redo.assign(std::ranges::find(phases, phase), phases.end());
    return redo;
  }
  if (!phase.empty() && phase != "phase3") {
    misused("--step is about phase 3", "leave --phase out, or give one of the two");
  }
  std::size_t position = 0;
  session.plan.items("phase3", [&](std::string_view key, rs::Action, rs::Reason) {
    if (++position >= args_.step) redo.push_back(fmt::format("phase3/{}", key));
    return true;
  });
  if (redo.empty()) {
    misused(position == 0
                ? "no step of the session has begun yet"
                : fmt::format("the session has no step {}: its plan has {}", args_.step, position),
            command("status", args_.session));
  }
  redo.emplace_back("phase4");
  return redo;
}

}  // namespace research
