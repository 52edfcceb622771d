// What is shown of sessions: values are read from their records, whatever phase a session is in
// (resumable/records.hpp).
#include "research/views.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>
#include <resumable/plan.hpp>
#include <resumable/records.hpp>
#include <resumable/resume.hpp>

#include "program/store.hpp"
#include "research/pipeline.hpp"

namespace research {
namespace {

namespace rs = resumable;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using Row = std::array<std::string, 5>;

/// A scrape without the pages' text, which would be most of the file.
Ordered brief(const Scrape& scrape) {
  Ordered pages = Ordered::array();
  for (const Page& page : scrape.pages) {
    pages.push_back(
        {{"path", page.path}, {"url", page.url}, {"title", page.title}, {"date", page.date}});
  }
  return {{"title", scrape.title},
          {"pages", std::move(pages)},
          {"missing", scrape.missing},
          {"notes", scrape.notes}};
}

/// `step_1` is `step-1` of the plan: only steps of the plan as it is now, in its order.
void add_steps(const rs::Records& records, const std::vector<Step>& plan, Ordered& file) {
  Ordered completed = Ordered::array();
  Ordered next = nullptr;
  std::size_t number = 0;
  for (const Step& step : plan) {
    ++number;
    const auto result = records.item<StepResult>("phase3", step.id);
    if (!result) {
      if (next.is_null()) next = number;
      continue;
    }
    completed.push_back(number);
    file["scratchpad"][fmt::format("step_{}", number)] = Json(result->value);
    file["step_digests"].push_back({{"step", number}, {"digest", result->value.digest}});
  }
  if (completed.empty()) return;
  file["phase_artifacts"]["phase3"] = {{"completed_step_ids", std::move(completed)},
                                       {"next_step_id", std::move(next)}};
}

template <class T>
std::optional<T> add_phase(const rs::Records& records, const char* phase, Ordered& artifacts) {
  auto value = records.stage<T>(phase);
  if (!value) return {};
  artifacts[phase] = Json(value->value);
  return std::move(value->value);
}

Ordered session_json(rs::CheckpointStore& store, const std::string& session) {
  const ResearchPipeline research{{}};
  const Progress progress = progress_of(rs::ResumePlanner{store}.plan(
      research.pipeline(), {.run = session, .create = rs::Create::never}));
  const rs::Records records{store, session};
  const auto input = [&](std::string_view name) {
    const auto recorded = records.input<std::string>(name);
    return recorded ? recorded->value : std::string{};
  };
  Ordered file{{"metadata",
                {{"session_id", session},
                 {"batch_id", input("batch")},
                 {"created_at", input("created_at")},
                 {"status", progress.finished() ? "completed" : "in-progress"},
                 {"topic", input("topic")}}},
               {"scratchpad", Ordered::object()},
               {"phase_artifacts", Ordered::object()},
               {"step_digests", Ordered::array()}};
  Ordered& artifacts = file["phase_artifacts"];
  if (const auto pages = records.stage<Scrape>("phase0")) artifacts["phase0"] = brief(pages->value);
  const auto roles = add_phase<Roles>(records, "phase0_5", artifacts);
  if (roles) file["metadata"]["topic"] = roles->topic;
  add_phase<std::vector<Goal>>(records, "phase1", artifacts);
  const auto plan = add_phase<std::vector<Step>>(records, "phase2", artifacts);
  if (plan) add_steps(records, *plan, file);
  add_phase<Synthesis>(records, "phase4", artifacts);
  return file;
}

}  // namespace

std::string phases_of(const Session& session) {
  std::string text;
  for (const std::string& phase : session.progress.done) {
    text += (text.empty() ? "" : " ") + phase.substr(5);
  }
  std::ranges::replace(text, '_', '.');
  if (session.progress.step == 0) return text;
  return fmt::format("{}, at step {} of {}", text, session.progress.step, session.progress.steps);
}

std::string sessions_text(const std::vector<Session>& sessions) {
  std::vector<Row> rows{{"SESSION", "BATCH", "STATUS", "PHASES DONE", "CREATED"}};
  for (const Session& session : sessions) {
    rows.push_back(
        {session.id, session.batch, status_of(session), phases_of(session), session.created});
  }
  std::array<std::size_t, 5> width{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (const Session& session : sessions) {
    if (!session.trouble().empty()) text += fmt::format("{}: {}\n", session.id, session.trouble());
  }
  return text;
}

std::string sessions_json(const std::vector<Session>& sessions) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Session& session : sessions) {
    nlohmann::ordered_json row{{"session_id", session.id},
                               {"batch_id", session.batch},
                               {"status", status_of(session)},
                               {"phases", session.progress.done},
                               {"created_at", session.created}};
    if (session.progress.steps > 0) {
      row["steps"] = {{"done", session.progress.steps_done}, {"total", session.progress.steps}};
    }
    if (!session.trouble().empty()) row["damage"] = session.trouble();
    rows.push_back(std::move(row));
  }
  return nlohmann::ordered_json{{"schema", 1}, {"sessions", std::move(rows)}}.dump();
}

void write_session_file(rs::CheckpointStore& store, const std::filesystem::path& folder,
                        const std::string& session) {
  const std::filesystem::path own = program::folder_of(store, session);
  const auto path = folder / "sessions" / fmt::format("session_{}.json", own.filename().string());
  auto temporary = path;
  temporary += ".tmp";
  std::filesystem::create_directories(path.parent_path());
  {
    std::ofstream file{temporary, std::ios::binary | std::ios::trunc};
    file << session_json(store, session).dump(2) << "\n";
    if (!file.flush()) {
      throw std::filesystem::filesystem_error("cannot write", temporary,
                                              std::make_error_code(std::errc::io_error));
    }
  }
  std::filesystem::rename(temporary, path);
}

}  // namespace research
