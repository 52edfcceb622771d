#include "run/work_loop.hpp"

#include <algorithm>
#include <utility>

#include "resumable/detail/saturating.hpp"
#include "sys/process.hpp"

namespace resumable::run {
namespace {

using std::chrono::milliseconds;

// How long a process that found nothing waits before it looks again.
constexpr milliseconds shortest_pause{5};
constexpr milliseconds longest_pause{50};

}  // namespace

WorkLoop::WorkLoop(Tools tools)
    : tools_(std::move(tools)),
      runner_(tools_.runner),
      last_beat_(tools_.runner.clock.boot()),
      on_stop_(tools_.stop, [this] { stop_all(); }) {
  id_ = queue().join(info(), tools_.runner.ttl);
  try {
    beats_ = std::thread{[this] { beat_until_end(); }};
    for (unsigned i = 0; i < tools_.threads; ++i) {
      threads_.emplace_back([this] { serve(); });
    }
  } catch (...) {  // the system has no more threads
    finish();
    throw;
  }
}

void WorkLoop::finish() {
  ending_ = true;
  stop_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  wake();
  if (beats_.joinable()) beats_.join();
}

WorkLoop::~WorkLoop() {
  finish();
  try {
    queue().leave(id_);
  } catch (...) {  // NOLINT(bugprone-empty-catch): it is known to be gone when its beats are missed
  }
}

WorkerInfo WorkLoop::info() const {
  const sys::SystemProcess process;
  return {.host = process.host(), .pid = process.pid(), .slots = tools_.threads};
}

WorkLoop::Counts WorkLoop::counts() const {
  const std::scoped_lock lock{guard_};
  Counts counts = counts_;
  counts.running = running_.size();
  return counts;
}

void WorkLoop::wake() {
  const std::scoped_lock lock{guard_};
  ++woken_;
  changed_.notify_all();
}

void WorkLoop::stop_all() noexcept {
  std::vector<std::shared_ptr<Running>> all;
  {
    const std::scoped_lock lock{guard_};
    for (const auto& [token, one] : running_) all.push_back(one);
    ++woken_;
    changed_.notify_all();
  }
  for (const auto& one : all) one->stop.request_stop();
}

void WorkLoop::pause(milliseconds time) {
  std::unique_lock lock{guard_};
  const std::uint64_t before = woken_;
  changed_.wait_for(lock, time, [&] { return woken_ != before || is_ending(); });
}

/// Of the threads that found nothing, one looks again after `time`. The others wait for wake(), or
/// for found().
void WorkLoop::rest(milliseconds time) {
  std::unique_lock lock{guard_};
  const std::uint64_t before = woken_;
  const auto is_woken = [&] { return woken_ != before || is_ending(); };
  if (!is_watched_) {
    is_watched_ = true;
    changed_.wait_for(lock, time, is_woken);
    is_watched_ = false;
    return;
  }
  ++resting_;
  changed_.wait(lock, [&] { return calls_ > 0 || is_woken(); });
  --resting_;
  if (calls_ > 0) --calls_;
}

/// Where one item was, there may be more: another thread looks.
void WorkLoop::found() {
  const std::scoped_lock lock{guard_};
  if (calls_ >= resting_) return;
  ++calls_;
  changed_.notify_all();
}

void WorkLoop::give_up(std::exception_ptr why) noexcept {
  {
    const std::scoped_lock lock{guard_};
    if (!counts_.error) counts_.error = std::move(why);
  }
  ending_ = true;
  stop_all();
}

void WorkLoop::serve() noexcept {
  milliseconds wait = shortest_pause;
  while (!is_ending()) {
    bool worked = false;
    try {
      if (tools_.slots == nullptr || tools_.slots->try_take()) {
        const Claimed claimed =
            queue().claim(id_, tools_.runner.graph.pipeline, tools_.program, tools_.run, 1);
        worked = !claimed.claims.empty();
        if (worked) {
          found();
        } else {
          const std::scoped_lock lock{guard_};
          counts_.of_others = claimed.of_others;
        }
        for (const WorkClaim& claim : claimed.claims) work(claim);
        if (tools_.slots != nullptr) tools_.slots->give();
      }
    } catch (...) {
      // The store cannot be used. The beats decide for how long this may last.
      if (tools_.slots != nullptr) tools_.slots->give();
      wait = longest_pause;
    }
    if (worked) {
      wait = shortest_pause;
      continue;
    }
    rest(wait);
    wait = std::min(2 * wait, longest_pause);
  }
}

// ---- life --------------------------------------------------------------------------------------

void WorkLoop::beat_until_end() noexcept {
  const milliseconds interval =
      std::clamp(tools_.runner.ttl / 4, milliseconds{10}, milliseconds{1000});
  while (true) {
    {
      std::unique_lock lock{guard_};
      changed_.wait_for(lock, interval, [&] { return ending_ && running_.empty(); });
      if (ending_ && running_.empty()) return;
    }
    try {
      beat();
    } catch (...) {
      // Nobody takes what it commits once its beats have been missed.
      const auto silent = tools_.runner.clock.boot() - last_beat_;
      if (silent > tools_.runner.ttl) give_up(std::current_exception());
    }
  }
}

void WorkLoop::beat() {
  std::map<std::uint64_t, std::shared_ptr<Running>> held;
  {
    const std::scoped_lock lock{guard_};
    held = running_;
  }
  std::vector<std::uint64_t> tokens;
  tokens.reserve(held.size());
  for (const auto& [token, one] : held) tokens.push_back(token);
  WorkBeat beat = queue().beat(id_, tools_.runner.ttl, tokens);
  last_beat_ = tools_.runner.clock.boot();
  for (const std::uint64_t token : beat.stopped) {
    held[token]->by_owner = true;
    held[token]->stop.request_stop();
  }
  for (const std::uint64_t token : beat.lost) {
    held[token]->is_lost = true;
    held[token]->stop.request_stop();
  }
  if (!beat.known && !is_ending()) id_ = queue().join(info(), tools_.runner.ttl);
}

// ---- work --------------------------------------------------------------------------------------

void WorkLoop::work(const WorkClaim& claim) {
  const auto running = std::make_shared<Running>();
  {
    const std::scoped_lock lock{guard_};
    running_.emplace(claim.token, running);
  }
  if (is_ending()) running->stop.request_stop();  // requested between the claim and now
  ClaimLease lease{queue(), claim, tools_.runner.clock, tools_.runner.ttl};
  ClaimRunner::Result result = runner_.run(claim, lease, running->stop.get_token());
  try {
    settle(claim, lease, result, *running);
  } catch (...) {
    give_up(std::current_exception());  // with it the claim: its beats end
  }
  {
    const std::scoped_lock lock{guard_};
    running_.erase(claim.token);
    changed_.notify_all();
  }
  if (tools_.on_finished) tools_.on_finished();
}

/// Tells the owner what came of it, or gives it back.
void WorkLoop::settle(const WorkClaim& claim, ClaimLease& lease, const ClaimRunner::Result& result,
                      const Running& running) {
  const Completion& completion = result.completion;
  const bool interrupted = completion.how == Completion::How::interrupted;
  const bool hands_back = result.clashed || (interrupted && tools_.gives_back && !running.by_owner);
  const bool lost = result.is_lost || (running.is_lost && !completion.saved);
  bool finished = false;
  const auto end = detail::later(tools_.runner.clock.boot(), tools_.runner.ttl);
  while (!lost && !finished) {
    try {
      if (hands_back) {
        queue().give_back(claim);
      } else if (!lease.finish(encode(completion, result.uid))) {
        break;
      }
      finished = true;
    } catch (const Error&) {
      if (tools_.runner.clock.boot() >= end) throw;
      pause(longest_pause);
    }
  }
  const std::scoped_lock lock{guard_};
  if (!finished) {
    ++counts_.lost;
  } else if (hands_back) {
    ++counts_.given_back;
  } else if (completion.how == Completion::How::committed) {
    ++counts_.committed;
  } else {
    ++counts_.failed;
  }
}

}  // namespace resumable::run
