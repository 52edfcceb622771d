#include "research/session_file.hpp"

#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/plan.hpp>
#include <resumable/records.hpp>
#include <resumable/resume.hpp>

#include "program/store.hpp"
#include "research/pipeline.hpp"
#include "research/sessions.hpp"

namespace research {
namespace {

namespace rs = resumable;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

/// A scrape without the pages' text, which would be most of the file.
Ordered brief(const Json& scrape) {
  Ordered pages = Ordered::array();
  for (const auto& page : scrape.at("pages")) {
    pages.push_back({{"path", page.at("path")},
                     {"url", page.at("url")},
                     {"title", page.at("title")},
                     {"date", page.at("date")}});
  }
  return {{"title", scrape.at("title")},
          {"pages", std::move(pages)},
          {"missing", scrape.at("missing")},
          {"notes", scrape.at("notes")}};
}

/// `step_1` is `step-1` of the plan: only steps of the plan as it is now, in its order.
void add_steps(const rs::Records& records, Ordered& file) {
  const auto plan = records.stage<Json>("phase2");
  Ordered completed = Ordered::array();
  Ordered next = nullptr;
  std::size_t number = 0;
  for (const auto& step : plan ? plan->value : Json::array()) {
    ++number;
    const auto result = records.item<Json>("phase3", step.at("id").get<std::string>());
    if (!result) {
      if (next.is_null()) next = number;
      continue;
    }
    completed.push_back(number);
    file["scratchpad"][fmt::format("step_{}", number)] = result->value;
    file["step_digests"].push_back({{"step", number}, {"digest", result->value.at("digest")}});
  }
  if (completed.empty()) return;
  file["phase_artifacts"]["phase3"] = {{"completed_step_ids", std::move(completed)},
                                       {"next_step_id", std::move(next)}};
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
  const auto roles = records.stage<Json>("phase0_5");
  const std::string topic = roles ? roles->value.at("topic").get<std::string>() : input("topic");
  Ordered file{{"metadata",
                {{"session_id", session},
                 {"batch_id", input("batch")},
                 {"created_at", input("created_at")},
                 {"status", progress.finished() ? "completed" : "in-progress"},
                 {"topic", topic}}},
               {"scratchpad", Ordered::object()},
               {"phase_artifacts", Ordered::object()},
               {"step_digests", Ordered::array()}};
  for (const std::string_view phase : phases) {
    if (phase == "phase3") {
      add_steps(records, file);
    } else if (const auto value = records.stage<Json>(phase)) {
      file["phase_artifacts"][std::string{phase}] =
          phase == "phase0" ? brief(value->value) : Ordered(value->value);
    }
  }
  return file;
}

}  // namespace

std::filesystem::path write_session_file(rs::CheckpointStore& store,
                                         const std::filesystem::path& folder,
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
  return path;
}

}  // namespace research
