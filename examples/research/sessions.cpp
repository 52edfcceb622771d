#include "research/sessions.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/records.hpp>
#include <resumable/resume.hpp>
#include <resumable/status.hpp>

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

/// A user has changed the file that was made of its value.
bool is_edited(const rs::Decision& decision) {
  return decision.action == rs::Action::skip &&
         std::ranges::count(decision.causes, rs::Reason::edited, &rs::Cause::reason) > 0;
}

struct Candidate {
  std::string id;
  unsigned counter = 0;
  bool begun = false;
  bool finished = false;
  std::optional<rs::Cause> damage{};
};

/// Reads all of the session; nullopt when it is another batch's.
std::optional<Candidate> look_at(rs::CheckpointStore& store, const std::string& id,
                                 std::string_view batch) {
  Candidate candidate{id, counter_of(id, batch)};
  try {
    if (batch_of(store, id) != batch) return {};
  } catch (const rs::Error&) {
    if (candidate.counter == 0) return {};  // as far as its name tells
  }
  const rs::Plan plan = deep_plan(store, id);
  candidate.damage = damage_of(plan);
  candidate.begun = has_begun(plan);
  candidate.finished = progress_of(plan).finished();
  return candidate;
}

}  // namespace

std::string Progress::text() const {
  if (finished()) return "finished";
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

bool has_begun(const rs::Plan& plan) {
  return std::ranges::none_of(plan.notes(), [](const rs::Cause& cause) {
    return cause.reason == rs::Reason::missing_input && !is_damaged_input(cause);
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

bool is_edited(const rs::Plan& plan) {
  bool edited = false;
  for (const rs::Decision& decision : plan) {
    edited = edited || is_edited(decision);
    if (decision.action != rs::Action::skip) return false;
  }
  return edited;
}

std::string status_of(const Session& session) {
  if (!session.damage.empty()) return "damaged";
  const rs::RunState state = session.state.value_or(rs::RunState::created);
  if (state == rs::RunState::running) return "running";
  if (state != rs::RunState::done) return fmt::format("in-progress ({})", to_string(state));
  if (session.edited) return "completed (report edited)";
  return session.progress.finished() ? "completed" : "in-progress (out of date)";
}

std::vector<Session> sessions(rs::CheckpointStore& store) {
  std::vector<Session> all;
  for (const std::string& id : session_ids(store)) {
    Session& session = all.emplace_back();
    session.id = id;
    try {
      session.state = rs::run_state(store, id);
      session.batch = batch_of(store, id);
      const auto created = rs::Records{store, id}.input<std::string>("created_at");
      if (created) session.created = created->value;
      const rs::Plan plan = deep_plan(store, id);
      if (const auto cause = damage_of(plan)) session.damage = cause->text();
      session.edited = is_edited(plan);
      session.progress = progress_of(plan);
    } catch (const rs::Error& error) {
      session.progress.at = phases.front();
      session.damage = error.info().what;
    }
  }
  std::ranges::sort(all, std::greater<>{},
                    [](const Session& one) { return std::tie(one.created, one.id); });
  return all;
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
    const auto pages = rs::Records{store, session}.stage<nlohmann::json>("phase0");
    return pages ? pages->value.at("notes").get<std::vector<std::string>>()
                 : std::vector<std::string>{};
  } catch (const rs::Error&) {
    return {};  // damaged: `status` says so
  }
}

rs::Plan deep_plan(rs::CheckpointStore& store, const std::string& session) {
  const ResearchPipeline research{{}};
  return rs::ResumePlanner{store}.plan(research.pipeline(),
                                       {.run = session, .verify_payloads = true});
}

std::optional<Chosen> choose(rs::CheckpointStore& store, std::string_view batch) {
  std::vector<Candidate> candidates;
  for (const std::string& id : session_ids(store)) {
    if (auto candidate = look_at(store, id, batch)) candidates.push_back(std::move(*candidate));
  }
  if (candidates.empty()) return {};
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    if (a.damage.has_value() != b.damage.has_value()) return a.damage.has_value();
    if (a.finished != b.finished) return b.finished;
    return a.counter != b.counter ? a.counter > b.counter : a.id > b.id;
  });
  const Candidate& first = candidates.front();
  Chosen chosen{first.id, first.begun, first.finished, {}, first.damage};
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (!candidates[i].finished) chosen.others.push_back(candidates[i].id);
  }
  return chosen;
}

}  // namespace research
