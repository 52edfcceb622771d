#include "run/claim_lease.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"

namespace resumable::run {

template <class Call>
bool ClaimLease::held(Call call) {
  constexpr auto pause = std::chrono::milliseconds{20};
  const auto end = detail::later(clock_.boot(), patience_);
  ClaimState state = call();
  while (state == ClaimState::other_owner && clock_.boot() < end) {
    sys::sleep_until(clock_, detail::later(clock_.boot(), pause), {});
    state = call();
  }
  if (state != ClaimState::held) lost_ = true;
  return state == ClaimState::held;
}

Error ClaimLease::refusal() const {
  return {Errc::fenced,
          {.what = fmt::format("item '{}' of stage '{}' is not this worker's any more: it was "
                               "given to another one, or the run has another owner",
                               core::printable(claim_.task.item), claim_.task.stage),
           .run = claim_.run,
           .stage = claim_.task.stage,
           .item = claim_.task.item,
           .kept = "what was committed before",
           .next = "nothing: the item is computed elsewhere"}};
}

Ticket ClaimLease::do_commit(const Batch& batch, const CommitOptions& options) {
  if (!held([&] { return queue_.commit(claim_, batch, options); })) throw refusal();
  return ++tickets_;
}

/// An empty commit that is durable makes those before it durable.
void ClaimLease::do_wait(Ticket /*all of them*/, const Wait& /*nothing to wait for*/) {
  if (!held([&] { return queue_.commit(claim_, {}, {}); })) throw refusal();
}

bool ClaimLease::finish(std::string_view result) {
  return held([&] { return queue_.finish(claim_, result); });
}

// Both belong to the owner of the run.
void ClaimLease::do_manifest(std::string_view /*json*/, const Wait& /*wait*/) { throw refusal(); }
std::string ClaimLease::do_quarantine(RecordId /*id*/, const Wait& /*wait*/) { throw refusal(); }

}  // namespace resumable::run
