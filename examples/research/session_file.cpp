#include "research/session_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <resumable/plan.hpp>
#include <resumable/resume.hpp>
#include <system_error>

#include "research/pipeline.hpp"
#include "research/records.hpp"
#include "research/sessions.hpp"

namespace research {
namespace {

namespace rs = resumable;
using Ordered = nlohmann::ordered_json;

/// A scrape without the pages' text, which would be most of the file.
Ordered brief(const nlohmann::json& scrape) {
  Ordered pages = Ordered::array();
  for (const auto& page : scrape.at("pages")) {
    pages.push_back({{"path", page.at("path")},
                     {"url", page.at("url")},
                     {"title", page.at("title")},
                     {"date", page.at("date")}});
  }
  return {{"title", scrape.at("title")},
          {"pages", std::move(pages)},
          {"missing", scrape.at("missing")}};
}

/// `step_1` is `step-1` of the plan: only steps of the plan as it is now, in its order.
void add_steps(const rs::CheckpointStore& store, const std::string& session, Ordered& file) {
  const auto plan = recorded(store, session, "phase2");
  Ordered completed = Ordered::array();
  Ordered next = nullptr;
  std::size_t number = 0;
  for (const auto& step : plan.value_or(nlohmann::json::array())) {
    ++number;
    const auto result =
        recorded(store, session, fmt::format("phase3/{}", step.at("id").get<std::string>()));
    if (!result) {
      if (next.is_null()) next = number;
      continue;
    }
    completed.push_back(number);
    file["scratchpad"][fmt::format("step_{}", number)] = *result;
    file["step_digests"].push_back({{"step", number}, {"digest", result->at("digest")}});
  }
  if (completed.empty()) return;
  file["phase_artifacts"]["phase3"] = {{"completed_step_ids", std::move(completed)},
                                       {"next_step_id", std::move(next)}};
}

Ordered session_json(rs::CheckpointStore& store, const std::string& session) {
  const ResearchPipeline research{{}};
  const Progress progress = progress_of(
      rs::ResumePlanner{store}.plan(research.pipeline(), {.run = session, .must_exist = true}));
  const auto roles = recorded(store, session, "phase0_5");
  const std::string topic =
      roles ? roles->at("topic").get<std::string>() : recorded_input(store, session, "topic");
  Ordered file{{"metadata",
                {{"session_id", session},
                 {"batch_id", recorded_input(store, session, "batch")},
                 {"created_at", recorded_input(store, session, "created_at")},
                 {"status", progress.finished() ? "completed" : "in-progress"},
                 {"topic", topic}}},
               {"scratchpad", Ordered::object()},
               {"phase_artifacts", Ordered::object()},
               {"step_digests", Ordered::array()}};
  for (const std::string_view phase : phases) {
    if (phase == "phase3") {
      add_steps(store, session, file);
    } else if (const auto value = recorded(store, session, phase)) {
      file["phase_artifacts"][std::string{phase}] =
          phase == "phase0" ? brief(*value) : Ordered(*value);
    }
  }
  return file;
}

}  // namespace

std::filesystem::path write_session_file(rs::FileStore& store, const std::filesystem::path& folder,
                                         const std::string& session) {
  const std::filesystem::path own = store.artifact_folder(session);
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
  return path;
}

}  // namespace research
