#include "run/steps.hpp"

#include <fmt/format.h>

#include <exception>

#include "core/key.hpp"
#include "core/shape.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/values.hpp"

namespace resumable::inline v0::run {

using detail::AnyValue;
using detail::Attempt;
using detail::StepCall;
using detail::ValueType;

/// The record that a step needs in order not to run.
struct Steps::Wanted {
  core::Key key;
  Digest fingerprint;
  std::uint32_t revision = 0;
  [[nodiscard]] bool fits(const core::Head& head) const {
    return head.kind == core::Kind::step && head.fingerprint == fingerprint &&
           head.revision == revision;
  }
};

/// A step's name, taken while it runs.
class Steps::Claim {
 public:
  Claim(Steps& steps, const std::string& path) : steps_(steps), path_(path) {
    const std::scoped_lock lock{steps_.guard_};
    taken_ = steps_.running_.insert(path_).second;
    steps_.used_.insert(path_);
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

Event Steps::event(EventKind kind, const StepCall& call) const {
  Event event;
  event.kind = kind;
  event.stage = tools_.graph.nodes[subject_.node].name;
  event.item = subject_.item;
  event.step = std::string{call.options.name};
  return event;
}

void Steps::begin_attempt() {
  const std::scoped_lock lock{guard_};
  used_.clear();
}

std::vector<Committed> Steps::take_committed() {
  const std::scoped_lock lock{guard_};
  return std::exchange(committed_, {});
}

std::vector<std::pair<std::string, std::uint64_t>> Steps::unused() const {
  const std::scoped_lock lock{guard_};
  std::vector<std::pair<std::string, std::uint64_t>> records;
  for (const auto& [path, step] : steps_) {
    if (step.row && !used_.contains(path)) records.emplace_back(path, step.row->generation);
  }
  return records;
}

Steps::Wanted Steps::wanted(const StepCall& call) const {
  const detail::Node& node = tools_.graph.nodes[subject_.node];
  const std::string_view name = call.options.name;
  if (name.empty() || name.size() > 1024 || name.find('\0') != name.npos || !core::is_utf8(name)) {
    throw Error(Errc::bad_name, {.what = fmt::format("stage '{}' names a step '{}'", node.name,
                                                     core::printable(name)),
                                 .stage = node.name,
                                 .item = subject_.item,
                                 .next = "give the step a name of 1 to 1024 bytes of UTF-8"});
  }
  const auto& declared = call.inputs.digest();
  std::uint32_t revision = declared ? 0 : node.revision;
  if (call.options.revision != 0) revision = call.options.revision | core::own_revision;
  return {core::step_key(node.name, subject_.item, name), declared.value_or(subject_.fingerprint),
          revision};
}

AnyValue Steps::step(Attempt& attempt, const StepCall& call) {
  const Wanted wanted = this->wanted(call);
  const Claim claim{*this, wanted.key.path};
  if (!claim.taken()) {
    const std::string& stage = tools_.graph.nodes[subject_.node].name;
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("step '{}' of stage '{}' is called while it runs",
                                     core::printable(call.options.name), stage),
                 .stage = stage,
                 .item = subject_.item,
                 .next = "give steps that run at the same time names of their own"});
  }
  StepOnRecord found;
  {
    const std::scoped_lock lock{guard_};
    found = steps_[wanted.key.path];
  }
  if (found.row && !found.requested && wanted.fits(found.row->head)) {
    return recorded(wanted, call, *found.row);
  }
  return run(attempt, call, wanted, found.next);
}

AnyValue Steps::recorded(const Wanted& wanted, const StepCall& call, const plan::Row& row) {
  const ValueType& type = call.type;
  const core::Head& head = row.head;
  const std::string shape = type.shape != nullptr ? type.shape() : std::string{};
  const auto refuse = [&](Errc code, std::string what) {
    throw Error(
        code, {.what = fmt::format("step '{}' of stage '{}' {}", core::printable(call.options.name),
                                   tools_.graph.nodes[subject_.node].name, what),
               .stage = tools_.graph.nodes[subject_.node].name,
               .item = subject_.item,
               .file = tools_.facts.locate(wanted.key.path, row.generation),
               .kept = "what the step gave is kept as it is",
               .next = "give the type a new schema version with a migration, or the step a "
                       "new revision"});
  };
  if (head.codec != type.codec) refuse(Errc::codec_changed, "was saved with another codec");
  if (head.schema > type.version) {
    refuse(Errc::newer, fmt::format("was saved with schema {}; this program knows {} to {}",
                                    head.schema, type.oldest, type.version));
  }
  if (head.schema == type.version && head.shape != 0 && !shape.empty() &&
      head.shape != core::shape_hash(shape)) {
    refuse(Errc::shape_changed, "was saved with other fields");
  }
  AnyValue value;
  if (type.codec != CodecId::none) {
    try {
      value = type.decode(tools_.facts.payload(wanted.key.path, row.generation), head.schema);
    } catch (const DamagedRecord& damaged) {
      {
        const std::scoped_lock lock{guard_};
        damage_ = damaged;
      }
      throw Suspended{"a step's record is damaged"};
    } catch (const Error& error) {
      rethrow_with_place(error, tools_.graph.nodes[subject_.node].name, subject_.item,
                         tools_.facts.locate(wanted.key.path, row.generation));
    }
  }
  tools_.events.emit(event(EventKind::skipped, call));
  return value;
}

AnyValue Steps::run(Attempt& attempt, const StepCall& call, const Wanted& wanted,
                    std::uint64_t generation) {
  const ValueType& type = call.type;
  AnyValue value;
  double seconds = 0;
  Cost cost;
  unsigned tried = 0;
  while (true) {
    // Between two steps is where a stage can be left with nothing lost.
    if (attempt.must_stop()) {
      throw Suspended{fmt::format("stopped before step '{}'", core::printable(call.options.name))};
    }
    Event started = event(EventKind::step_started, call);
    started.attempt = ++tried;
    tools_.events.emit(std::move(started));
    const sys::BootTime begin = tools_.clock.boot();
    const detail::SpendFrame spending{attempt};
    std::exception_ptr error;
    try {
      value = call.body();
    } catch (const Suspended&) {
      throw;
    } catch (...) {
      error = std::current_exception();
    }
    seconds += std::chrono::duration<double>(tools_.clock.boot() - begin).count();
    cost += spending.cost();
    if (!error) break;
    if (!wait_for_next_try(attempt, call, tried, error)) std::rethrow_exception(error);
  }
  Draft draft;
  if (type.codec == CodecId::none) {
    draft.payload = std::make_shared<StringPayload>("");
  } else {
    draft.payload = type.encode(value.get());
    value = type.decode(draft.payload, type.version);
  }
  const std::string shape = type.shape != nullptr ? type.shape() : std::string{};
  draft.key = wanted.key;
  draft.generation = generation;
  draft.head.kind = core::Kind::step;
  draft.head.codec = type.codec;
  draft.head.schema = type.version;
  draft.head.revision = wanted.revision;
  draft.head.fingerprint = wanted.fingerprint;
  draft.header.payload_digest = core::digest_of(*draft.payload);
  draft.head.identity = draft.header.payload_digest;
  draft.head.shape = shape.empty() ? 0 : core::shape_hash(shape);
  draft.header.schema_name = std::string{type.schema};
  draft.header.shape = shape;
  draft.header.seconds = seconds;
  draft.header.attempts = tried;
  draft.header.cost = cost;
  {
    const std::scoped_lock lock{guard_};
    const auto& former = steps_[wanted.key.path].row;
    if (former) draft.erase.emplace_back(wanted.key.path, former->generation);
  }
  const Committed record = tools_.recorder.commit(std::move(draft));
  {
    const std::scoped_lock lock{guard_};
    steps_[wanted.key.path] = {
        generation + 1, plan::Row{record.generation, record.head, Damage::none, false}, false};
    committed_.push_back(record);
  }
  Event done = event(EventKind::committed, call);
  done.attempt = tried;
  done.seconds = seconds;
  done.save_seconds = record.seconds;
  done.bytes = record.bytes;
  done.cost = cost;
  tools_.events.emit(std::move(done));
  return value;
}

/// Whether another try is due, and was waited for.
bool Steps::wait_for_next_try(Attempt& attempt, const StepCall& call, unsigned tried,
                              const std::exception_ptr& error) {
  const Retry& retry = call.options.retry;
  const Outlook outlook = outlook_of(retry, error);
  if (!outlook.retryable || tried >= retry.attempts || attempt.must_stop()) return false;
  const std::string seed =
      fmt::format("{}{}/{}/{}", tools_.recorder.uid(), tools_.graph.nodes[subject_.node].name,
                  subject_.item, call.options.name);
  const auto wait = backoff(retry, tried + 1, outlook.retry_after, seed);
  Event again = event(EventKind::retried, call);
  again.attempt = tried;
  again.attempts_allowed = retry.attempts;
  again.seconds = std::chrono::duration<double>(wait).count();
  again.message = words_of(error);
  again.code = code_of(error);
  tools_.events.emit(std::move(again));
  return sys::sleep_until(tools_.clock, tools_.clock.boot() + wait, attempt.token());
}

}  // namespace resumable::inline v0::run
