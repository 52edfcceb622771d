#include "insights/recollection.hpp"

#include <utility>

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t latest = 3;  ///< turns that stay as they were
constexpr std::size_t worth = 3;   ///< turns that are worth a call

model::Task summary_task(const std::string& prompt, const Json& turns, std::int64_t covered) {
  return {
      "summary",
      "These are the older turns of a conversation that finds out what the readings of a table "
      "show. Summarise what they found, in at most 300 words: each figure that an answer to the "
      "prompt may need, with its date or file and line, what was unusual, and what cannot be "
      "had. They will not be seen again.",
      Json{{"prompt", prompt}, {"turns", turns}}.dump(), R"({"summary":"…"})",
      std::to_string(covered)};
}

/// Whatever a model says is its summary, also without JSON around it.
std::string summary_in(const std::string& reply) {
  const Json json = Json::parse(reply, nullptr, false);
  if (!json.is_object()) return reply;
  const auto text = json.find("summary");
  return text != json.end() && text->is_string() ? text->get<std::string>() : reply;
}

/// Adds the tools that these turns have called.
void note_calls(Json& called, const Json& turns) {
  for (const Json& turn : turns) {
    if (!turn.contains("calls")) continue;
    for (const Json& call : turn.at("calls")) {
      called.push_back({{"tool", call.at("tool")}, {"arguments", call.at("arguments")}});
    }
  }
}

}  // namespace

Json shown(const Exchange& turn) {
  Json json{{"thought", turn.thought}, {"calls", turn.calls}};
  if (!turn.problem.empty()) json["problem"] = turn.problem;
  return json;
}

Recollection::Recollection(std::string prompt, std::size_t above, Ask ask)
    : prompt_(std::move(prompt)), above_(above), ask_(std::move(ask)) {}

bool Recollection::has_summary() const {
  return !shown_.empty() && shown_.front().contains("summary");
}

std::int64_t Recollection::summarised() const {
  return has_summary() ? shown_.front().at("turns").get<std::int64_t>() : 0;
}

void Recollection::add(const Exchange& turn) {
  static_cast<void>(conversation());
  shown_.push_back(shown(turn));
}

const Json& Recollection::conversation() {
  const std::size_t turns = shown_.size() - (has_summary() ? 1 : 0);
  const bool is_worth_it = turns >= latest + worth;
  if (above_ > 0 && is_worth_it && shown_.dump().size() > above_) summarise(turns - latest);
  return shown_;
}

void Recollection::summarise(std::size_t count) {
  const auto begin = shown_.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(count + (has_summary() ? 1 : 0));
  const std::int64_t covered = summarised() + static_cast<std::int64_t>(count);
  const Json older(begin, end);
  Json called = has_summary() ? shown_.front().at("called") : Json::array();
  note_calls(called, older);
  const std::string text = summary_in(ask_(summary_task(prompt_, older, covered)));
  shown_.erase(begin, end);
  shown_.insert(shown_.begin(),
                Json{{"summary", text}, {"turns", covered}, {"called", std::move(called)}});
}

}  // namespace insights
