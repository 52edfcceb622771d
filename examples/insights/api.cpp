// The library is not in here: what callers send, and what they and people read.
#include "insights/api.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/call.hpp"
#include "insights/clerk.hpp"
#include "model/terms.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 9> known{"customPrompt",  "systemId",       "contextWindowDays",
                                           "maxIterations", "modelOverride",  "mode",
                                           "pictures",      "summarizeAbove", "resumeJobId"};

constexpr std::size_t longest_prompt = 4000;

[[noreturn]] void fail(const std::string& message) { throw BadRequest(message); }

const Json* field(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::string text(const Json& json, const char* name, std::string otherwise) {
  const Json* value = field(json, name);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) fail(fmt::format("'{}' is not a text", name));
  return value->get<std::string>();
}

int number(const Json& json, const char* name, int otherwise, int most) {
  const Json* value = field(json, name);
  if (value == nullptr) return otherwise;
  const bool whole = value->is_number_integer();
  const auto given = whole ? value->get<std::int64_t>() : 0;
  if (!whole || given < 1 || given > most || *value > most) {
    fail(fmt::format("'{}' is not a whole number from 1 to {}", name, most));
  }
  return static_cast<int>(given);
}

Json parse(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    fail(fmt::format("the request is not JSON, from byte {} on", error.byte));
  }
}

using Ordered = nlohmann::ordered_json;

/// What may hold a model's or a user's bytes is shown, even if it is not UTF-8.
std::string dump(const Ordered& json, int indent) {
  return json.dump(indent, ' ', false, Ordered::error_handler_t::replace);
}

/// What the answers of a model have cost; nothing of a provider that costs nothing.
void add_cost(Ordered& to, const char* name, const resumable::Cost& cost) {
  if (cost != resumable::Cost{}) to[name] = {{"usd", cost.usd}, {"tokens", cost.tokens}};
}

/// What a call tells however it ended.
void add_notes(Ordered& to, const CallResult& result) {
  add_cost(to, "cost", result.cost);
  add_cost(to, "saved", result.saved);
  if (!result.reason.empty()) to["reason"] = result.reason;
  if (result.restarted) to["restarted"] = true;
  if (!result.warnings.empty()) to["warnings"] = result.warnings;
}

Ordered success(const CallResult& result) {
  const Insights& found = *result.insights;
  Ordered metadata{{"mode", result.job && result.job->request ? result.job->request->mode : "sync"},
                   {"jobId", result.job_id},
                   {"outcome", found.outcome},
                   {"turns", found.turns},
                   {"toolCalls", found.tool_calls},
                   {"toolCacheHits", result.cache_hits},
                   {"durationMs", result.duration.count()},
                   {"wasResumed", result.was_resumed},
                   {"cached", result.cached},
                   {"usedFunctionCalling", found.tool_calls > 0}};
  add_notes(metadata, result);
  const ContextSummary& context = found.context_summary;
  Ordered insights{{"rawText", found.raw_text},
                   {"contextSummary",
                    {{"systemId", context.system_id},
                     {"from", context.from},
                     {"to", context.to},
                     {"readings", context.readings},
                     {"tables", context.tables},
                     {"exchanges", context.exchanges},
                     {"omitted", context.omitted}}}};
  for (const Finding& finding : found.findings)
    insights["findings"].push_back(Ordered(Json(finding)));
  for (const auto& file : result.pictures) insights["pictures"].push_back(file.string());
  return {{"success", true}, {"insights", std::move(insights)}, {"metadata", std::move(metadata)}};
}

Ordered owner_json(const resumable::Owner& owner) {
  return {{"pid", owner.pid},
          {"host", owner.host},
          {"since", to_text(std::chrono::floor<std::chrono::milliseconds>(owner.since))}};
}

/// `bytesWritten` counts the turns that compaction has left out since, `bytesKept` does not.
Ordered metrics_json(const Job& job) {
  const resumable::Overhead& overhead = job.run.overhead;
  const auto resumes = std::ranges::count_if(job.run.calls, &resumable::RunCall::resumed);
  return {{"calls", job.run.calls.size()},
          {"resumes", resumes},
          {"savedSeconds", job.saved.duration.count()},
          {"loadSeconds", overhead.loading.count()},
          {"saveSeconds", overhead.saving.count()},
          {"commits", overhead.commits},
          {"bytesWritten", overhead.bytes},
          {"bytesKept", job.bytes_kept}};
}

Ordered failure(const CallResult& result) {
  Ordered details{{"jobId", result.job_id},
                  {"canResume", result.can_resume()},
                  {"wasResumed", result.was_resumed},
                  {"durationMs", result.duration.count()},
                  {"timeoutMs", result.budget.count()}};
  if (result.job_id.empty()) details["jobId"] = nullptr;
  if (result.job) {
    details["turns"] = result.job->turns;
    details["toolCalls"] = result.job->tool_calls;
    details["elapsedMs"] = result.job->elapsed_ms;
    if (result.can_resume()) details["savedAt"] = to_text(result.job->saved_at);
    if (result.job->run.owner) details["owner"] = owner_json(*result.job->run.owner);
  }
  add_notes(details, result);
  return {{"success", false},
          {"error", result.error},
          {"message", result.message},
          {"details", std::move(details)}};
}

}  // namespace

Incoming read_request(const std::string& from, const ForNewJobs& defaults) {
  const Json json = parse(from);
  if (!json.is_object()) fail("the request is not a JSON object");
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      fail(fmt::format("there is no field '{}'; there are {}", name, fmt::join(known, ", ")));
    }
  }
  if (field(json, "resumeJobId") != nullptr) {
    if (json.size() > 1) {
      fail("a job keeps its request: send 'resumeJobId' without other fields");
    }
    return {std::nullopt, text(json, "resumeJobId", "")};
  }
  Request request;
  request.system_id = text(json, "systemId", "");
  if (request.system_id.empty())
    fail("'systemId' is missing: a table's name, or a value of a column");
  request.custom_prompt = text(json, "customPrompt", any_question);
  if (request.custom_prompt.size() > longest_prompt)
    fail(fmt::format("'customPrompt' has more than {} bytes", longest_prompt));
  request.context_window_days =
      number(json, "contextWindowDays", request.context_window_days, 36'500);
  request.max_iterations = number(json, "maxIterations", request.max_iterations, 1'000);
  request.mode = text(json, "mode", request.mode);
  if (request.mode != "sync") {
    fail("'mode' is sync: there is no background mode, a job that is out of time is continued");
  }
  if (const Json* pictures = field(json, "pictures")) {
    if (!pictures->is_boolean()) fail("'pictures' is not true or false");
    request.pictures = pictures->get<bool>();
  }
  if (field(json, "summarizeAbove") != nullptr) {
    request.summarize_above =
        static_cast<std::size_t>(number(json, "summarizeAbove", 0, 100'000'000));
  }
  request.provider = defaults.provider;
  if (field(json, "modelOverride") != nullptr) {
    const model::Choice choice{.model = text(json, "modelOverride", "")};
    if (!request.provider.starts_with("openai:")) {
      fail(fmt::format("'modelOverride' names a model, and the provider '{}' has none",
                       request.provider));
    }
    if (choice.model.find('@') != choice.model.npos) fail("'modelOverride' has an '@'");
    request.provider = choice.name(request.provider);
  }
  if (request.summarize_above > 0 && request.provider == "quote") {
    fail("'summarizeAbove' needs a model: the provider 'quote' has none");
  }
  request.ttl_seconds = defaults.ttl_seconds;
  return {request, ""};
}

std::string answer_json(const CallResult& result) {
  const bool good = result.error.empty() && result.insights;
  return dump(good ? success(result) : failure(result), 2);
}

std::string job_json(const Job& job) {
  Ordered json{{"schema", 1},
               {"jobId", job.id},
               {"state", to_string(job.run.state)},
               {"turns", job.turns},
               {"toolCalls", job.tool_calls},
               {"elapsedMs", job.elapsed_ms},
               {"savedAt", to_text(job.saved_at)}};
  add_cost(json, "cost", job.run.cost);
  if (!job.outcome.empty()) json["outcome"] = job.outcome;
  for (const Unreadable& one : job.unreadable) {
    json["unreadable"].push_back(
        {{"part", one.part}, {"reason", one.reason}, {"message", one.message}});
  }
  if (const auto& request = job.request) {
    json["request"] = {{"customPrompt", request->custom_prompt},
                       {"systemId", request->system_id},
                       {"contextWindowDays", request->context_window_days},
                       {"maxIterations", request->max_iterations},
                       {"mode", request->mode},
                       {"provider", request->provider},
                       {"ttlSeconds", request->ttl_seconds},
                       {"pictures", request->pictures},
                       {"summarizeAbove", request->summarize_above}};
  }
  if (const auto until = job.expires()) json["expiresAt"] = to_text(until);
  if (job.run.owner) json["owner"] = owner_json(*job.run.owner);
  json["metrics"] = metrics_json(job);
  return dump(json, -1);
}

std::string number_of(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string job_line(const Job& job, bool is_expired) {
  std::string line =
      fmt::format("{}  {}  {}, {}", job.id, to_string(job.run.state), number_of(job.turns, "turn"),
                  number_of(job.tool_calls, "tool call"));
  if (job.run.cost.usd > 0) line += fmt::format(", ${:.4f}", job.run.cost.usd);
  if (job.outcome == "max_iterations") line += " (max_iterations)";
  for (const Unreadable& one : job.unreadable) line += fmt::format("  {} {}", one.part, one.reason);
  if (job.request) line += "  " + job.request->system_id;
  if (job.saved_at) line += "  saved " + to_text(job.saved_at);
  if (const auto until = job.expires()) {
    line += (is_expired ? "  expired " : "  expires ") + to_text(until);
  }
  return line;
}

std::string unreadable_text(const Job& job, const std::string& resume) {
  std::string text;
  for (const Unreadable& one : job.unreadable) {
    text += fmt::format("  {}  {}: {}\n", one.reason, one.part, one.message);
  }
  const std::string next = job.is_newer()  ? "use the newer insights that has saved it"
                           : job.is_lost() ? "insights request FILE --data PATH, as a new job"
                                           : resume;
  return text + fmt::format("  next  {}\n", next);
}

}  // namespace insights
