#include "stage/attempt.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "core/exception_text.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {

Suspended::Suspended(std::string message) : message_(std::move(message)) {}
Suspended::~Suspended() = default;
Suspended::Suspended(const Suspended&) = default;

Retryable::Retryable(const std::string& message, std::chrono::milliseconds retry_after)
    : std::runtime_error(message), retry_after_(retry_after) {}
Retryable::~Retryable() = default;
Retryable::Retryable(const Retryable&) noexcept = default;

const std::string& Context::run_id() const noexcept { return attempt_.facts().run; }
const std::string& Context::stage() const noexcept { return attempt_.facts().stage; }
const std::string& Context::item() const noexcept { return attempt_.facts().item; }
unsigned Context::attempt_number() const noexcept { return attempt_.facts().number; }
bool Context::resumed() const noexcept { return attempt_.facts().resumed; }
std::stop_token Context::stop_token() const noexcept { return attempt_.token(); }
StopCause Context::stop_cause() const noexcept { return attempt_.cause(); }
std::chrono::milliseconds Context::remaining() const noexcept {
  using std::chrono::milliseconds;
  const stage::Limits& limits = *attempt_.facts().limits;
  if (!limits.any()) return milliseconds::max();
  return std::chrono::duration_cast<milliseconds>(limits.left());
}
void Context::spend(Cost cost) { attempt_.spend(cost); }
void Context::require_approval(std::string_view message) {
  if (attempt_.facts().approved) return;
  attempt_.suspend(std::string{message});
  throw Suspended{std::string{message}};
}

std::shared_ptr<const void> Context::do_step(const detail::StepCall& call) {
  return attempt_.services().step(attempt_, call);
}
std::shared_ptr<const void> Context::do_effect(const detail::EffectCall& call) {
  return attempt_.services().effect(attempt_, call);
}
std::shared_ptr<const void> Context::do_cached(const detail::CacheCall& call) {
  return attempt_.services().cached(attempt_, call);
}
void Context::do_enqueue(const detail::EnqueueCall& call) { attempt_.services().enqueue(call); }
void Context::close(std::string_view reason) { attempt_.services().close(reason); }
detail::LoadedProgress Context::do_progress(const detail::ProgressCall& call) {
  return attempt_.services().progress(attempt_, call);
}
detail::LoadedHistory Context::do_history(const detail::HistoryCall& call) {
  return attempt_.services().history(attempt_, call);
}

namespace detail {
namespace {

thread_local SpendFrame* innermost = nullptr;

}  // namespace

SpendFrame::SpendFrame(const Attempt& attempt) noexcept
    : attempt_(attempt), outer_(std::exchange(innermost, this)) {}
SpendFrame::~SpendFrame() { innermost = outer_; }

void SpendFrame::add(const Attempt& attempt, Cost cost) noexcept {
  for (SpendFrame* frame = innermost; frame != nullptr; frame = frame->outer_) {
    if (&frame->attempt_ == &attempt) frame->cost_ += cost;
  }
}

void Attempt::stop(StopCause cause) noexcept {
  StopCause none = StopCause::none;
  if (cause_.compare_exchange_strong(none, cause)) source_.request_stop();
}

void Attempt::spend(Cost cost) {
  if (!std::isfinite(cost.usd)) {
    throw Error(
        Errc::bad_option,
        {.what = fmt::format("stage '{}' reports a cost that is not a number", facts_.stage),
         .stage = facts_.stage,
         .item = facts_.item});
  }
  SpendFrame::add(*this, cost);
  const std::scoped_lock lock{guard_};
  cost_ += cost;
}

Cost Attempt::cost() const {
  const std::scoped_lock lock{guard_};
  return cost_;
}

void Attempt::suspend(const std::string& message) {
  const std::scoped_lock lock{guard_};
  suspended_ = message;
}

std::optional<std::string> Attempt::suspended() const {
  const std::scoped_lock lock{guard_};
  return suspended_;
}

void Attempt::give_up(std::exception_ptr error, std::string what) {
  const std::scoped_lock lock{guard_};
  given_up_ = std::move(error);
  step_that_gave_up_ = std::move(what);
}

std::string Attempt::given_up(const std::exception_ptr& error) const {
  const std::scoped_lock lock{guard_};
  return error == given_up_ ? step_that_gave_up_ : std::string{};
}

}  // namespace detail

}  // namespace v0
}  // namespace resumable

namespace resumable::stage {
namespace {

bool is_standard(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception&) {
    return true;
  } catch (...) {
    return false;
  }
}

bool is_transient(const std::error_code& code) {
  static constexpr std::errc transient[] = {
      std::errc::interrupted,         std::errc::resource_unavailable_try_again,
      std::errc::timed_out,           std::errc::connection_refused,
      std::errc::connection_reset,    std::errc::connection_aborted,
      std::errc::broken_pipe,         std::errc::host_unreachable,
      std::errc::network_unreachable, std::errc::network_down,
      std::errc::network_reset,       std::errc::device_or_resource_busy};
  return std::any_of(std::begin(transient), std::end(transient),
                     [&](std::errc one) { return code == one; });
}

}  // namespace

/// Never for logic errors, lack of memory or the library's own errors.
Outlook outlook_of(const Retry& retry, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Retryable& caught) {
    return {true, caught.retry_after()};
  } catch (const std::logic_error&) {
  } catch (const std::bad_alloc&) {
  } catch (const Error&) {
  } catch (const std::system_error& caught) {
    return {is_transient(caught.code()) || (retry.when && retry.when(caught)), {}};
  } catch (const std::exception& caught) {
    return {retry.when && retry.when(caught), {}};
  } catch (...) {
  }
  return {};
}

CallResult call(const detail::Node& node, detail::Attempt& attempt,
                std::span<const detail::AnyValue> args, const std::stop_token& stop,
                sys::Timer& timer, sys::Clock& clock, const std::function<void()>& on_overdue) {
  const std::stop_callback stopping{
      stop,
      [&] { attempt.stop(attempt.is_out_of_time() ? StopCause::budget : StopCause::requested); }};
  sys::Timer::Id alarm = 0;
  const sys::BootTime begin = clock.boot();
  if (node.timeout.count() > 0) {
    alarm = timer.call_at(detail::later(begin, node.timeout), [&] {
      attempt.stop(StopCause::timeout);
      on_overdue();
    });
  }
  CallResult result;
  Context context{attempt};
  try {
    result.value = node.body->call(context, args);
    result.how = CallResult::How::value;
  } catch (...) {
    result.error = std::current_exception();
  }
  if (alarm != 0) timer.cancel(alarm);
  result.seconds = std::chrono::duration<double>(clock.boot() - begin).count();
  result.cost = attempt.cost();
  // A function that swallows Suspended has not finished, whatever it returns or throws afterwards.
  if (const auto message = attempt.suspended()) {
    result.how = CallResult::How::waiting;
    result.message = *message;
    result.error = nullptr;
  }
  if (!result.error) return result;
  result.message = words_of(result.error);
  result.tries = attempt.given_up(result.error);
  // It may have looked at the clock itself, before the stop was requested.
  const StopCause cause = attempt.cause();
  switch (cause == StopCause::none && attempt.is_out_of_time() ? StopCause::budget : cause) {
    case StopCause::budget:
    case StopCause::requested:
      result.how = CallResult::How::interrupted;
      if (!is_standard(result.error)) result.message = "it stopped as requested";
      break;
    case StopCause::timeout:
      result.retryable = true;
      result.message =
          fmt::format("no result within {} ms: {}", node.timeout.count(), result.message);
      break;
    case StopCause::none: {
      const Outlook outlook = outlook_of(node.retry, result.error);
      result.retryable = outlook.retryable;
      result.retry_after = outlook.retry_after;
      break;
    }
  }
  return result;
}

std::string words_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Suspended& caught) {
    return caught.message();
  } catch (...) {
    return core::exception_text(error);
  }
}

std::string code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& caught) {
    return std::string{to_string(caught.errc())};
  } catch (const std::system_error& caught) {
    return fmt::format("{}:{}", caught.code().category().name(), caught.code().value());
  } catch (...) {
    return {};
  }
}

std::chrono::milliseconds backoff(const Retry& retry, unsigned next,
                                  std::chrono::milliseconds asked_for, std::string_view seed) {
  if (retry.initial_delay.count() == 0) return std::max(retry.initial_delay, asked_for);
  const auto cap = static_cast<double>(retry.max_delay.count());
  const double raw = static_cast<double>(retry.initial_delay.count()) *
                     std::pow(retry.factor, static_cast<double>(next) - 2);
  const Digest dice = digest(fmt::format("{}/{}", seed, next));
  const double unit = (dice.bytes[0] * 256.0 + dice.bytes[1]) / 65535.0;  // 0 … 1
  const double wait = std::min(raw, cap) * (1 + retry.jitter * (2 * unit - 1));
  // The longest possible delay has no exact double, so the cap itself is never converted back.
  if (wait >= cap) return std::max(retry.max_delay, asked_for);
  return std::max(std::chrono::milliseconds{static_cast<std::int64_t>(wait)}, asked_for);
}

}  // namespace resumable::stage
