// Everything is decided from records and plans: nothing that this program wrote for people is read.
#include "research/sessions.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/cli.hpp>
#include <resumable/codec.hpp>
#include <resumable/records.hpp>
#include <resumable/resume.hpp>

#include "research/pipeline.hpp"

namespace research {
namespace {

namespace rs = resumable;

/// 1 for the batch's own session, N for BATCH.N, 0 for any other name.
unsigned counter_of(std::string_view id, std::string_view batch) {
  if (id == batch) return 1;
  if (!id.starts_with(batch) || id[batch.size()] != '.') return 0;
  const std::string_view digits = id.substr(batch.size() + 1);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size() ? number : 0;
}

/// Whether the run's records are another program's. A session records its batch before all else
/// that it is made from.
bool is_other_program(const rs::CheckpointStore& store, const std::string& id) {
  try {
    if (rs::Records{store, id}.input<std::string>("batch")) return false;
  } catch (const rs::Error& error) {
    return error.errc() == rs::Errc::not_decodable;  // else it is damaged, and a session's
  }
  bool other = false;
  store.scan(id, {}, [&](const rs::RecordHead& found) {
    other = !found.id.path.starts_with('@') || found.id.path.starts_with("@input/");
    return !other;
  });
  return other;
}

std::vector<std::string> session_ids(const rs::CheckpointStore& store) {
  std::vector<std::string> ids;
  store.runs("", [&](std::string_view id) {
    ids.emplace_back(id);
    return true;
  });
  std::erase_if(ids, [&](const std::string& id) { return is_other_program(store, id); });
  return ids;
}

bool is_damage(rs::Reason reason) {
  return reason == rs::Reason::damaged || reason == rs::Reason::fell_back ||
         reason == rs::Reason::unreadable;
}

/// An input whose record is damaged is missing, and its file is named.
bool is_damaged_input(const rs::Cause& cause) {
  return cause.reason == rs::Reason::missing_input && !cause.file.empty();
}

/// Whether all is done, and only a report that a person changed is in the way.
bool is_edited(const rs::Plan& plan) {
  bool edited = false;
  for (const rs::Decision& decision : plan) {
    edited =
        edited || std::ranges::count(decision.causes, rs::Reason::edited, &rs::Cause::reason) > 0;
    if (decision.action != rs::Action::skip) return false;
  }
  return edited;
}

/// One of which nothing tells the batch belongs to the batch of its name.
bool is_of(const std::string& batch, const rs::CheckpointStore& store, const std::string& id) {
  try {
    return batch_of(store, id) == batch;
  } catch (const rs::Error&) {
    return counter_of(id, batch) > 0;
  }
}

/// Whether everything that the session is made from was recorded, damaged or not.
bool has_begun(const rs::Plan& plan) {
  return std::ranges::none_of(plan.notes(), [](const rs::Cause& cause) {
    return cause.reason == rs::Reason::missing_input && !is_damaged_input(cause);
  });
}

bool is_outdated(const rs::Plan& plan) {
  return std::ranges::any_of(plan, [](const rs::Decision& decision) {
    return std::ranges::count(decision.causes, rs::Reason::no_migration, &rs::Cause::reason) > 0;
  });
}

std::optional<rs::Cause> damage_of(const rs::Plan& plan) {
  std::vector<rs::Cause> causes = plan.notes();
  for (const rs::Decision& decision : plan) {
    causes.insert(causes.end(), decision.causes.begin(), decision.causes.end());
    plan.items(decision.stage, [&](std::string_view key, rs::Action, rs::Reason reason) {
      if (!is_damage(reason)) return true;
      const auto item = plan.item(decision.stage, key);
      causes.insert(causes.end(), item->causes.begin(), item->causes.end());
      return true;
    });
  }
  const auto found = std::ranges::find_if(causes, [](const rs::Cause& cause) {
    return is_damage(cause.reason) || is_damaged_input(cause);
  });
  return found == causes.end() ? std::nullopt : std::optional{*found};
}

}  // namespace

std::string Progress::text() const {
  if (finished()) return "finished";
  if (!at.starts_with("phase")) return at;  // a stage that was added to the six
  std::string name = at.substr(std::string_view{"phase"}.size());
  std::ranges::replace(name, '_', '.');
  if (step == 0) return "phase " + name;
  return fmt::format("phase {}, step {} of {}", name, step, steps);
}

Progress progress_of(const rs::Plan& plan) {
  Progress progress;
  for (const rs::Decision& decision : plan) {
    if (decision.action == rs::Action::skip) {
      progress.done.push_back(decision.stage);
    } else if (progress.at.empty()) {
      progress.at = decision.stage;
    }
    std::size_t position = 0;
    plan.items(decision.stage, [&](std::string_view, rs::Action action, rs::Reason) {
      ++position;
      ++progress.steps;
      if (action == rs::Action::skip) {
        ++progress.steps_done;
      } else if (progress.step == 0 && progress.at == decision.stage) {
        progress.step = position;
      }
      return true;
    });
  }
  return progress;
}

std::string Session::trouble() const {
  return damage ? damage->text() : error ? error->info().what : "";
}

std::string status_of(const Session& session) {
  if (!session.trouble().empty()) return "damaged";
  if (session.outdated) return "of an earlier version";
  const rs::RunState state = session.state.value_or(rs::RunState::created);
  if (state == rs::RunState::running) return "running";
  if (state != rs::RunState::done) return fmt::format("in-progress ({})", to_string(state));
  if (session.edited) return "completed (report edited)";
  return session.progress.finished() ? "completed" : "in-progress (out of date)";
}

Session look_at(rs::CheckpointStore& store, const std::string& id) {
  Session session;
  session.id = id;
  try {
    session.state = rs::run_state(store, id);
    const ResearchPipeline research{{}};
    const rs::Plan plan =
        rs::ResumePlanner{store}.plan(research.pipeline(), {.run = id, .verify_payloads = true});
    session.plan = plan;
    session.damage = damage_of(plan);
    session.begun = has_begun(plan);
    session.outdated = is_outdated(plan);
    session.edited = is_edited(plan);
    session.progress = progress_of(plan);
    session.batch = batch_of(store, id);
    const auto created = rs::Records{store, id}.input<std::string>("created_at");
    if (created) session.created = created->value;
  } catch (const rs::Error& error) {
    if (session.damage) return session;
    session.progress.at = phases.front();
    session.error = error;
  }
  return session;
}

std::vector<Session> sessions(rs::CheckpointStore& store) {
  std::vector<Session> all;
  for (const std::string& id : session_ids(store)) all.push_back(look_at(store, id));
  std::ranges::sort(all, std::greater<>{},
                    [](const Session& one) { return std::tie(one.created, one.id); });
  return all;
}

std::vector<Session> sessions_of(rs::CheckpointStore& store, const std::string& batch) {
  std::vector<Session> all;
  for (const std::string& id : session_ids(store)) {
    if (is_of(batch, store, id)) all.push_back(look_at(store, id));
  }
  std::ranges::sort(all, std::greater<>{}, [&](const Session& one) {
    const bool is_whole = one.trouble().empty();
    return std::tuple{!is_whole, !one.progress.finished(), counter_of(one.id, batch), one.id};
  });
  return all;
}

std::string command(const program::Place& place, std::string_view name, std::string_view id) {
  const std::string of = id.empty() ? "" : " " + rs::cli::shell_quote(id);
  return fmt::format("research {}{}{}", name, of, place.flags());
}

std::optional<rs::Error> obstacle(const Session& session, const program::Place& place) {
  if (session.error) return session.error;
  if (!session.damage && !session.outdated) return {};
  rs::ErrorInfo info{.run = session.id, .kept = "every byte; no second session was made"};
  const std::string again = command(place, "resume", session.id);
  if (!session.damage) {
    info.what = fmt::format(
        "session {} was made by an earlier version of research, whose findings cannot be used",
        session.id);
    info.next = again + " --phase 0 --force   reads the site again";
    return rs::Error{rs::Errc::no_migration, std::move(info)};
  }
  const rs::Cause& damage = *session.damage;
  // Nothing is used yet: that is what `next` decides.
  info.what = fmt::format("session {}: {}", session.id,
                          damage.reason == rs::Reason::fell_back
                              ? "its newest checkpoint is damaged; an older one is whole"
                              : damage.text());
  info.file = damage.file;
  info.next = again + "   sets it aside and does that part again";
  if (damage.reason == rs::Reason::unreadable) {
    info.next = "make the file readable, then try again";
  } else if (damage.reason == rs::Reason::missing_input) {  // which tells what it is about
    info.next =
        "bring the file back from a copy, or move the session's folder away: its batch "
        "then begins again";
  }
  return rs::Error{rs::Errc::damaged, std::move(info)};
}

rs::Error not_begun(const Session& session, const program::Place& place) {
  return {rs::Errc::bad_option,
          {.what = fmt::format("session {} was stopped before it recorded what it is made from",
                               session.id),
           .run = session.id,
           .kept = "nothing was changed",
           .next = command(place, "continue", session.id) + " --pages DIR   (or --site URL)"}};
}

Known look_up(const rs::CheckpointStore& store, const std::string& id) {
  bool found = false;
  store.runs(id, [&](std::string_view run) {
    found = run == id;
    return !found;
  });
  if (!found) return Known::nothing;
  return is_other_program(store, id) ? Known::other_program : Known::session;
}

std::string batch_of(const rs::CheckpointStore& store, const std::string& session) {
  const auto batch = rs::Records{store, session}.input<std::string>("batch");
  return batch ? batch->value : session;
}

std::vector<std::string> notes_of(const rs::CheckpointStore& store, const std::string& session) {
  try {
    const auto pages = rs::Records{store, session}.stage<Scrape>("phase0");
    return pages ? pages->value.notes : std::vector<std::string>{};
  } catch (const rs::Error&) {
    return {};  // damaged: `status` says so
  }
}

}  // namespace research
