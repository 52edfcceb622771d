#include "resumable/memory_store.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "resumable/detail/saturating.hpp"
#include "store/names.hpp"
#include "store/ranges.hpp"
#include "store/run_site.hpp"
#include "store/work_table.hpp"
#include "sys/clock.hpp"
#include "sys/process.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using store::RunSite;
using Id = std::pair<std::string, std::uint64_t>;

struct Record {
  Tag tag;
  std::string header;
  std::shared_ptr<const Payload> payload;
  bool quarantined = false;
};

struct Run {
  std::map<Id, Record> records;
  std::optional<std::string> manifest;
  std::optional<Owner> owner;
  std::uint64_t fence = 0;
  std::uint64_t commits = 0;
};

RunSite site_of(std::string_view run) {
  return {"memory:", std::string(run), core::encode_run(run)};
}

std::string where(const RunSite& site, RecordId id) {
  return fmt::format("memory:{}/{}", site.name, store::place_of(id).path());
}

struct Memory {
  std::mutex guard;
  std::condition_variable_any released;
  std::map<std::string, std::shared_ptr<Run>> runs;
  std::uint64_t commits = 0;  ///< of all runs: stamps are never used again
  sys::SystemClock clock;
  sys::SystemProcess process;
  store::WorkTable work{[this](std::string_view run) {
    const auto found = runs.find(std::string{run});
    return found == runs.end() ? 0 : found->second->fence;
  }};

  /// With `guard` held. @throws Error{Errc::fenced}
  void check_owner(std::string_view run, std::uint64_t fence) const {
    const auto found = runs.find(std::string{run});
    if (found != runs.end() && found->second->fence == fence) return;
    throw site_of(run).error(Errc::fenced, {.what = "the run has another owner",
                                            .kept = "everything saved before",
                                            .next = "resume again"});
  }

  /// A copy, so that the visitor may use the store meanwhile.
  std::vector<std::pair<Id, Record>> records(const std::string& run, const ScanOptions& what) {
    const std::lock_guard lock(guard);
    std::vector<std::pair<Id, Record>> found;
    const auto entry = runs.find(run);
    if (entry == runs.end()) return found;
    const auto& all = entry->second->records;
    for (const store::Range& range : store::ranges_of(what)) {
      const auto end = all.lower_bound({range.end, 0});
      for (auto at = all.lower_bound({range.begin, 0}); at != end; ++at) {
        if (what.quarantined || !at->second.quarantined) found.emplace_back(*at);
      }
    }
    return found;
  }

  /// With `guard` held.
  std::shared_ptr<Run> run_for(const RunSite& site, Create create) {
    const auto found = runs.find(site.run);
    if (found != runs.end()) {
      if (create == Create::must) throw site.exists();
      return found->second;
    }
    if (create == Create::never) throw site.unknown();
    const std::string key = core::run_twin_key(site.run);
    for (const auto& [run, data] : runs) {
      if (core::run_twin_key(run) == key) throw site.twin(core::encode_run(run));
    }
    auto run = runs[site.run] = std::make_shared<Run>();
    run->commits = ++commits;
    return run;
  }

  /// This process, as the run's next owner; with `guard` held.
  Owner owner_of(Run& run, std::uint64_t above = 0) {
    run.fence = std::max(run.fence, above);
    return {.host = process.host(),
            .pid = process.pid(),
            .since = std::chrono::floor<std::chrono::seconds>(clock.wall()),
            .fence = ++run.fence};
  }

  /// Waits until no one owns the run, with `lock` held; an error otherwise.
  std::shared_ptr<Run> wait_for(std::unique_lock<std::mutex>& lock, const RunSite& site,
                                const LeaseRequest& request) {
    const auto deadline = detail::later(std::chrono::steady_clock::now(), request.wait);
    for (;;) {
      auto run = run_for(site, request.create);
      const bool free = released.wait_until(lock, request.stop, deadline,
                                            [&] { return !run->owner.has_value(); });
      if (!free) throw site.busy(*run->owner);
      // It may have been removed meanwhile.
      const auto now = runs.find(site.run);
      if (now != runs.end() && now->second == run) return run;
    }
  }
};

std::map<Id, Record> copies(std::span<const Put> puts) {
  std::map<Id, Record> records;
  for (const Put& put : puts) {
    records.emplace(Id(put.id.path, put.id.generation),
                    Record{put.tag, std::string(put.header),
                           std::make_shared<StringPayload>(read_all(*put.payload))});
  }
  return records;
}

/// Commits, with the memory's guard held.
void add(Memory& memory, Run& run, const RunSite& site, std::map<Id, Record> news,
         std::span<const RecordId> erases) {
  for (const auto& [id, record] : news) {
    if (!run.records.contains(id)) continue;
    const RecordId there{id.first, id.second};
    throw site.record_exists(there, where(site, there));
  }
  run.records.merge(news);
  for (const RecordId id : erases) {
    const auto found = run.records.find(Id(id.path, id.generation));
    if (found != run.records.end() && !found->second.quarantined) run.records.erase(found);
  }
  run.commits = ++memory.commits;
}

class MemoryLease final : public Lease {
 public:
  MemoryLease(std::shared_ptr<Memory> memory, std::shared_ptr<Run> run, RunSite site)
      : Lease(run->fence),
        memory_(std::move(memory)),
        run_(std::move(run)),
        stamp_(run_->commits),
        site_(std::move(site)),
        pid_(memory_->process.pid()) {}

  ~MemoryLease() override {
    const std::lock_guard lock(memory_->guard);
    run_->owner.reset();
    memory_->released.notify_all();
  }

 private:
  Ticket do_commit(const Batch& batch,
                   const CommitOptions& /*memory has one durability*/) override {
    check_process();
    auto news = copies(batch.puts);
    const std::lock_guard lock(memory_->guard);
    add(*memory_, *run_, site_, std::move(news), batch.erases);
    return ++tickets_;
  }

  [[nodiscard]] std::optional<std::uint64_t> do_stamp() const override { return stamp_; }

  void do_manifest(std::string_view json, const Wait& /*nothing to wait for*/) override {
    check_process();
    const std::lock_guard lock(memory_->guard);
    run_->manifest = std::string(json);
  }

  std::string do_quarantine(RecordId id, const Wait& /*nothing to wait for*/) override {
    check_process();
    const std::lock_guard lock(memory_->guard);
    const auto found = run_->records.find(Id(id.path, id.generation));
    if (found == run_->records.end()) {
      throw site_.failed("quarantine", where(site_, id),
                         std::make_error_code(std::errc::no_such_file_or_directory));
    }
    found->second.quarantined = true;
    run_->commits = ++memory_->commits;
    return where(site_, id) + " (quarantined)";
  }

  void check_process() const {
    if (memory_->process.pid() != pid_) throw site_.forked();
  }

  std::shared_ptr<Memory> memory_;
  std::shared_ptr<Run> run_;
  std::uint64_t stamp_;
  RunSite site_;
  std::int64_t pid_;
  Ticket tickets_ = 0;  ///< with the memory's guard
};

}  // namespace

struct MemoryStore::State : Memory {};

MemoryStore::MemoryStore() : state_(std::make_shared<State>()) {}
MemoryStore::~MemoryStore() = default;

std::unique_ptr<Lease> MemoryStore::do_lease(std::string_view id, const LeaseRequest& request) {
  const RunSite site = site_of(id);
  std::unique_lock lock{state_->guard};
  auto run = state_->wait_for(lock, site, request);
  run->owner = state_->owner_of(*run, request.fence_above);
  return std::make_unique<MemoryLease>(state_, std::move(run), site);
}

void MemoryStore::do_scan(std::string_view run, const ScanOptions& what,
                          FunctionRef<bool(const RecordHead&)> visit) const {
  for (const auto& [id, record] : state_->records(std::string(run), what)) {
    RecordHead found{.id = {id.first, id.second},
                     .tag = record.tag,
                     .header_bytes = record.header.size(),
                     .payload_bytes = record.payload->size(),
                     .damage = Damage::none,
                     .quarantined = record.quarantined,
                     .cause = {},
                     .header = {}};
    const bool with_header = what.headers && !record.quarantined;
    if (with_header) found.header = record.header;
    if (!visit(found)) return;
  }
}

std::optional<StoredRecord> MemoryStore::do_get(std::string_view run, RecordId id,
                                                const Wait& /*nothing to wait for*/) const {
  const std::lock_guard lock(state_->guard);
  const auto entry = state_->runs.find(std::string(run));
  if (entry == state_->runs.end()) return {};
  const auto found = entry->second->records.find(Id(id.path, id.generation));
  if (found == entry->second->records.end() || found->second.quarantined) return {};
  const Record& record = found->second;
  return StoredRecord{record.tag, record.header, record.payload};
}

void MemoryStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                          const Wait& /*nothing to wait for*/) const {
  std::vector<std::string> runs;
  {
    const std::lock_guard lock(state_->guard);
    for (const auto& [run, data] : state_->runs) {
      if (run.starts_with(prefix)) runs.push_back(run);
    }
  }
  for (const std::string& run : runs) {
    if (!visit(run)) return;
  }
}

std::optional<Owner> MemoryStore::do_owner(std::string_view run,
                                           const Wait& /*nothing to wait for*/) const {
  const std::lock_guard lock(state_->guard);
  const auto entry = state_->runs.find(std::string(run));
  return entry == state_->runs.end() ? std::nullopt : entry->second->owner;
}

std::optional<std::string> MemoryStore::do_manifest(std::string_view run,
                                                    const Wait& /*nothing to wait for*/) const {
  const std::lock_guard lock(state_->guard);
  const auto entry = state_->runs.find(std::string(run));
  return entry == state_->runs.end() ? std::nullopt : entry->second->manifest;
}

std::optional<std::uint64_t> MemoryStore::do_stamp(std::string_view run,
                                                   const Wait& /*nothing to wait for*/) const {
  const std::scoped_lock lock{state_->guard};
  const auto entry = state_->runs.find(std::string{run});
  if (entry == state_->runs.end()) return std::nullopt;
  return entry->second->commits;
}

RecordTotals MemoryStore::do_sums(std::string_view run, std::string_view prefix,
                                  const Wait& /*nothing to wait for*/) const {
  RecordTotals sums;
  const std::scoped_lock lock{state_->guard};
  const auto entry = state_->runs.find(std::string{run});
  if (entry == state_->runs.end()) return sums;
  const auto& records = entry->second->records;
  for (auto at = records.lower_bound({std::string{prefix}, 0});
       at != records.end() && at->first.first.starts_with(prefix); ++at) {
    if (at->second.quarantined) continue;
    ++sums.records;
    sums.header_bytes += at->second.header.size();
    sums.payload_bytes += at->second.payload->size();
  }
  return sums;
}

RemoveResult MemoryStore::do_remove(std::string_view id, const RemoveOptions& options) {
  const RunSite site = site_of(id);
  std::unique_lock lock{state_->guard};
  auto run = state_->wait_for(
      lock, site, {.create = Create::never, .wait = options.wait, .stop = options.stop});
  run->owner = state_->owner_of(*run);
  const MemoryLease held{state_, run, site};
  lock.unlock();  // the condition may read the store
  if (options.condition && !options.condition()) return {.removed = false};
  const std::scoped_lock again{state_->guard};
  state_->runs.erase(site.run);
  state_->work.end(site.run);
  return {};
}

std::string MemoryStore::do_locate(std::string_view run, RecordId id) const {
  return where(site_of(run), id);
}

std::string MemoryStore::do_url() const { return "memory:"; }

void MemoryStore::take_over(std::string_view run, std::uint64_t fence) {
  const std::scoped_lock lock{state_->guard};
  state_->check_owner(run, fence);
  state_->work.take_over(run, fence);
}

void MemoryStore::publish(std::string_view run, std::uint64_t fence,
                          std::span<const WorkTask> tasks) {
  const std::scoped_lock lock{state_->guard};
  state_->check_owner(run, fence);
  state_->work.publish(run, fence, tasks);
}

std::vector<FinishedWork> MemoryStore::collect(std::string_view run, std::uint64_t fence) {
  const std::scoped_lock lock{state_->guard};
  state_->check_owner(run, fence);
  return state_->work.collect(run, std::chrono::steady_clock::now());
}

std::vector<WorkItem> MemoryStore::withdraw(std::string_view run, std::uint64_t fence, bool stop) {
  const std::scoped_lock lock{state_->guard};
  state_->check_owner(run, fence);
  return state_->work.withdraw(run, stop);
}

void MemoryStore::end(std::string_view run, std::uint64_t fence) {
  const std::scoped_lock lock{state_->guard};
  state_->check_owner(run, fence);
  state_->work.end(run);
}

std::uint64_t MemoryStore::join(const WorkerInfo& worker, std::chrono::milliseconds ttl) {
  const std::scoped_lock lock{state_->guard};
  return state_->work.join(worker, std::chrono::steady_clock::now() + ttl);
}

Claimed MemoryStore::claim(std::uint64_t worker, std::string_view pipeline,
                           std::string_view program, std::string_view run, std::size_t most) {
  const std::scoped_lock lock{state_->guard};
  return state_->work.claim(worker, pipeline, program, run, most);
}

WorkBeat MemoryStore::beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                           std::span<const std::uint64_t> held) {
  const std::scoped_lock lock{state_->guard};
  return state_->work.beat(worker, std::chrono::steady_clock::now() + ttl, held);
}

ClaimState MemoryStore::commit(const WorkClaim& claim, const Batch& batch,
                               const CommitOptions& /*memory has one durability*/) {
  auto news = copies(batch.puts);
  const std::scoped_lock lock{state_->guard};
  const ClaimState state = state_->work.state_of(claim);
  if (state != ClaimState::held) return state;
  add(*state_, *state_->runs.at(claim.run), site_of(claim.run), std::move(news), batch.erases);
  return state;
}

ClaimState MemoryStore::finish(const WorkClaim& claim, std::string_view result) {
  const std::scoped_lock lock{state_->guard};
  return state_->work.finish(claim, result);
}

void MemoryStore::give_back(const WorkClaim& claim) {
  const std::scoped_lock lock{state_->guard};
  state_->work.give_back(claim);
}

void MemoryStore::leave(std::uint64_t worker) {
  const std::scoped_lock lock{state_->guard};
  state_->work.leave(worker);
}

std::vector<WorkerInfo> MemoryStore::workers() const {
  const std::scoped_lock lock{state_->guard};
  return state_->work.workers(std::chrono::steady_clock::now());
}

std::vector<WorkItem> MemoryStore::work(std::string_view run) const {
  const std::scoped_lock lock{state_->guard};
  return state_->work.work(run);
}

}  // namespace v0
}  // namespace resumable
