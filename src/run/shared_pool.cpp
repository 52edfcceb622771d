#include "run/shared_pool.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "resumable/error.hpp"

namespace resumable::run {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds shortest_look{5};
constexpr milliseconds longest_look{100};
/// How often it is counted how many workers there are.
constexpr milliseconds count_interval{200};
/// Published for each slot: one that runs, and one that is ready.
constexpr std::size_t per_slot = 2;

unsigned threads_of(unsigned concurrency) {
  return concurrency != 0 ? concurrency : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

SharedPool::SharedPool(Tools tools)
    : tools_(std::move(tools)),
      limit_(threads_of(tools_.concurrency)),
      slots_(limit_),
      loop_({.runner = tools_.runner,
             .program = tools_.program,
             .run = tools_.run,
             .threads = limit_,
             .slots = &slots_,
             .gives_back = false,
             .stop = tools_.stop,
             .on_finished =
                 [this] {
                   const std::scoped_lock lock{guard_};
                   ++finished_;
                   changed_.notify_all();
                 }}),
      threads_(sys::thread_pool(limit_)) {
  count_slots();
}

SharedPool::~SharedPool() {
  threads_.reset();
  try {
    queue().end(tools_.run, tools_.fence);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the next owner takes them over
  }
}

bool SharedPool::shares(std::uint32_t node) const { return may_share(tools_.runner.graph, node); }

bool SharedPool::has_room(std::uint32_t node) const {
  return shares(node) ? open_.size() < per_slot * capacity_ : local_running_ < limit_;
}

void SharedPool::start(Task task) {
  holds_ = stops_ = false;
  if (task.shared.empty()) return start_here(std::move(task));
  const std::string& stage = tools_.runner.graph.nodes[task.node].name;
  unpublished_.push_back({.stage = stage,
                          .item = task.item_key,
                          .pipeline = tools_.runner.graph.pipeline,
                          .program = tools_.program,
                          .identity = task.identity,
                          .task = std::move(task.shared)});
  task.shared.clear();
  open_.emplace(Place{stage, task.item_key}, std::move(task));
}

/// In a thread of this process, once one of its slots is free.
void SharedPool::start_here(Task task) {
  ++local_running_;
  const auto done = std::make_shared<std::list<Completion>>(1);
  done->front().task = std::move(task);
  threads_->post([this, done] {
    slots_.take();
    tools_.worker.run(done->front());
    slots_.give();
    const std::scoped_lock lock{guard_};
    done_here_.splice(done_here_.end(), *done);
    ++finished_;
    changed_.notify_all();
  });
}

void SharedPool::flush() {
  if (unpublished_.empty()) return;
  queue().publish(tools_.run, tools_.fence, unpublished_);
  unpublished_.clear();
  loop_.wake();
}

void SharedPool::hold(bool stop) noexcept try {
  if (holds_ && (stops_ || !stop)) return;
  holds_ = true;
  stops_ = stops_ || stop;
  withdraw();
} catch (...) {
  fail_all(std::current_exception());
}

/// Again and again: workers may give items back.
void SharedPool::withdraw() {
  held_ = tools_.runner.clock.boot();
  const auto withdrawn = [&](const Place& place) {
    const auto open = open_.find(place);
    if (open == open_.end()) return;
    Completion& completion = back_.emplace_back();
    completion.task = std::move(open->second);
    completion.how = Completion::How::withdrawn;
    open_.erase(open);
  };
  for (const WorkTask& task : unpublished_) withdrawn({task.stage, task.item});
  unpublished_.clear();
  for (const WorkItem& item : queue().withdraw(tools_.run, tools_.fence, stops_)) {
    withdrawn({item.stage, item.item});
  }
}

void SharedPool::count_slots() {
  const auto now = tools_.runner.clock.boot();
  if (capacity_ != 0 && now - counted_ < count_interval) return;
  counted_ = now;
  std::size_t slots = 0;
  for (const WorkerInfo& worker : queue().workers()) slots += worker.slots;
  capacity_ = std::max<std::size_t>(slots, limit_);
}

void SharedPool::collect() {
  for (FinishedWork& work : queue().collect(tools_.run, tools_.fence)) receive(std::move(work));
}

void SharedPool::receive(FinishedWork&& work) {
  const auto open = open_.find({work.stage, work.item});
  if (open == open_.end()) return;  // of a task of an earlier owner; its records are known
  Completion& completion = back_.emplace_back();
  completion.task = std::move(open->second);
  open_.erase(open);
  if (work.lost.empty()) {
    decode_result(work.result, tools_.uid, work.stage, completion);
    if (work.by.id != loop_.id()) tell(completion, work.by);
    return;
  }
  completion.how = Completion::How::lost;
  completion.message =
      fmt::format("its worker was lost {} times ({})", WorkQueue::most_losses, work.lost);
  completion.error = std::make_exception_ptr(std::runtime_error(completion.message));
}

/// What a worker of another process has told only its own observers.
void SharedPool::tell(const Completion& completion, const WorkerInfo& by) const {
  if (completion.how != Completion::How::committed) return;
  Event event;
  event.kind = EventKind::committed;
  event.stage = tools_.runner.graph.nodes[completion.task.node].name;
  event.item = completion.task.item_key;
  event.attempt = std::max(1U, completion.attempts);
  event.reasons = completion.task.reasons;
  event.duration = Seconds{completion.seconds};
  event.cost = completion.cost;
  event.message = fmt::format("by pid {} on {}", by.pid, by.host);
  tools_.events.emit(std::move(event), completion.records.back());
}

/// The store cannot be used: nobody can tell what becomes of what is open.
void SharedPool::fail_all(const std::exception_ptr& why) noexcept {
  for (auto& [place, task] : open_) {
    try {
      Completion& completion = back_.emplace_back();
      completion.task = std::move(task);
      completion.how = Completion::How::store_failed;
      completion.error = why;
      completion.message = stage::words_of(why);
    } catch (...) {  // NOLINT(bugprone-empty-catch): without memory for a message
    }
  }
  open_.clear();
  unpublished_.clear();
}

void SharedPool::look() {
  flush();
  if (tools_.stop.stop_requested()) hold(true);
  if (holds_ && tools_.runner.clock.boot() - held_ >= count_interval) withdraw();
  count_slots();
  if (!open_.empty()) collect();
  if (const auto error = loop_.counts().error) std::rethrow_exception(error);
}

std::list<Completion> SharedPool::take() noexcept {
  milliseconds wait = shortest_look;
  const bool was_full = open_.size() >= per_slot * capacity_;
  while (true) {
    std::uint64_t seen = 0;
    {
      const std::scoped_lock lock{guard_};
      seen = finished_;
      local_running_ -= done_here_.size();
      back_.splice(back_.end(), done_here_);
    }
    try {
      look();
    } catch (...) {
      fail_all(std::current_exception());
    }
    const bool has_more = was_full && open_.size() < per_slot * capacity_;
    if (!back_.empty() || has_more || is_idle()) return std::exchange(back_, {});
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, wait, [&] { return finished_ != seen; });
    wait = std::min(2 * wait, longest_look);
  }
}

}  // namespace resumable::run
