#include "run/time_keeper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/time.hpp"
#include "resumable/error.hpp"

namespace resumable::run {

TimeKeeper::TimeKeeper(Tools tools)
    : tools_(tools),
      generation_(tools.facts.next_generation(core::alive_key().path)),
      recorded_(tools.facts.alive()) {}

void TimeKeeper::begin() {
  if (const auto end = tools_.limits.call_end()) {
    tools_.timer.call_at(*end, [this] { tools_.stop.request_stop(); });
  }
  if (tools_.limits.counts_run()) heartbeat();
}

void TimeKeeper::heartbeat() {
  const auto alive = tools_.limits.beat();
  if (tools_.limits.run_is_over()) tools_.stop.request_stop();
  bool due = false;
  {
    const std::scoped_lock lock{guard_};
    due = alive - recorded_ >= std::chrono::seconds{1};
  }
  if (due) record_alive();
  tools_.timer.call_at(tools_.clock.boot() + stage::Limits::beat_interval, [this] { heartbeat(); });
}

void TimeKeeper::record_alive() {
  const std::scoped_lock lock{guard_};
  const auto alive = tools_.limits.beat();
  auto draft = record::Draft::small(
      core::Kind::alive, core::alive_key(), CodecId::json,
      fmt::format(R"({{"alive_ms":{}}})",
                  std::chrono::ceil<std::chrono::milliseconds>(alive).count()));
  draft.generation = generation_;
  if (generation_ > 2) draft.erase.emplace_back(draft.key.path, generation_ - 2);
  if (generation_ > 3) draft.erase.emplace_back(draft.key.path, generation_ - 3);
  // The timer's thread must not wait long for a store: it also ends budgets and stages.
  const Wait wait{.stop = {},
                  .deadline = std::chrono::steady_clock::now() + stage::Limits::beat_interval};
  try {
    tools_.recorder.commit(std::move(draft), wait);
    ++generation_;
    recorded_ = alive;
  } catch (const Error& error) {
    // The next heartbeat tries again; what else wants to commit says why it cannot.
    if (error.errc() == Errc::outcome_unknown) ++generation_;
  } catch (...) {  // NOLINT(bugprone-empty-catch): likewise
  }
}

void TimeKeeper::finish() {
  if (tools_.limits.counts_run()) record_alive();
}

std::optional<std::string> TimeKeeper::why_not(const detail::Node& node, const std::string& item,
                                               bool first) const {
  if (!tools_.limits.any()) return std::nullopt;
  const std::string path =
      item.empty() ? core::stage_key(node.name).path : core::item_key(node.name, item).path;
  const plan::Row* row = tools_.facts.current(path);
  const auto header = row != nullptr ? tools_.facts.header(path, row->generation) : std::nullopt;
  if (!header) return std::nullopt;
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  const double left = seconds(tools_.limits.left());
  if (header->seconds <= left) return std::nullopt;
  const double whole = tools_.options.budget.count() > 0
                           ? seconds(tools_.options.budget - tools_.options.reserve)
                           : left;
  const bool saves_within = !tools_.facts.inside_paths(node.name, item).empty();
  if (first && (header->seconds > whole || saves_within)) return std::nullopt;
  return fmt::format("needs about {}, and {} of the budget are left",
                     core::format_duration(Seconds{header->seconds}),
                     core::format_duration(Seconds{std::max(left, 0.0)}));
}

}  // namespace resumable::run
