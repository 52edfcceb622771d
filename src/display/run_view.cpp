#include "display/run_view.hpp"

#include <algorithm>
#include <utility>

#include "resumable/detail/saturating.hpp"

namespace resumable::display {

using State = StageView::State;

namespace {

bool is_done(State state) { return state == State::done || state == State::kept; }

}  // namespace

void RunView::on_event(const Event& event, sys::BootTime now) {
  switch (event.kind) {
    case EventKind::run_started:
      *this = {};
      run_ = event.run;
      pipeline_ = event.pipeline;
      resumed_ = event.message == "resumed";
      began_ = now;
      return;
    case EventKind::planned: return plan(event);
    case EventKind::plan_revised:
      if (event.counts) total_ = event.counts->total;
      return;
    case EventKind::run_finished:
      if (event.cost != Cost{}) cost_ = event.cost;  // with what failed
      return;
    default: break;
  }
  if (!event.stage.empty()) note(stage(event.stage), event, now);
}

void RunView::plan(const Event& event) {
  for (const PlannedStage& planned : event.stages) {
    StageView& view = stage(planned.stage);
    view.counted = true;
    view.last = planned.last;
  }
  if (event.counts) total_ = event.counts->total;
}

/// Names that are not in the plan belong to conditions: shown while they run, and not counted.
StageView& RunView::stage(const std::string& name) {
  // Most events are of the same stage as the one before.
  if (latest_ < stages_.size() && stages_[latest_].name == name) return stages_[latest_];
  const auto [found, added] = places_.try_emplace(name, stages_.size());
  if (added) {
    stages_.emplace_back().name = name;
    stages_.back().counted = false;
  }
  latest_ = found->second;
  return stages_[latest_];
}

void RunView::set(StageView& stage, State state) {
  if (stage.counted && is_done(state) != is_done(stage.state)) {
    done_ = is_done(state) ? done_ + 1 : done_ - 1;
  }
  stage.state = state;
  const bool active = state == State::running || !stage.now.empty();
  if (active == std::exchange(stage.active, active)) return;
  const auto place = static_cast<std::size_t>(&stage - stages_.data());
  if (active) {
    active_.insert(place);
  } else {
    active_.erase(place);
  }
}

void RunView::begin(StageView& stage, sys::BootTime now) {
  if (stage.state == State::running) return;
  stage.began = now;
  stage.done_before = stage.items.done;
  set(stage, State::running);
}

void RunView::start(StageView& stage, const Event& event, sys::BootTime now) {
  const auto [found, added] = stage.now.try_emplace(event.item);
  Running& running = found->second;
  if (added) running.since = now;
  running.next_try.reset();
  running.step = event.step;
  // A fan-out of which an item has failed stays so while others run.
  if (stage.state == State::open || stage.state == State::kept) return begin(stage, now);
  set(stage, stage.state);
}

void RunView::end(StageView& stage, const Event& event) {
  if (const auto found = stage.now.find(event.item); found != stage.now.end()) {
    stage.now.erase(found);
  }
  if (event.counts) stage.items = *event.counts;
  set(stage, stage.state);
}

void RunView::note(StageView& stage, const Event& event, sys::BootTime now) {
  switch (event.kind) {
    case EventKind::items_listed:
    case EventKind::enqueued:
      stage.fan_out = true;
      stage.items = event.counts.value_or(Counts{});
      break;
    case EventKind::stage_started:
      // A fan-out says that it begins, a stage that its function is about to be called.
      if (event.attempt == 0) {
        begin(stage, now);
      } else {
        start(stage, event, now);
      }
      break;
    case EventKind::item_started:
    case EventKind::step_started: start(stage, event, now); break;
    case EventKind::committed:
      stage.saved = now;
      if (!event.step.empty()) {
        if (const auto found = stage.now.find(event.item); found != stage.now.end()) {
          found->second.step.clear();
        }
        break;
      }
      cost_ += event.cost;
      end(stage, event);
      break;
    case EventKind::progress_saved: stage.saved = now; break;
    case EventKind::retried: {
      Running& running = stage.now[event.item];
      running.next_try = detail::later(now, event.duration.value_or(Seconds{}));
      running.attempt = event.attempt;
      running.attempts_allowed = event.attempts_allowed;
      running.why = event.code.empty() ? event.message : event.code;
      break;
    }
    case EventKind::failed:
    case EventKind::waiting:
    case EventKind::interrupted:
      end(stage, event);
      stage.message = event.message;
      // Other items of a fan-out may still run.
      set(stage, event.kind == EventKind::failed    ? State::failed
                 : event.kind == EventKind::waiting ? State::waiting
                                                    : State::stopped);
      break;
    case EventKind::skipped:
      if (event.item.empty() && event.step.empty()) set(stage, State::kept);
      break;
    case EventKind::stage_finished:
      stage.now.clear();
      if (event.counts) stage.items = *event.counts;
      set(stage, State::done);
      break;
    default: break;
  }
}

std::size_t RunView::running() const {
  std::size_t count = 0;
  for (const std::size_t place : active_) count += stages_[place].now.size();
  return count;
}

std::size_t RunView::retrying() const {
  std::size_t count = 0;
  for (const std::size_t place : active_) {
    count += static_cast<std::size_t>(std::ranges::count_if(
        stages_[place].now, [](const auto& of) { return of.second.next_try.has_value(); }));
  }
  return count;
}

std::optional<Seconds> left_of(const StageView& stage, sys::BootTime now) {
  const bool runs = stage.state == State::running;
  const Seconds passed = runs ? Seconds{now - stage.began} : Seconds{};
  if (stage.fan_out) {
    const std::size_t done = stage.items.done - std::min(stage.items.done, stage.done_before);
    if (!runs || done == 0) return std::nullopt;
    const std::size_t over = stage.items.done + stage.items.failed;
    const std::size_t open = stage.items.total - std::min(stage.items.total, over);
    return passed * static_cast<double>(open) / static_cast<double>(done);
  }
  if (!stage.last) return std::nullopt;
  return std::max(*stage.last - passed, Seconds{});
}

RunView::Left RunView::left(sys::BootTime now) const {
  Left left;
  for (const StageView& stage : stages_) {
    const bool open = stage.state == State::open || stage.state == State::running;
    if (!stage.counted || !open) continue;
    if (const auto time = left_of(stage, now)) {
      left.time += *time;
    } else {
      left.all_known = false;
    }
  }
  return left;
}

}  // namespace resumable::display
