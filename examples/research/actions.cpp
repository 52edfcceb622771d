#include "research/actions.hpp"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <ostream>

#include <fmt/format.h>
#include <resumable/error.hpp>
#include <resumable/stop.hpp>

#include "research/history_server.hpp"
#include "research/listing.hpp"
#include "research/session_file.hpp"
#include "research/sessions.hpp"
#include "research/site_server.hpp"

namespace research {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

bool asks_again(const rs::ResumeOptions& options) {
  return options.fresh || !options.redo.empty() || !options.from.empty();
}

void wait_for(const rs::StopOnSignal& signals) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock{mutex};
  never.wait(lock, signals.stop().token(), [] { return false; });
}

}  // namespace

Actions::Actions(const Arguments& arguments, cli::Console& console)
    : args_(arguments), console_(console), store_(args_.place) {}

int Actions::go_on() {
  const auto chosen = choose(store_, args_.batch);
  if (!chosen) {
    must_be_free(args_.batch);
    const Settings settings = for_new_session();
    console_.err << fmt::format("new session {} of batch {}\n", args_.batch, args_.batch);
    return go(args_.batch, settings, {}, false);
  }
  if (chosen->damage) throw damaged(chosen->id, *chosen->damage);
  if (!chosen->others.empty()) {
    console_.err << fmt::format("note: also unfinished: {}; continuing {}\n",
                                fmt::join(chosen->others, ", "), chosen->id);
  }
  if (!chosen->begun) return go(chosen->id, for_new_session(), {}, false);
  if (chosen->finished) must_fit_finished(chosen->id);
  if (chosen->finished && asks_again(args_.options)) {
    misused(fmt::format("session {} is finished", chosen->id),
            command("resume", chosen->id) + " --force   runs a part of it again");
  }
  return go(chosen->id, chosen->finished ? Settings{} : given(), {}, true);
}

int Actions::resume() {
  must_have(args_.session);
  const rs::Plan plan = plan_of(args_.session);
  Again wanted = again(plan);
  const bool asked = !wanted.redo.empty() || !wanted.from.empty() || asks_again(args_.options);
  if (plan.complete() && asked && !args_.force) {
    misused(fmt::format("session {} is finished", args_.session),
            "add --force to run a part of it again");
  }
  if (plan.complete() && args_.force && !asked) wanted.from.emplace_back(phases.back());
  return go(args_.session, {}, wanted, true);
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
  must_have(args_.session);
  const rs::Plan plan = deep_plan(store_, args_.session);
  const ResearchPipeline research{{}};
  std::vector<std::string> next;
  const auto add = [&](const std::string& line, const char* what) {
    next.push_back(fmt::format("{:<40}  {}", line, what));
  };
  add(command("plan", args_.session), "why each phase runs or not");
  add(command("resume", args_.session), "continue from here");
  const auto& causes = plan["phase0_5"].causes;
  if (!causes.empty() && causes.front().reason == rs::Reason::failed) {
    add(command("continue", batch_of(store_, args_.session)) + " --topic TEXT",
        "the same with another topic");
  }
  const int code =
      cli::status(console_, research.pipeline(), store_, args_.session, args_.output, next);
  if (const auto damage = damage_of(plan)) {  // also what the page above does not read
    const rs::ErrorInfo info = damaged(args_.session, *damage).info();
    console_.err << fmt::format("warning: {}\n  file  {}\n  next  {}\n", info.what, info.file,
                                info.next);
  }
  for (const std::string& note : notes_of(store_, args_.session)) {
    console_.err << fmt::format("note: {}\n", note);
  }
  return code == 0 && args_.output.exit_code && !plan.complete() ? 5 : code;
}

int Actions::plan() {
  must_have(args_.session);
  const ResearchPipeline research{{}};
  rs::ResumeOptions options = args_.options;
  options.run = args_.session;
  options.verify_payloads = true;  // as resume() does
  options.create = rs::Create::never;
  return cli::plan(console_, research.pipeline(), store_, options, args_.output);
}

int Actions::serve() {
  if (args_.pages.empty()) return serve_history();
  const rs::StopOnSignal signals{SIGHUP, SIGINT, SIGTERM};
  const SiteServer server{load_site(args_.pages), args_.port};
  console_.out << server.url() << std::endl;
  wait_for(signals);
  for (const auto& [path, count] : server.requests()) {
    console_.err << fmt::format("{:>6}  {}\n", count, path);
  }
  return 0;
}

int Actions::serve_history() {
  const rs::StopOnSignal signals{SIGHUP, SIGINT, SIGTERM};
  const HistoryServer server{args_.place, how(), args_.port};
  console_.out << server.url() << std::endl;
  wait_for(signals);
  return 0;
}

/// What does not change a value: how fast, on what terms, and with which certificates.
Settings Actions::how(Settings settings) const {
  settings.pace = std::chrono::milliseconds{args_.pace};
  settings.terms = args_.terms;
  if (args_.delay) settings.delay = std::chrono::milliseconds{*args_.delay};
  settings.ca = args_.ca;
  return settings;
}

std::string Actions::command(std::string_view name, std::string_view id) const {
  std::string text = fmt::format("research {}", name);
  if (!id.empty()) text += " " + cli::shell_quote(id);
  text += args_.place.flags();
  if (name == "continue" || name == "resume") text += args_.terms.flags();
  return text;
}

/// All of a session is read before it goes on: damage in what nothing else would look at is made
/// good, too.
int Actions::go(const std::string& session, Settings settings, const Again& again,
                bool must_exist) {
  const ResearchPipeline research{how(std::move(settings))};
  rs::ResumeOptions options = args_.options;
  options.run = session;
  options.redo.insert(options.redo.end(), again.redo.begin(), again.redo.end());
  options.from.insert(options.from.end(), again.from.begin(), again.from.end());
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
    console_.err << fmt::format("  next  {}\n",
                                another ? command("continue", batch_of(store_, session)) +
                                              " --topic TEXT   names another topic"
                                        : command("resume", session));
  }
  return code;
}

/// The session's file is a view: that it cannot be written is worth a warning, no more.
void Actions::write_view(const std::string& session) {
  const auto warn = [&](const std::string& why) {
    console_.err << fmt::format("warning: the session's file was not written: {}\n", why);
  };
  try {
    write_session_file(store_, args_.place.out, session);
  } catch (const std::filesystem::filesystem_error& error) {
    warn(fmt::format("{}: {}", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

}  // namespace research
