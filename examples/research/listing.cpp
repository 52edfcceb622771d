#include "research/listing.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace research {
namespace {

using Row = std::array<std::string, 5>;

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
    if (!session.damage.empty()) text += fmt::format("{}: {}\n", session.id, session.damage);
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
    if (!session.damage.empty()) row["damage"] = session.damage;
    rows.push_back(std::move(row));
  }
  return nlohmann::ordered_json{{"schema", 1}, {"sessions", std::move(rows)}}.dump();
}

}  // namespace research
