#include "run/steps.hpp"

#include <fmt/format.h>

#include <exception>

#include "resumable/error.hpp"

namespace resumable::inline v0::run {

using detail::AnyValue;
using detail::Attempt;
using detail::StepCall;
using detail::ValueType;

/// A step's name, taken while it runs.
class Steps::Claim {
 public:
  Claim(Steps& steps, const std::string& path) : steps_(steps), path_(path) {
    const std::scoped_lock lock{steps_.guard_};
    taken_ = steps_.running_.insert(path_).second;
  }
  ~Claim() {
    if (!taken_) return;
    const std::scoped_lock lock{steps_.guard_};
    steps_.running_.erase(path_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  [[nodiscard]] bool taken() const noexcept { return taken_; }

 private:
  Steps& steps_;
  const std::string& path_;
  bool taken_ = false;
};

Inside::Wanted Steps::wanted(const StepCall& call) const {
  Inside::Wanted wanted = inside_.wanted(core::Kind::step, call.options.name);
  if (const auto& declared = call.inputs.digest()) {
    wanted.fingerprint = *declared;
    wanted.revision = 0;
  }
  if (call.options.revision != 0) wanted.revision = call.options.revision | core::own_revision;
  return wanted;
}

AnyValue Steps::step(Attempt& attempt, const StepCall& call) {
  const Inside::Wanted wanted = this->wanted(call);
  const Claim claim{*this, wanted.key.path};
  if (!claim.taken()) {
    const std::string& stage = inside_.node().name;
    throw Error(
        Errc::duplicate_name,
        {.what = fmt::format("{} of stage '{}' is called while it runs", wanted.what, stage),
         .stage = stage,
         .item = inside_.subject().item,
         .next = "give steps that run at the same time names of their own"});
  }
  const auto row = inside_.find(wanted);
  if (!row) return run(attempt, call, wanted);
  AnyValue value = inside_.load(wanted, *row, call.type);
  inside_.tools().events.emit(inside_.event(EventKind::skipped, call.options.name));
  return value;
}

AnyValue Steps::run(Attempt& attempt, const StepCall& call, const Inside::Wanted& wanted) {
  const Inside::Tools& tools = inside_.tools();
  AnyValue value;
  double seconds = 0;
  Cost cost;
  unsigned tried = 0;
  while (true) {
    // Between two steps is where a stage can be left with nothing lost.
    if (attempt.must_stop()) throw Suspended{"stopped before " + wanted.what};
    Event started = inside_.event(EventKind::step_started, call.options.name);
    started.attempt = ++tried;
    tools.events.emit(std::move(started));
    const sys::BootTime begin = tools.clock.boot();
    const detail::SpendFrame spending{attempt};
    std::exception_ptr error;
    try {
      value = call.body();
    } catch (const Suspended&) {
      throw;
    } catch (...) {
      error = std::current_exception();
    }
    seconds += std::chrono::duration<double>(tools.clock.boot() - begin).count();
    cost += spending.cost();
    if (!error) break;
    if (!wait_for_next_try(attempt, call, tried, error)) std::rethrow_exception(error);
  }
  Draft draft = inside_.draft(wanted, call.type, value.get());
  // What is handed on is what a resumed run would find.
  if (call.type.codec != CodecId::none) value = call.type.decode(draft.payload, call.type.version);
  draft.header.seconds = seconds;
  draft.header.attempts = tried;
  draft.header.cost = cost;
  const Committed record = inside_.commit({std::move(draft)}).front();
  Event done = inside_.event(EventKind::committed, call.options.name);
  done.attempt = tried;
  done.seconds = seconds;
  done.save_seconds = record.seconds;
  done.bytes = record.bytes;
  done.cost = cost;
  tools.events.emit(std::move(done));
  return value;
}

/// Whether another try is due, and was waited for.
bool Steps::wait_for_next_try(Attempt& attempt, const StepCall& call, unsigned tried,
                              const std::exception_ptr& error) {
  const Inside::Tools& tools = inside_.tools();
  const Retry& retry = call.options.retry;
  const Outlook outlook = outlook_of(retry, error);
  if (!outlook.retryable || tried >= retry.attempts || attempt.must_stop()) return false;
  const std::string seed = fmt::format("{}{}/{}/{}", tools.recorder.uid(), inside_.node().name,
                                       inside_.subject().item, call.options.name);
  const auto wait = backoff(retry, tried + 1, outlook.retry_after, seed);
  Event again = inside_.event(EventKind::retried, call.options.name);
  again.attempt = tried;
  again.attempts_allowed = retry.attempts;
  again.seconds = std::chrono::duration<double>(wait).count();
  again.message = words_of(error);
  again.code = code_of(error);
  tools.events.emit(std::move(again));
  return sys::sleep_until(tools.clock, tools.clock.boot() + wait, attempt.token());
}

}  // namespace resumable::inline v0::run
