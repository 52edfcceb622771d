#include "run/options.hpp"

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/labels.hpp"

namespace resumable::run {
namespace {

void check_id(const ResumeOptions& options) {
  static_cast<void>(core::encode_run(options.run));
  if (!core::is_utf8(options.run)) {
    throw Error(Errc::bad_name, {.what = fmt::format("'{}' cannot be the id of a run: it is not "
                                                     "UTF-8",
                                                     core::printable(options.run)),
                                 .kept = "nothing was changed",
                                 .next = "choose another id"});
  }
  if (options.run.starts_with('@')) {
    throw Error(Errc::bad_name, {.what = fmt::format("'{}' cannot be the id of a run: ids that "
                                                     "begin with '@' are the library's own",
                                                     core::printable(options.run)),
                                 .run = options.run,
                                 .next = "choose another id"});
  }
}

void check_budgets(const ResumeOptions& options) {
  const auto wrong = [&](std::chrono::milliseconds budget) {
    return budget.count() < 0 || (budget.count() > 0 && options.reserve >= budget);
  };
  if (options.reserve.count() < 0 || wrong(options.budget) || wrong(options.run_budget)) {
    throw Error(
        Errc::bad_option,
        {.what = "a budget or the reserve is negative, or the reserve is not shorter than the "
                 "budget",
         .next = "give a budget above 0, and a reserve below the budget"});
  }
}

void check_store_timeout(const ResumeOptions& options) {
  if (options.store_timeout.count() >= 0) return;
  throw Error(Errc::bad_option, {.what = "the store's timeout is negative",
                                 .next = "give a time, or 0 for no limit"});
}

/// Each is a thread. A number that stands for "no limit" would end in the system's refusal.
void check_concurrency(const ResumeOptions& options) {
  constexpr unsigned most = 10'000;
  if (options.executor || options.concurrency <= most) return;
  throw Error(Errc::bad_option,
              {.what = fmt::format("a concurrency of {} is more than {} threads",
                                   options.concurrency, most),
               .next = "use 0, one thread per core, or a number of functions that may really run "
                       "at the same time"});
}

/// Workers read what is committed: it must not wait in a queue. And their items are not in this
/// process's executor either.
void check_sharing(const ResumeOptions& options) {
  if (!options.share || (options.durability != Durability::queued && !options.executor)) return;
  throw Error(Errc::bad_option,
              {.what = "items cannot be shared by a call that queues its commits, or that has an "
                       "executor of its own",
               .run = options.run,
               .kept = "nothing was changed",
               .next = "share with Durability::full or data, and without an executor"});
}

}  // namespace

WorkQueue& work_queue_of(CheckpointStore& store) {
  if (auto* queue = store.capability<WorkQueue>()) return *queue;
  throw Error(Errc::bad_option,
              {.what = fmt::format("the store {} cannot share the items of a run", store.url()),
               .kept = "nothing was changed",
               .next = "use a store that can, such as sqlite:FILE or postgres://…"});
}

void check_options(const ResumeOptions& options) {
  check_id(options);
  check_labels(options);
  check_budgets(options);
  check_store_timeout(options);
  check_concurrency(options);
  check_sharing(options);
}

}  // namespace resumable::run
