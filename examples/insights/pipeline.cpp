#include "insights/pipeline.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/cache.hpp>
#include <resumable/digest.hpp>
#include <resumable/progress.hpp>

#include "insights/computed.hpp"
#include "insights/conversation.hpp"
#include "insights/recollection.hpp"
#include "insights/tools.hpp"
#include "model/model.hpp"

namespace insights {
namespace {

namespace rs = resumable;
using Now = std::function<std::chrono::system_clock::time_point()>;
using Turns = rs::History<Exchange>;

/// Five turns a save; when there are more than fifty, the first five and the last twenty remain. Of
/// turns that are summarised all remain, so that they can be summarised again.
rs::HistoryOptions<Exchange> how_to_keep(const Request& request) {
  rs::HistoryOptions<Exchange> options{.every = 5, .keep = true};
  if (request.summarize_above == 0) {
    options.compaction = {.first = 5, .last = 20, .threshold = 50};
  }
  return options;
}

ContextSummary context_of(const Readings& readings) {
  const Table& table = readings.table;
  const auto first = static_cast<std::size_t>(table.first);
  const auto day = [&](std::size_t row) { return table.when(row).substr(0, 10); };
  return {.system_id = readings.system_id,
          .from = day(first),
          .to = day(table.rows() - 1),
          .readings = static_cast<std::int64_t>(table.rows() - first),
          .normals = !readings.usual.empty()};
}

/// Results of tools that no job has asked for in this time are computed again.
constexpr std::chrono::hours kept_results{24 * 30};

constexpr int tool_revision = 7;  // raised when the answer of a tool changes

/// The loop of one job: ask, call the tools, remember, until there is an answer.
class Loop {
 public:
  Loop(rs::Context& ctx, const Request& request, const Readings& readings, const model::Call& call,
       const Now& now)
      : ctx_(ctx),
        request_(request),
        readings_(readings),
        call_(call),
        context_(context_of(readings)),
        table_(catalogue(readings)),
        readings_digest_(rs::digest(nlohmann::json(readings).dump()).hex()),
        turns_(ctx.history(how_to_keep(request))),
        spent_(ctx.history<Spent>({.name = spent_name,
                                   .compaction = {.first = 0, .last = 1, .threshold = 1},
                                   .keep = true})),
        recollection_(request.custom_prompt, request.summarize_above,
                      [&call](const model::Task& task) { return model::reply(call, task); }),
        now_(now) {
    if (!turns_.empty()) before_ms_ = turns_.back().elapsed_ms;
    if (!spent_.empty()) before_ms_ = std::max(before_ms_, spent_.back().elapsed_ms);
  }

  Insights run() {
    while (turns() < request_.max_iterations) {
      const Reply reply = ask();
      if (reply.answer) return finish(outcome_of(reply), *reply.answer, turns() + 1);
      turns_.push_back(exchange(reply));
      turns_.safepoint();
    }
    return finish("max_iterations", no_answer(), turns());
  }

  [[nodiscard]] std::int64_t turns() const { return static_cast<std::int64_t>(turns_.size()); }

 private:
  [[nodiscard]] std::int64_t tool_calls() const {
    return turns_.empty() ? 0 : turns_.back().tool_calls;
  }

  /// Asks for the next turn: a step, so that a reply is committed before anything is made of it.
  /// Whatever keeps it from being given, the turns before are saved.
  Reply ask() {
    try {
      const auto task = turn_task(request_, context_, table_, turns() + 1, conversation());
      return read_reply(model::reply(call_, task, kept_of));
    } catch (const model::Stopped&) {
      note_time();
      turns_.safepoint();
      throw;
    } catch (...) {
      note_time();
      turns_.save();
      throw;
    }
  }

  /// Records the time of a turn that is cut off; before the first turn there is no job to keep.
  void note_time() {
    if (!turns_.empty()) spent_.push_back({elapsed_ms()});
  }

  /// Of all calls so far.
  [[nodiscard]] std::int64_t elapsed_ms() const {
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(now_() - begin_);
    return before_ms_ + std::max<std::int64_t>(0, passed.count());  // a clock may be put back
  }

  /// What is shown of the turns so far: with gaps, or with a summary.
  nlohmann::json conversation() {
    if (request_.summarize_above > 0) {
      while (recalled_ < turns_.size()) recollection_.add(turns_.entries()[recalled_++]);
      return recollection_.conversation();
    }
    auto all = nlohmann::json::array();
    turns_.visit([&](const Exchange& one) { all.push_back(shown(one)); },
                 [&](std::size_t omitted) {
                   all.push_back({{"omitted", omitted}});
                 });
    return all;
  }

  [[nodiscard]] std::int64_t cached() const { return turns_.empty() ? 0 : turns_.back().cached; }

  /// Calls a tool, or takes what it gave to any job that asked the same of the same readings: tools
  /// are pure functions. Returns whether the cache had it.
  bool use(ToolCall& call) {
    bool is_cached = true;
    call.result =
        ctx_.cached("tool", rs::with(readings_digest_, tool_revision, call.tool, call.arguments),
                    {.max_age = kept_results}, [&] {
                      is_cached = false;
                      return use_tool(call.tool, call.arguments, readings_);
                    });
    return is_cached;
  }

  /// A model is told of its last turn, so that it gives what it has: such an answer is whole only
  /// if it says so.
  [[nodiscard]] const char* outcome_of(const Reply& reply) const {
    const bool is_last = turns() + 1 == request_.max_iterations;
    return is_last && !reply.complete ? "max_iterations" : "answered";
  }

  Exchange exchange(const Reply& reply) {
    Exchange next{.turn = turns() + 1,
                  .thought = reply.thought,
                  .calls = reply.calls,
                  .problem = reply.problem};
    next.cached = cached();
    for (ToolCall& call : next.calls) next.cached += use(call) ? 1 : 0;
    next.tool_calls = tool_calls() + static_cast<std::int64_t>(next.calls.size());
    next.elapsed_ms = elapsed_ms();
    return next;
  }

  [[nodiscard]] std::string no_answer() const {
    const std::string text =
        fmt::format("There was no answer within {} turns (maxIterations)", turns());
    if (tool_calls() > 0) return fmt::format("{}; tools were called {} times.", text, tool_calls());
    return fmt::format(
        "{}: none of the model's replies was a call of a tool or an answer in JSON. The last: {}.",
        text, turns_.back().problem);
  }

  Insights finish(std::string outcome, std::string text, std::int64_t turns) const {
    Insights result{std::move(outcome), std::move(text), context_, turns,
                    tool_calls(),       cached(),        {}};
    result.context_summary.exchanges = this->turns();
    result.context_summary.omitted =
        static_cast<std::int64_t>(turns_.omitted()) + recollection_.summarised();
    if (request_.pictures) add_pictures(result);
    return result;
  }

  /// Keeps the calls that are told and have a picture, and says what has none.
  void add_pictures(Insights& result) const {
    std::vector<ToolCall> all;
    turns_.visit(
        [&](const Exchange& one) { all.insert(all.end(), one.calls.begin(), one.calls.end()); },
        [](std::size_t) {});
    std::vector<ToolCall> not_drawn;
    for (ToolCall& call : told_in(result.raw_text, all)) {
      const bool is_drawn = !draw({call}, readings_).empty();
      (is_drawn ? result.drawn : not_drawn).push_back(std::move(call));
    }
    result.raw_text += without_picture(result.raw_text, not_drawn);
  }

  rs::Context& ctx_;
  const Request& request_;
  const Readings& readings_;
  const model::Call& call_;
  ContextSummary context_;
  nlohmann::json table_;
  std::string readings_digest_;
  Turns turns_;
  rs::History<Spent> spent_;
  Recollection recollection_;
  std::size_t recalled_ = 0;    ///< turns that recollection_ knows
  std::int64_t before_ms_ = 0;  ///< what the calls before this one took
  const Now& now_;
  std::chrono::system_clock::time_point begin_ = now_();
};

}  // namespace

InsightsPipeline::InsightsPipeline(std::optional<Given> given, model::Calling calling,
                                   std::function<void(std::int64_t)> began, Now now) {
  const auto request = given ? pipeline_.input("request", std::move(given->request))
                             : pipeline_.input<Request>("request");
  const auto readings = given ? pipeline_.input("readings", std::move(given->readings))
                              : pipeline_.input<Readings>("readings");
  insights_ = pipeline_.stage(
      "insights", inputs(request, readings),
      [calling, began, now](rs::Context& ctx, const Request& asked, const Readings& window) {
        model::Model named{asked.provider, std::make_unique<ComputedProvider>(), calling};
        const auto call = model::call_in_steps(ctx, named.get(), calling.retry_first);
        Loop loop{ctx, asked, window, call, now};
        began(loop.turns());
        return loop.run();
      });
  drawings_ = pipeline_.stage(
      "drawings", inputs(readings, *insights_),
      [](const Readings& window, const Insights& found) { return draw(found.drawn, window); });
  const auto pictures = pipeline_.stage("pictures", inputs(each(*drawings_, &Picture::name)),
                                        [](const Picture& picture) { return picture; });
  pipeline_.artifact(pictures, "pictures/{item:slug}.svg", &Picture::svg);
}

}  // namespace insights
