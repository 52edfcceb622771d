// What the command line gives a session, and what has to hold before anything runs.
#include <algorithm>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/records.hpp>

#include "research/actions.hpp"
#include "research/fetch.hpp"
#include "research/sessions.hpp"
#include "research/site_server.hpp"

namespace research {
namespace {

namespace rs = resumable;

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

}  // namespace

void misused(std::string what, std::string next) {
  throw rs::Error(
      rs::Errc::bad_option,
      {.what = std::move(what), .kept = "nothing was changed", .next = std::move(next)});
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

Settings Actions::given() const {
  Settings settings;
  if (std::string from = site(); !from.empty()) settings.site = std::move(from);
  if (!args_.topic.empty()) settings.topic = args_.topic;
  if (!args_.provider.empty()) settings.provider = args_.provider;
  settings.limits = args_.limits;
  return settings;
}

Settings Actions::for_new_session() const {
  Settings settings = given();
  if (!settings.site) {
    misused(fmt::format("batch {} has no session in {}, and where its pages are is not said",
                        args_.batch, args_.place.checkpoints()),
            command("continue", args_.batch) + " --pages DIR   (or --site URL)");
  }
  settings.batch = args_.batch;
  settings.created = now();
  if (!settings.topic) settings.topic = "";
  if (!settings.provider) settings.provider = "extractive";
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
void Actions::must_have(const std::string& session) {
  if (look_up(store_, session) == Known::session) return static_cast<void>(plan_of(session));
  std::vector<std::string> ids;
  for (const Session& one : sessions(store_)) ids.push_back(one.id);
  throw rs::Error(
      rs::Errc::unknown_run,
      {.what = ids.empty() ? fmt::format("there is no session {}: {} has none", session,
                                         args_.place.checkpoints())
                           : fmt::format("there is no session {} in {}; there are {}", session,
                                         args_.place.checkpoints(), fmt::join(ids, ", ")),
       .kept = "nothing was changed",
       .next = ids.empty() ? command("continue", "BATCH") + " --pages DIR" : command("list")});
}

rs::Error Actions::damaged(const std::string& session, const rs::Cause& cause) const {
  const auto next = [&]() -> std::string {
    // An input is all that tells what the session is about.
    if (cause.reason == rs::Reason::missing_input) {
      return "bring the file back from a copy, or move the session's folder away: its batch then "
             "begins again";
    }
    if (cause.reason == rs::Reason::unreadable) return "make the file readable, then try again";
    return command("resume", session) + "   sets it aside and does that part again";
  };
  // Nothing is used yet: that is what `next` decides.
  const std::string what = cause.reason == rs::Reason::fell_back
                               ? "its newest checkpoint is damaged; an older one is whole"
                               : cause.text();
  return {rs::Errc::damaged,
          {.what = fmt::format("session {}: {}", session, what),
           .run = session,
           .file = cause.file,
           .kept = "every byte; no second session was made",
           .next = next()}};
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
      fmt::format("session {} is finished, and these options would change that{}", session, why),
      "leave that out to see its report, or name another batch");
}

rs::Plan Actions::plan_of(const std::string& session, const Settings& settings) {
  const ResearchPipeline research{settings};
  rs::Plan plan = rs::ResumePlanner{store_}.plan(research.pipeline(),
                                                 {.run = session, .verify_payloads = true});
  if (has_begun(plan)) {
    const auto damage = damage_of(plan);
    if (damage && damage->reason == rs::Reason::missing_input) throw damaged(session, *damage);
    return plan;
  }
  misused(fmt::format("session {} was stopped before it recorded what it is made from", session),
          command("continue", session) + " --pages DIR   (or --site URL)");
}

/// A phase can run when those before it have values.
void Actions::must_have_come_to(const std::string& phase, const rs::Plan& plan) const {
  const rs::Records records{store_, args_.session};
  for (const std::string_view before : phases) {
    if (before == phase) return;
    const bool has_value = before == "phase3" ? plan[before].action == rs::Action::skip
                                              : records.stage<nlohmann::json>(before).has_value();
    if (has_value) continue;
    misused(fmt::format("session {} is at {}, which --phase {} needs first", args_.session,
                        progress_of(plan).text(), args_.phase),
            "leave --phase out: it continues where it is");
  }
}

Actions::Again Actions::again(const rs::Plan& plan) const {
  Again again;
  const std::string phase = args_.phase.empty() ? "" : phase_of(args_.phase);
  if (args_.step == 0) {
    if (phase.empty()) return again;
    must_have_come_to(phase, plan);
    again.from.push_back(phase);
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

}  // namespace research
