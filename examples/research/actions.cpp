#include "research/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <ostream>
#include <resumable/error.hpp>
#include <resumable/stop.hpp>

#include "research/fetch.hpp"
#include "research/listing.hpp"
#include "research/session_file.hpp"
#include "research/sessions.hpp"
#include "research/site_server.hpp"

namespace research {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

[[noreturn]] void misused(std::string what, std::string next) {
  throw rs::Error(
      rs::Errc::bad_option,
      {.what = std::move(what), .kept = "nothing was changed", .next = std::move(next)});
}

bool asks_again(const cli::RunFlags& flags) {
  return flags.fresh || !flags.redo.empty() || !flags.from.empty();
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// `0.5`, `0_5` and `phase0_5` are one phase.
std::string phase_of(const std::string& said) {
  std::string name = said.starts_with("phase") ? said : "phase" + said;
  std::ranges::replace(name, '.', '_');
  if (std::ranges::find(phases, name) != phases.end()) return name;
  misused(fmt::format("there is no phase '{}'", said), "one of 0, 0.5, 1, 2, 3, 4");
}

std::string as_word(std::string_view word) {
  const bool plain = word.find_first_of(" '\"$\\&|;<>()*?#~") == word.npos && !word.empty();
  return plain ? std::string{word} : fmt::format("'{}'", word);
}

}  // namespace

Actions::Actions(const Arguments& arguments, cli::Console& console)
    : args_(arguments), console_(console), store_(args_.out) {}

int Actions::go_on() {
  const auto chosen = choose(store_, args_.batch);
  if (!chosen) {
    const Settings settings = for_new_session();
    console_.err << fmt::format("new session {} of batch {}\n", args_.batch, args_.batch);
    return go(args_.batch, settings, {}, false);
  }
  if (chosen->damage) throw_damaged(chosen->id, *chosen->damage);
  if (!chosen->others.empty()) {
    console_.err << fmt::format("note: also unfinished: {}; going on with {}\n",
                                fmt::join(chosen->others, ", "), chosen->id);
  }
  if (!chosen->begun) return go(chosen->id, for_new_session(), {}, true);
  if (chosen->finished) must_fit_finished(chosen->id);
  if (chosen->finished && asks_again(args_.run)) {
    misused(fmt::format("session {} is finished", chosen->id),
            command("resume", chosen->id) + " --force   runs a part of it again");
  }
  return go(chosen->id, chosen->finished ? Settings{} : given(), {}, true);
}

int Actions::resume() {
  must_have(args_.session);
  const rs::Plan plan = plan_of(args_.session);
  Again wanted = again(plan);
  const bool asked = !wanted.redo.empty() || !wanted.from.empty() || asks_again(args_.run);
  if (plan.complete() && asked && !args_.force) {
    misused(fmt::format("session {} is finished", args_.session),
            "add --force to run a part of it again");
  }
  if (plan.complete() && args_.force && !asked) wanted.from.emplace_back(phases.back());
  return go(args_.session, {}, wanted, true);
}

int Actions::list() {
  const auto all = sessions(store_);
  if (args_.json) {
    console_.out << sessions_json(all) << "\n";
    return 0;
  }
  if (all.empty()) {
    console_.err << fmt::format("no sessions in {}\n  next  {} --pages DIR\n", args_.out,
                                command("continue", "BATCH"));
    return 0;
  }
  console_.out << sessions_text(all);
  return 0;
}

int Actions::status() {
  must_have(args_.session);
  const ResearchPipeline research{{}};
  return cli::status(
      console_, research.pipeline(), store_, args_.session, args_.look,
      {fmt::format("{:<40}  why each phase runs or not", command("plan", args_.session)),
       fmt::format("{:<40}  go on from here", command("resume", args_.session))});
}

int Actions::plan() {
  must_have(args_.session);
  const ResearchPipeline research{{}};
  return cli::plan(console_, research.pipeline(), store_,
                   {.run = args_.session, .must_exist = true}, args_.look);
}

int Actions::serve() {
  const rs::StopOnSignal signals{SIGINT, SIGTERM};
  const SiteServer server{load_site(args_.pages), args_.port};
  console_.out << server.url() << std::endl;
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock{mutex};
  never.wait(lock, signals.stop().token(), [] { return false; });
  for (const auto& [path, count] : server.requests()) {
    console_.err << fmt::format("{:>6}  {}\n", count, path);
  }
  return 0;
}

std::string Actions::command(std::string_view name, std::string_view id) const {
  std::string text = fmt::format("research {}", name);
  if (!id.empty()) text += " " + as_word(id);
  if (args_.out != "output") text += " --out " + as_word(args_.out);
  return text;
}

/// Where the pages are, in words that do not change from call to call; empty when not given.
std::string Actions::site() const {
  if (!args_.site.empty()) {
    std::string origin = args_.site;
    if (origin.ends_with('/')) origin.pop_back();
    if (!is_origin(origin)) {
      misused(fmt::format("'{}' is no site", args_.site), "--site http://HOST[:PORT]");
    }
    return origin;
  }
  if (args_.pages.empty()) return {};
  static_cast<void>(load_site(args_.pages));  // throws before anything is written
  return std::filesystem::canonical(args_.pages).string();
}

Settings Actions::given() const {
  Settings settings;
  if (std::string from = site(); !from.empty()) settings.site = std::move(from);
  if (!args_.topic.empty()) settings.topic = args_.topic;
  if (!args_.provider.empty()) settings.provider = args_.provider;
  return settings;
}

Settings Actions::for_new_session() const {
  Settings settings = given();
  if (!settings.site) {
    misused(fmt::format("batch {} has no session in {}, and where its pages are is not said",
                        args_.batch, args_.out),
            command("continue", args_.batch) + " --pages DIR   (or --site URL)");
  }
  settings.batch = args_.batch;
  settings.created = now();
  if (!settings.topic) settings.topic = "";
  if (!settings.provider) settings.provider = "extractive";
  return settings;
}

/// @throws Error  there is no such session, or nothing to go on from
void Actions::must_have(const std::string& session) {
  if (has_session(store_, session)) return static_cast<void>(plan_of(session));
  std::vector<std::string> ids;
  store_.runs("", [&](std::string_view id) {
    ids.emplace_back(id);
    return true;
  });
  throw rs::Error(
      rs::Errc::unknown_run,
      {.what = ids.empty() ? fmt::format("there is no session {}: {} has none", session, args_.out)
                           : fmt::format("there is no session {} in {}; there are {}", session,
                                         args_.out, fmt::join(ids, ", ")),
       .kept = "nothing was changed",
       .next = ids.empty() ? command("continue", "BATCH") + " --pages DIR" : command("list")});
}

void Actions::throw_damaged(const std::string& session, const rs::Cause& cause) const {
  // An input is all that tells what the session is about.
  const bool lost = cause.reason == rs::Reason::missing_input;
  throw rs::Error(
      rs::Errc::damaged,
      {.what = fmt::format("session {} is damaged: {}", session, cause.text()),
       .run = session,
       .file = cause.file,
       .kept = "every byte; no second session was made",
       .next = lost ? "bring the file back from a copy, or move the session's folder away: its "
                      "batch then begins anew"
                    : command("resume", session) + "   sets it aside and does that part again"});
}

/// A finished session is not changed in passing: what is given has to be what it was made from.
void Actions::must_fit_finished(const std::string& session) {
  const rs::Plan plan = plan_of(session, given());
  if (plan.complete() || plan.refused()) return;
  std::string why;
  for (const rs::Decision& decision : plan) {
    for (const rs::Cause& cause : decision.causes) {
      const bool told =
          cause.reason != rs::Reason::input_changed || why.find(cause.text()) != why.npos;
      if (!told) why += "; " + cause.text();
    }
  }
  misused(
      fmt::format("session {} is finished, and would not be with what is given{}", session, why),
      "leave that out to see its report, or name another batch");
}

rs::Plan Actions::plan_of(const std::string& session, const Settings& settings) {
  const ResearchPipeline research{settings};
  rs::Plan plan =
      rs::ResumePlanner{store_}.plan(research.pipeline(), {.run = session, .must_exist = true});
  if (has_begun(plan)) {
    const auto damage = damage_of(plan);
    if (damage && damage->reason == rs::Reason::missing_input) throw_damaged(session, *damage);
    return plan;
  }
  misused(fmt::format("session {} was stopped before it recorded what it is made from", session),
          command("continue", session) + " --pages DIR   (or --site URL)");
}

Actions::Again Actions::again(const rs::Plan& plan) const {
  Again again;
  const std::string phase = args_.phase.empty() ? "" : phase_of(args_.phase);
  if (args_.step == 0) {
    if (!phase.empty()) again.from.push_back(phase);
    return again;
  }
  if (!phase.empty() && phase != "phase3") {
    misused("--step is about phase 3", "leave --phase out, or give one of the two");
  }
  std::size_t position = 0;
  plan.items("phase3", [&](std::string_view key, rs::Action, rs::Reason) {
    if (++position >= args_.step) again.redo.push_back(fmt::format("phase3/{}", key));
    return true;
  });
  if (again.redo.empty()) {
    misused(position == 0
                ? "no step of the session has begun yet"
                : fmt::format("the session has no step {}: its plan has {}", args_.step, position),
            command("status", args_.session));
  }
  again.from.emplace_back("phase4");
  return again;
}

int Actions::go(const std::string& session, Settings settings, const Again& again,
                bool must_exist) {
  settings.pace = std::chrono::milliseconds{args_.pace};
  const ResearchPipeline research{settings};
  const rs::ResumeOptions options{
      .run = session, .redo = again.redo, .from = again.from, .must_exist = must_exist};
  if (must_exist) {
    const rs::Plan plan = rs::ResumePlanner{store_}.plan(research.pipeline(), options);
    console_.err << fmt::format("session {}: {}\n", session, progress_of(plan).text());
  }
  const int code = cli::resume(console_, research.pipeline(), store_, options, args_.run);
  const bool ran = code != 2 && code != 3 && code != 4;
  if (ran) write_view(session);
  if (code == 0 && !args_.run.json) {
    console_.out << fmt::format("report: {}/report.md\n", store_.artifact_folder(session));
  } else if (code != 0 && ran) {
    console_.err << fmt::format("  next  {}\n", command("resume", session));
  }
  return code;
}

/// The session's file is a view: that it cannot be written is worth a warning, no more.
void Actions::write_view(const std::string& session) {
  try {
    write_session_file(store_, args_.out, session);
  } catch (const std::exception& error) {
    console_.err << fmt::format("warning: the session's file was not written: {}\n", error.what());
  }
}

}  // namespace research
