#include "store/timed_store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/time.hpp"
#include "resumable/detail/saturating.hpp"

namespace resumable::store {
namespace {

using std::chrono::steady_clock;

/// Of calls to a store that has not answered in time.
constexpr std::chrono::milliseconds moment{100};
/// Of get_many(): each of these is given the whole timeout.
constexpr std::size_t most_ids = 1'000;

}  // namespace

TimedStore::~TimedStore() = default;

std::chrono::milliseconds TimedStore::most_time() const noexcept {
  return is_silent() ? std::min(moment, patience_.timeout) : patience_.timeout;
}

Wait TimedStore::writing(const Wait& given) const {
  Wait wait = given;
  if (patience_.timeout.count() == 0) return wait;
  const Time end = detail::later(steady_clock::now(), most_time());
  wait.deadline = wait.deadline ? std::min(*wait.deadline, end) : end;
  return wait;
}

Wait TimedStore::reading(const Wait& given) const {
  Wait wait = writing(given);
  if (!wait.stop.stop_possible() && !patience_.stop.stop_requested()) wait.stop = patience_.stop;
  if (patience_.end && steady_clock::now() < *patience_.end) {
    wait.deadline = wait.deadline ? std::min(*wait.deadline, *patience_.end) : *patience_.end;
  }
  return wait;
}

Overhead TimedStore::overhead() const noexcept {
  return {.loading = std::chrono::nanoseconds{reading_.load()},
          .saving = std::chrono::nanoseconds{writing_.load()},
          .commits = commits_.load(),
          .bytes = bytes_.load()};
}

void TimedStore::explain(const Error& error, const Wait& wait, Time begin) const {
  const bool ended = error.errc() == Errc::cancelled || error.errc() == Errc::outcome_unknown;
  if (!ended || !wait.is_over()) throw Error(error);
  const bool stopped = wait.stop.stop_requested() || wait.deadline == patience_.end;
  if (!stopped && steady_clock::now() < detail::later(begin, most_time())) throw Error(error);
  Time since = begin;
  if (!stopped) {  // since the first call that had no answer
    Time none{};
    if (!silent_since_.compare_exchange_strong(none, begin)) since = none;
  }
  const std::string time =
      core::format_duration(std::chrono::duration<double>(steady_clock::now() - since));
  const bool unknown = error.errc() == Errc::outcome_unknown;
  ErrorInfo info = error.info();
  info.file.clear();
  info.what = fmt::format("the store {} has not answered for {}{}", next().url(), time,
                          unknown   ? "; it is unknown whether the last commit is in it"
                          : stopped ? ", and the call was asked to stop"
                                    : "");
  info.kept = "everything that was committed";
  info.next = "check that the store can be reached, then resume";
  if (!stopped) info.advice = {{.option = Option::store_timeout, .purpose = "to wait longer"}};
  throw Error(unknown   ? Errc::outcome_unknown
              : stopped ? Errc::cancelled
                        : Errc::store_failed,
              std::move(info));
}

class TimedStore::TimedLease final : public ForwardingLease {
 public:
  TimedLease(TimedStore& store, std::unique_ptr<Lease> next)
      : ForwardingLease(std::move(next)), store_(store) {}

 private:
  template <class Call>
  auto timed(const Wait& given, const Call& call) const {
    const Wait wait = store_.writing(given);
    return store_.in_time(wait, &store_.writing_, [&] { return call(wait); });
  }

  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    const Ticket ticket = timed(options.wait, [&](const Wait& wait) {
      return next().commit(batch, {.durability = options.durability, .wait = wait});
    });
    store_.commits_.fetch_add(1, std::memory_order_relaxed);
    for (const Put& put : batch.puts) {
      store_.bytes_.fetch_add(put.payload->size(), std::memory_order_relaxed);
    }
    return ticket;
  }
  [[nodiscard]] bool do_supports_seal() const noexcept override { return true; }
  void do_wait(Ticket ticket, const Wait& given) override {
    timed(given, [&](const Wait& wait) { next().wait(ticket, wait); });
  }
  void do_manifest(std::string_view json, const Wait& given) override {
    timed(given, [&](const Wait& wait) { next().manifest(json, wait); });
  }
  std::string do_quarantine(RecordId id, const Wait& given) override {
    return timed(given, [&](const Wait& wait) { return next().quarantine(id, wait); });
  }

  TimedStore& store_;
};

std::unique_ptr<Lease> TimedStore::do_lease(std::string_view run, const LeaseRequest& request) {
  const Wait wait = writing({.stop = request.stop, .deadline = request.deadline});
  LeaseRequest timed = request;
  if (wait.deadline) timed.deadline = detail::later(*wait.deadline, request.wait);
  const Wait whole{.stop = request.stop, .deadline = timed.deadline};
  return std::make_unique<TimedLease>(
      *this, in_time(whole, nullptr, [&] { return next().lease(run, timed); }));
}

void TimedStore::do_scan(std::string_view run, const ScanOptions& what,
                         FunctionRef<bool(const RecordHead&)> visit) const {
  ScanOptions timed = what;
  timed.wait = reading(what.wait);
  in_time(timed.wait, &reading_, [&] { next().scan(run, timed, visit); });
}

void TimedStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                             FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  bool goes_on = true;
  for (std::size_t begin = 0; goes_on && begin < ids.size(); begin += most_ids) {
    const auto some = ids.subspan(begin, std::min(most_ids, ids.size() - begin));
    const auto take = [&](Fetched one) {
      one.index += begin;
      return goes_on = visit(std::move(one));
    };
    const Wait timed = reading(wait);
    in_time(timed, &reading_, [&] { next().get_many(run, some, take, timed); });
  }
}

void TimedStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                         const Wait& wait) const {
  const Wait timed = reading(wait);
  in_time(timed, &reading_, [&] { next().runs(prefix, visit, timed); });
}

std::optional<Owner> TimedStore::do_owner(std::string_view run, const Wait& wait) const {
  const Wait timed = reading(wait);
  return in_time(timed, &reading_, [&] { return next().owner(run, timed); });
}

std::optional<std::string> TimedStore::do_manifest(std::string_view run, const Wait& wait) const {
  const Wait timed = reading(wait);
  return in_time(timed, &reading_, [&] { return next().manifest(run, timed); });
}

std::optional<std::uint64_t> TimedStore::do_stamp(std::string_view run, const Wait& wait) const {
  const Wait timed = reading(wait);
  return in_time(timed, &reading_, [&] { return next().stamp(run, timed); });
}

std::vector<std::string> TimedStore::do_warnings(const Wait& wait) const {
  const Wait timed = reading(wait);
  return in_time(timed, &reading_, [&] { return next().warnings(timed); });
}

}  // namespace resumable::store
