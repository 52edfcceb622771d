#include "stage/steps.hpp"

#include <exception>

#include <fmt/format.h>

#include "core/retry_ranges.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"

namespace resumable::stage {

using detail::AnyValue;
using detail::Attempt;
using detail::StepCall;
using detail::ValueType;

namespace {

const ValueType& failure_type() {
  static const ValueType type{
      .codec = CodecId::json,
      .schema = {},
      .encode = [](const void* value) -> std::shared_ptr<const Payload> {
        return std::make_shared<StringPayload>(
            record::encode_failure(*static_cast<const record::Failure*>(value)));
      },
      // NOLINTNEXTLINE(performance-unnecessary-value-param): the type of ValueType::decode
      .decode = [](std::shared_ptr<const Payload> payload, const detail::SavedAs&) -> AnyValue {
        return std::make_shared<const record::Failure>(record::decode_failure(read_all(*payload)));
      }};
  return type;
}

}  // namespace

Inside::Wanted Steps::wanted(const StepCall& call) const {
  Inside::Wanted wanted = inside_.wanted(core::Kind::step, call.options.name, call.inputs);
  if (call.options.revision != 0) wanted.revision = call.options.revision | core::own_revision;
  return wanted;
}

void Steps::check_retry(const StepCall& call) const {
  if (core::is_in_range(call.options.retry)) return;
  throw Error(Errc::bad_option,
              {.what = fmt::format("an option of {} of stage '{}' is out of range",
                                   quoted("step", call.options.name), inside_.node().shown()),
               .stage = inside_.node().shown(),
               .item = inside_.subject().item,
               .next = std::string{core::retry_ranges}});
}

AnyValue Steps::step(Attempt& attempt, const StepCall& call) {
  check_retry(call);
  const Inside::Wanted wanted = this->wanted(call);
  const Claim claim{inside_, wanted};
  const auto row = inside_.find(wanted);
  if (!row) return run(attempt, call, wanted);
  AnyValue value = inside_.load(wanted, *row, call.type).value;
  inside_.tools().events.emit(inside_.event(EventKind::skipped, call.options.name));
  return value;
}

AnyValue Steps::run(Attempt& attempt, const StepCall& call, const Inside::Wanted& wanted) {
  const Inside::Tools& tools = inside_.tools();
  Inside::Wanted tries = inside_.wanted(core::Kind::tries, call.options.name, call.inputs);
  tries.revision = wanted.revision;
  record::Failure failed = on_record(call, tries);
  AnyValue value;
  double seconds = 0;
  Cost cost = failed.tried.cost;
  while (true) {
    // Between two steps a stage can be left without losing anything.
    if (attempt.must_stop() || !wait(attempt, call, failed)) {
      throw Suspended{"stopped before " + wanted.what};
    }
    Event started = inside_.event(EventKind::step_started, call.options.name);
    started.attempt = failed.tried.now + 1;
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
    failed.tried.cost = cost;
    if (!try_again(attempt, call, tries, failed, error)) {
      if (failed.tried.total > 1) {
        attempt.give_up(error, fmt::format("{} failed {} times", wanted.what, failed.tried.total));
      }
      std::rethrow_exception(error);
    }
  }
  record::Draft draft = inside_.draft(wanted, call.type, value.get());
  // Returns what a resumed run would find.
  const bool as_it_is =
      call.type.codec == CodecId::none || (call.type.exact && !tools.graph.redaction);
  if (!as_it_is) value = call.type.decode(draft.payload, call.type.version);
  draft.header.seconds = seconds;
  draft.header.attempts = failed.tried.total + 1;
  draft.header.cost = cost;
  inside_.drop(tries, draft);
  const record::Committed record = inside_.commit({std::move(draft)}).front();
  Event done = inside_.event(EventKind::committed, call.options.name);
  done.attempt = failed.tried.now + 1;
  done.duration = Seconds{seconds};
  done.cost = cost;
  tools.events.emit(std::move(done), record);
  return value;
}

// The failed attempts of earlier calls. A step without retries has none to count.
record::Failure Steps::on_record(const StepCall& call, const Inside::Wanted& tries) {
  if (call.options.retry.attempts <= 1) return {};
  const auto row = inside_.find(tries);
  if (!row) return {};
  return *static_cast<const record::Failure*>(
      inside_.load(tries, *row, failure_type()).value.get());
}

// Records a failed attempt; returns true if another one is due. An attempt that was ended by a stop
// request does not count.
bool Steps::try_again(Attempt& attempt, const StepCall& call, const Inside::Wanted& tries,
                      record::Failure& failed, const std::exception_ptr& error) {
  const Retry& retry = call.options.retry;
  if (retry.attempts <= 1 || attempt.must_stop()) return false;
  const Outlook outlook = outlook_of(retry, error);
  ++failed.tried.now;
  ++failed.tried.total;
  failed.final = !outlook.retryable || failed.tried.now >= retry.attempts;
  failed.message = inside_.tools().graph.message(words_of(error));
  failed.code = code_of(error);
  const std::string seed =
      fmt::format("{}{}/{}/{}", inside_.tools().recorder.uid(), inside_.node().name,
                  inside_.subject().item, call.options.name);
  failed.wait = failed.final ? std::chrono::milliseconds{0}
                             : backoff(retry, failed.tried.now + 1, outlook.retry_after, seed);
  std::vector<record::Draft> drafts;
  drafts.push_back(inside_.draft(tries, failure_type(), &failed));
  drafts.back().header.cost = failed.tried.cost;
  inside_.commit(std::move(drafts));
  return !failed.final;
}

/// Waits before an attempt that follows a failed one, whichever process made that; returns false if
/// stopped.
bool Steps::wait(Attempt& attempt, const StepCall& call, const record::Failure& failed) {
  if (failed.tried.now == 0) return true;
  const Inside::Tools& tools = inside_.tools();
  Event again = inside_.event(EventKind::retried, call.options.name);
  again.attempt = failed.tried.now;
  again.attempts_allowed = call.options.retry.attempts;
  again.duration = failed.wait;
  again.message = failed.message;
  again.code = failed.code;
  tools.events.emit(std::move(again));
  return sys::sleep_until(tools.clock, detail::later(tools.clock.boot(), failed.wait),
                          attempt.token());
}

}  // namespace resumable::stage
