#include "insights/answer.hpp"

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

namespace insights {
namespace {

using Ordered = nlohmann::ordered_json;

/// What may hold a model's or a user's bytes is shown, even if it is not UTF-8.
std::string dump(const Ordered& json, int indent) {
  return json.dump(indent, ' ', false, Ordered::error_handler_t::replace);
}

Ordered context(const ContextSummary& summary) {
  return {{"systemId", summary.system_id},
          {"from", summary.from},
          {"to", summary.to},
          {"readings", summary.readings},
          {"normals", summary.normals},
          {"exchanges", summary.exchanges},
          {"omitted", summary.omitted}};
}

/// What the answers of a model have cost; nothing of a provider that costs nothing.
void add_cost(Ordered& to, const char* name, const resumable::Cost& cost) {
  if (cost != resumable::Cost{}) to[name] = {{"usd", cost.usd}, {"tokens", cost.tokens}};
}

Ordered success(const CallResult& result) {
  const Insights& found = *result.insights;
  Ordered metadata{{"mode", result.job && result.job->request ? result.job->request->mode : "sync"},
                   {"jobId", result.job_id},
                   {"outcome", found.outcome},
                   {"turns", found.turns},
                   {"toolCalls", found.tool_calls},
                   {"toolCacheHits", found.cached},
                   {"durationMs", result.duration.count()},
                   {"wasResumed", result.was_resumed},
                   {"cached", result.cached},
                   {"usedFunctionCalling", found.tool_calls > 0}};
  add_cost(metadata, "cost", result.cost);
  add_cost(metadata, "saved", result.saved);
  if (result.restarted) metadata["restarted"] = true;
  if (!result.warnings.empty()) metadata["warnings"] = result.warnings;
  Ordered insights{{"rawText", found.raw_text}, {"contextSummary", context(found.context_summary)}};
  for (const auto& file : result.pictures) insights["pictures"].push_back(file.string());
  return {{"success", true}, {"insights", std::move(insights)}, {"metadata", std::move(metadata)}};
}

Ordered owner_json(const resumable::Owner& owner) {
  return {
      {"pid", owner.pid}, {"host", owner.host}, {"since", fmt::format("{:%FT%TZ}", owner.since)}};
}

Ordered failure(const CallResult& result) {
  Ordered details;
  details["jobId"] = result.job_id.empty() ? Ordered{} : Ordered(result.job_id);
  details["canResume"] = result.can_resume();
  details["wasResumed"] = result.was_resumed;
  details["durationMs"] = result.duration.count();
  details["timeoutMs"] = result.budget.count();
  if (result.job) {
    details["turns"] = result.job->turns;
    details["toolCalls"] = result.job->tool_calls;
    details["elapsedMs"] = result.job->elapsed_ms;
    if (result.can_resume()) details["savedAt"] = saved_text(result.job->saved_at);
    if (result.job->owner) details["owner"] = owner_json(*result.job->owner);
  }
  add_cost(details, "cost", result.cost);
  add_cost(details, "saved", result.saved);
  if (!result.reason.empty()) details["reason"] = result.reason;
  if (result.restarted) details["restarted"] = true;
  if (!result.warnings.empty()) details["warnings"] = result.warnings;
  return {{"success", false},
          {"error", result.error},
          {"message", result.message},
          {"details", std::move(details)}};
}

}  // namespace

std::string answer_json(const CallResult& result) {
  const bool good = result.error.empty() && result.insights;
  return dump(good ? success(result) : failure(result), 2);
}

std::string job_json(const Job& job) {
  Ordered json{{"schema", 1},
               {"jobId", job.id},
               {"state", to_string(job.state)},
               {"turns", job.turns},
               {"toolCalls", job.tool_calls},
               {"elapsedMs", job.elapsed_ms},
               {"savedAt", saved_text(job.saved_at)}};
  add_cost(json, "cost", job.cost);
  if (!job.outcome.empty()) json["outcome"] = job.outcome;
  for (const Unreadable& one : job.unreadable) {
    json["unreadable"].push_back(
        {{"part", one.part}, {"reason", one.reason}, {"message", one.message}});
  }
  if (job.request) json["request"] = Ordered::parse(nlohmann::json(*job.request).dump());
  if (const auto until = job.expires()) json["expiresAt"] = format_utc(*until);
  if (job.owner) json["owner"] = owner_json(*job.owner);
  return dump(json, -1);
}

}  // namespace insights
