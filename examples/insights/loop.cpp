// The loop, the one stage that calls a model. Its turns, the summaries of old ones and the time
// that a cut-off turn took are histories: a call that ends anywhere continues from their last
// entries.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <resumable/cache.hpp>
#include <resumable/digest.hpp>
#include <resumable/progress.hpp>

#include "insights/conversation.hpp"
#include "insights/pipeline.hpp"
#include "model/provider.hpp"

namespace insights {
namespace {

namespace rs = resumable;
using Json = nlohmann::json;
using std::chrono::milliseconds;
using Now = std::function<std::chrono::system_clock::time_point()>;

constexpr int tool_revision = 10;  // raised when the answer of a tool changes
constexpr std::chrono::hours kept_results{24 * 30};
constexpr std::size_t most_shown = 60'000;  // bytes of results; beyond that older ones are cut
constexpr std::size_t cut_to = 500;
constexpr std::int64_t latest = 5;  // turns that are not summarised
// Of more than fifty turns the first five and the last twenty are shown. They are erased five at a
// time, because each erasure costs a record.
constexpr std::int64_t most_turns = 50;
constexpr std::int64_t first_shown = 5;
constexpr std::int64_t last_shown = 20;

rs::HistoryOptions<Exchange> how_to_keep(const Request& request) {
  rs::HistoryOptions<Exchange> options{.keep = true};
  if (request.summarize_above == 0) {
    options.compaction = {
        .first = first_shown, .last = last_shown, .threshold = most_turns, .every = 5};
  }
  return options;
}

class Loop {
 public:
  Loop(rs::Context& ctx, const Request& request, const Readings& readings, const model::Call& call,
       milliseconds retry_first, const Told& told, const Now& now)
      : ctx_(ctx),
        request_(request),
        tools_(readings),
        digest_(rs::digest(Json(readings).dump()).hex()),
        call_(call),
        retry_first_(retry_first),
        told_(told),
        now_(now),
        turns_(ctx.history(how_to_keep(request))),
        summaries_(ctx.history<Summary>({.name = "summaries"})),
        spent_(ctx.history<std::int64_t>({.name = spent_name,
                                          .compaction = {.first = 0, .last = 1, .threshold = 1},
                                          .keep = true})) {
    if (!turns_.empty()) before_ms_ = turns_.back().elapsed_ms;
    if (!spent_.empty()) before_ms_ = std::max(before_ms_, spent_.back());
    if (told_.began) told_.began(turns());
  }

  Insights run() {
    while (turns_.empty() || turns_.back().answer.empty()) {
      if (turns() == request_.max_iterations) return finish("max_iterations", no_answer());
      turns_.push_back(next_turn());
      turns_.safepoint();
    }
    const Exchange& last = turns_.back();
    const bool is_cut_off = last.turn == request_.max_iterations && !last.complete;
    return finish(is_cut_off ? "max_iterations" : "answered", last.answer);
  }

 private:
  [[nodiscard]] std::int64_t turns() const { return static_cast<std::int64_t>(turns_.size()); }

  /// The provider's answer, as it came; an error that may pass is tried again.
  model::Answer ask(const model::Task& task) const {
    constexpr int attempts = 4;
    constexpr milliseconds longest{30'000};
    milliseconds wait = retry_first_;
    for (int attempt = 1;; ++attempt) {
      try {
        model::Answer answer = call_.provider.ask(task, call_.stop);
        if (call_.spend) call_.spend(answer.spent);
        return answer;
      } catch (const model::ProviderError& error) {
        if (!error.retryable() || attempt == attempts) throw;
        model::pause(error.retry_after() ? milliseconds{*error.retry_after()} : wait, call_.stop);
        wait = std::min(2 * wait, longest);
      }
    }
  }

  Exchange next_turn() {
    try {
      const Json turns = shown();
      const model::Task task = turn_task(request_, tools_.tables(), this->turns() + 1, turns);
      Exchange next = read_reply(ask(task));
      next.turn = this->turns() + 1;
      next.tool_calls = tool_calls() + std::ssize(next.calls);
      next.elapsed_ms = elapsed_ms();
      return next;
    } catch (...) {
      if (!turns_.empty()) spent_.push_back(elapsed_ms());
      turns_.safepoint();  // a stop leaves here
      throw;
    }
  }

  std::int64_t tool_calls() const { return turns_.empty() ? 0 : turns_.back().tool_calls; }

  std::int64_t elapsed_ms() const {
    const auto passed = std::chrono::duration_cast<milliseconds>(now_() - begin_);
    return before_ms_ + std::max<std::int64_t>(0, passed.count());  // a clock may be put back
  }

  Json shown() {
    Json all = Json::array();
    const std::int64_t through = summaries_.empty() ? 0 : summaries_.back().through;
    if (through > 0) all.push_back({{"summary", summaries_.back().text}, {"turns", through}});
    for (const Exchange& turn : turns_.entries()) {
      if (turn.turn <= through) continue;
      const std::int64_t gap = omitted();
      if (gap > 0 && turn.turn == first_shown + gap + 1) all.push_back({{"omitted", gap}});
      const bool is_in_gap = turn.turn > first_shown && turn.turn <= first_shown + gap;
      if (!is_in_gap) all.push_back(with_results(turn));
    }
    std::size_t bytes = 0;
    for (auto turn = all.rbegin(); turn != all.rend(); ++turn) {
      if (!turn->contains("calls")) continue;
      for (Json& call : (*turn)["calls"]) {
        const std::string result = dump(call["result"]);
        bytes += result.size();
        if (bytes > most_shown && result.size() > cut_to)
          call["result"] = result.substr(0, cut_to) + " …";
      }
    }
    const bool is_long =
        request_.summarize_above > 0 && dump(all).size() > request_.summarize_above;
    if (!is_long || turns() - through <= latest) return all;
    summarise(all);
    return shown();
  }

  void summarise(const Json& turns) {
    Json older = turns;
    older.erase(older.end() - latest, older.end());
    const std::int64_t through = this->turns() - latest;
    const model::Answer answer = ask(summary_task(request_, older, through));
    const Json json = Json::parse(answer.json, nullptr, false);
    const bool is_good =
        json.is_object() && json.contains("summary") && json["summary"].is_string();
    summaries_.push_back({through, is_good ? json["summary"].get<std::string>() : answer.json});
  }

  /// How many of the turns are not shown.
  [[nodiscard]] std::int64_t omitted() const {
    if (request_.summarize_above > 0 || turns() <= most_turns) return 0;
    return turns() - first_shown - last_shown;
  }

  Json with_results(const Exchange& turn) {
    Json json{{"thought", turn.thought}};
    if (!turn.problem.empty()) json["problem"] = turn.problem;
    for (const ToolCall& call : turn.calls) {
      json["calls"].push_back({{"name", call.tool},
                               {"arguments", call.arguments},
                               {"result", Json::parse(result_of(call))}});
    }
    return json;
  }

  const std::string& result_of(const ToolCall& call) {
    const std::string arguments = call.arguments.dump();
    const std::string key = call.tool + ' ' + arguments;
    const auto [place, is_new] = results_.try_emplace(key);
    if (!is_new) return place->second;
    bool is_cached = true;
    place->second = ctx_.cached("tool", rs::with(digest_, tool_revision, call.tool, arguments),
                                {.max_age = kept_results}, [&] {
                                  is_cached = false;
                                  return tools_.use(call, ctx_.stop_token());
                                });
    if (is_cached && told_.cache_hit) told_.cache_hit();
    return place->second;
  }

  std::string no_answer() const {
    const std::string text =
        fmt::format("There was no answer within {} turns (maxIterations)", turns());
    if (tool_calls() > 0) return fmt::format("{}; tools were called {} times.", text, tool_calls());
    return fmt::format("{}: none of the replies was a call of a tool or an answer. The last: {}.",
                       text, turns_.back().problem);
  }

  Insights finish(std::string outcome, std::string text) {
    const Table& table = tools_.readings().tables.front();
    Insights result{.outcome = std::move(outcome), .raw_text = std::move(text)};
    result.turns = turns();
    result.tool_calls = tool_calls();
    ContextSummary& context = result.context_summary;
    context.system_id = request_.system_id;
    context.readings = std::ssize(table.rows);
    context.tables = std::ssize(tools_.readings().tables);
    context.exchanges = turns() - (turns_.empty() || turns_.back().answer.empty() ? 0 : 1);
    context.omitted = omitted();
    if (!summaries_.empty()) context.omitted = summaries_.back().through;
    const Json first = tools_.tables().front();
    context.from = first.value("from", "").substr(0, 10);
    context.to = first.value("to", "").substr(0, 10);
    add_proof(result);
    return result;
  }

  void add_proof(Insights& result) const {
    for (const Exchange& turn : turns_.entries()) {
      for (const ToolCall& call : turn.calls) {
        if (request_.pictures && tools_.picture(call)) result.charts.push_back(call);
        for (Finding& finding : tools_.findings(call, ctx_.stop_token())) {
          if (result.raw_text.find(finding.text) != std::string::npos) {
            result.findings.push_back(std::move(finding));
          }
        }
      }
    }
  }

  rs::Context& ctx_;
  const Request& request_;
  Tools tools_;
  std::string digest_;  ///< of the tables
  const model::Call& call_;
  milliseconds retry_first_;
  const Told& told_;
  const Now& now_;
  std::chrono::system_clock::time_point begin_ = now_();
  rs::History<Exchange> turns_;
  rs::History<Summary> summaries_;
  rs::History<std::int64_t> spent_;
  std::int64_t before_ms_ = 0;                  ///< what the calls before this one took
  std::map<std::string, std::string> results_;  ///< of tools, in this process
};

}  // namespace

Insights run_loop(rs::Context& ctx, const Request& request, const Readings& readings,
                  const model::Call& call, milliseconds retry_first, const Told& told,
                  const Now& now) {
  return Loop{ctx, request, readings, call, retry_first, told, now}.run();
}

std::vector<Picture> pictures_of(const Readings& readings, const Insights& found) {
  std::map<std::string, Picture> by_name;  // of equal titles the last one
  if (!found.charts.empty()) {
    const Tools tools{readings};
    for (const ToolCall& call : found.charts) {
      if (auto picture = tools.picture(call)) by_name[picture->name] = std::move(*picture);
    }
  }
  std::vector<Picture> all;
  for (auto& [name, picture] : by_name) all.push_back(std::move(picture));
  return all;
}

}  // namespace insights
