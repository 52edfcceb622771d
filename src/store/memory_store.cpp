#include "resumable/memory_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/run_id.hpp"
#include "store/names.hpp"
#include "store/run_site.hpp"
#include "sys/clock.hpp"
#include "sys/process.hpp"

namespace resumable::inline v0 {
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
  std::map<std::string, Run> runs;
  sys::SystemClock clock;
  sys::SystemProcess process;

  /// A copy, so that whoever visits may use the store meanwhile.
  std::vector<std::pair<Id, Record>> records(const std::string& run, const Scan& what) {
    const std::lock_guard lock(guard);
    std::vector<std::pair<Id, Record>> found;
    const auto entry = runs.find(run);
    if (entry == runs.end()) return found;
    for (const auto& [id, record] : entry->second.records) {
      const bool wanted = id.first.starts_with(what.prefix);
      if (wanted && (what.quarantined || !record.quarantined)) found.emplace_back(id, record);
    }
    return found;
  }

  /// With `guard` held.
  Run& run_for(const RunSite& site, Create create) {
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
    return runs[site.run];
  }
};

class MemoryLease final : public Lease {
 public:
  MemoryLease(std::shared_ptr<Memory> memory, Run& run, RunSite site)
      : Lease(run.fence),
        memory_(std::move(memory)),
        run_(run),
        site_(std::move(site)),
        pid_(memory_->process.pid()) {}

  ~MemoryLease() override {
    const std::lock_guard lock(memory_->guard);
    run_.owner.reset();
    memory_->released.notify_all();
  }

 private:
  Ticket do_commit(const Batch& batch, Durability /*a process's memory has only one*/) override {
    check_process();
    auto news = copies(batch.puts);
    const std::lock_guard lock(memory_->guard);
    auto& records = run_.records;
    for (const auto& [id, record] : news) {
      if (!records.contains(id)) continue;
      const RecordId there{id.first, id.second};
      throw site_.record_exists(there, where(site_, there));
    }
    records.merge(news);
    for (const RecordId id : batch.erases) {
      const auto found = records.find(Id(id.path, id.generation));
      if (found != records.end() && !found->second.quarantined) records.erase(found);
    }
    return ++tickets_;
  }

  [[nodiscard]] Ticket do_durable() const noexcept override { return tickets_; }
  void do_wait(Ticket /*commits never wait*/) override {}

  void do_manifest(std::string_view json) override {
    check_process();
    const std::lock_guard lock(memory_->guard);
    run_.manifest = std::string(json);
  }

  std::string do_quarantine(RecordId id) override {
    check_process();
    const std::lock_guard lock(memory_->guard);
    const auto found = run_.records.find(Id(id.path, id.generation));
    if (found == run_.records.end()) {
      throw site_.failed("quarantine", where(site_, id),
                         std::make_error_code(std::errc::no_such_file_or_directory));
    }
    found->second.quarantined = true;
    return where(site_, id) + " (quarantined)";
  }

  static std::map<Id, Record> copies(std::span<const Put> puts) {
    std::map<Id, Record> records;
    for (const Put& put : puts) {
      records.emplace(Id(put.id.path, put.id.generation),
                      Record{put.tag, std::string(put.header),
                             std::make_shared<StringPayload>(read_all(*put.payload))});
    }
    return records;
  }

  void check_process() const {
    if (memory_->process.pid() != pid_) throw site_.forked();
  }

  std::shared_ptr<Memory> memory_;
  Run& run_;  // runs are never removed
  RunSite site_;
  std::int64_t pid_;
  std::atomic<Ticket> tickets_{0};
};

}  // namespace

struct MemoryStore::State : Memory {};

MemoryStore::MemoryStore() : state_(std::make_shared<State>()) {}
MemoryStore::~MemoryStore() = default;

std::unique_ptr<Lease> MemoryStore::do_lease(std::string_view id, const LeaseRequest& request) {
  const RunSite site = site_of(id);
  const auto deadline = std::chrono::steady_clock::now() + request.wait;
  std::unique_lock lock(state_->guard);
  Run& run = state_->run_for(site, request.create);
  const bool free = state_->released.wait_until(lock, request.stop, deadline,
                                                [&] { return !run.owner.has_value(); });
  if (!free) throw site.busy(*run.owner);
  run.owner = Owner{.host = state_->process.host(),
                    .pid = state_->process.pid(),
                    .since = sys::utc(state_->clock.wall()),
                    .fence = ++run.fence};
  return std::make_unique<MemoryLease>(state_, run, site);
}

void MemoryStore::do_scan(std::string_view run, const Scan& what,
                          FunctionRef<bool(const Found&)> visit) const {
  for (const auto& [id, record] : state_->records(std::string(run), what)) {
    const Found found{.id = {id.first, id.second},
                      .tag = record.tag,
                      .header_bytes = record.header.size(),
                      .payload_bytes = record.payload->size(),
                      .damage = Damage::none,
                      .quarantined = record.quarantined,
                      .cause = {}};
    if (!visit(found)) return;
  }
}

std::optional<Stored> MemoryStore::do_get(std::string_view run, RecordId id) const {
  const std::lock_guard lock(state_->guard);
  const auto entry = state_->runs.find(std::string(run));
  if (entry == state_->runs.end()) return {};
  const auto found = entry->second.records.find(Id(id.path, id.generation));
  if (found == entry->second.records.end() || found->second.quarantined) return {};
  const Record& record = found->second;
  return Stored{record.tag, record.header, record.payload};
}

void MemoryStore::do_runs(std::string_view prefix,
                          FunctionRef<bool(std::string_view)> visit) const {
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

std::optional<Owner> MemoryStore::do_owner(std::string_view run) const {
  const std::lock_guard lock(state_->guard);
  const auto entry = state_->runs.find(std::string(run));
  return entry == state_->runs.end() ? std::nullopt : entry->second.owner;
}

std::optional<std::string> MemoryStore::do_manifest(std::string_view run) const {
  const std::lock_guard lock(state_->guard);
  const auto entry = state_->runs.find(std::string(run));
  return entry == state_->runs.end() ? std::nullopt : entry->second.manifest;
}

std::string MemoryStore::do_locate(std::string_view run, RecordId id) const {
  return where(site_of(run), id);
}

std::string MemoryStore::do_url() const { return "memory:"; }

}  // namespace resumable::inline v0
