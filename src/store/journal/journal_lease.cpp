#include "store/journal/journal_lease.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/file/record_file.hpp"
#include "store/file/runs.hpp"
#include "store/file/temporary_file.hpp"
#include "store/journal/value_file.hpp"
#include "store/names.hpp"

namespace resumable::store::journal {

JournalLease::JournalLease(std::shared_ptr<Backend> backend, RunSite site, TakenRun taken,
                           std::shared_ptr<Journal> journal, std::uint64_t segment_bytes)
    : Lease(taken.fence),
      backend_(std::move(backend)),
      site_(std::move(site)),
      lock_(std::move(taken.lock)),
      folders_(std::move(taken.folders)),
      pid_(backend_->process().pid()),
      stamp_(taken.stamp),
      segment_bytes_(segment_bytes),
      journal_(std::move(journal)) {
  log_.emplace(*backend_, site_, folders_, *journal_, fence(), segment_bytes);
  log_->settle(journal_->tail());
  remove_leftovers();
}

JournalLease::~JournalLease() {
  const bool ours = backend_->process().pid() == pid_;
  const bool certain = log_->is_certain() && (!ours || compact());
  const bool synced = log_->is_synced();
  log_.reset();
  if (!ours) return;
  if (certain && synced) {
    journal_->save_index(folders_);
    journal_->save_end(folders_);
  }
  journal_->end_lease(certain);
}

/// False if it is unknown what the log is like now.
bool JournalLease::compact() noexcept {
  try {
    lock_.check_in_place(site_, folders_.own);
    log_->compact();
    return true;
  } catch (const std::exception&) {
    return false;  // the next lease reads the log again
  }
}

void JournalLease::check_right() {
  if (backend_->process().pid() != pid_) throw site_.forked();
  log_->check();
  lock_.check_in_place(site_, folders_.own);
}

Ticket JournalLease::do_commit(const Batch& batch, const CommitOptions& options) {
  check_right();
  const Ticket before = tickets_;
  const bool data = options.durability == Durability::data;
  if (!batch.puts.empty() || !batch.erases.empty()) {
    if (data && log_->is_synced()) note_durable(before);
    commit(batch, data ? Durability::data : Durability::full);
    if (!data) note_durable(before);
  } else if (!data) {
    do_wait(before, {});
  }
  return ++tickets_;
}

/// The log is in order: a sync covers everything that was written before.
void JournalLease::note_durable(Ticket ticket) noexcept {
  for (Ticket last = durable_; last < ticket && !durable_.compare_exchange_weak(last, ticket);) {
  }
}

Ticket JournalLease::do_durable() const noexcept {
  const Ticket given = tickets_;
  return log_->is_synced() ? given : Ticket{durable_};
}

void JournalLease::commit(const Batch& batch, Durability durability) {
  Pending pending;
  pending.durability = durability;
  const ValuePlace file{.fence = fence(), .number = ++values_};
  const bool apart = encode(*backend_, site_, folders_, batch,
                            {.file = file, .from_size = apart_bytes(segment_bytes_)}, pending);
  try {
    if (apart) log_->sync_folder();
    log_->commit(pending);
  } catch (const Error& error) {
    if (apart && error.errc() != Errc::outcome_unknown) remove({&file, 1});
    throw;
  }
  remove(pending.unused);
}

/// The next lease removes what remains.
void JournalLease::remove(std::span<const ValuePlace> values) {
  for (const ValuePlace& value : values) {
    static_cast<void>(backend_->files().unlink(folders_.records, value_name(value)));
  }
}

/// Values and segments that nothing refers to: their removal was interrupted, or the commit that
/// was to refer to them.
void JournalLease::remove_leftovers() {
  std::vector<sys::Entry> entries;
  if (backend_->files().list(folders_.records, entries)) return;
  const std::uint64_t first = journal_->first();
  for (const sys::Entry& entry : entries) {
    const auto value = value_of(entry.name);
    const auto segment = segment_of(entry.name);
    const bool unused = (value && !journal_->uses(*value)) || (segment && *segment < first);
    if (unused) static_cast<void>(backend_->files().unlink(folders_.records, entry.name));
  }
}

void JournalLease::do_wait(Ticket ticket, const Wait& /*a disk answers*/) {
  if (backend_->process().pid() != pid_) throw site_.forked();
  log_->check();
  if (do_durable() >= ticket) return;
  const Ticket given = tickets_;
  std::vector<ValuePlace> unused;
  log_->sync(unused);
  note_durable(given);
  remove(unused);
}

void JournalLease::do_manifest(std::string_view json, const Wait& /*a disk answers*/) {
  check_right();
  write_manifest(*backend_, site_, folders_, json);
}

std::string JournalLease::do_quarantine(RecordId id, const Wait& /*a disk answers*/) {
  check_right();
  const auto known = journal_->find(id);
  if (!known) {
    throw site_.failed("quarantine", site_.own(names::journal),
                       std::make_error_code(std::errc::no_such_file_or_directory));
  }
  std::string where = copy_aside(id, *known);
  commit({.puts = {}, .erases = {&id, 1}});
  return where;
}

/// The record becomes a file below `quarantine/`, as in a file store; what can no longer be parsed
/// is copied byte by byte.
std::string JournalLease::copy_aside(RecordId id, const Known& known) {
  sys::FileSystem& files = backend_->files();
  const auto must = [&](const char* operation, const std::string& what, std::error_code error) {
    if (error) throw site_.failed(operation, site_.own(what), error);
  };
  const auto nameless = batch_of_nameless(id.path);
  const Place place = nameless ? Place{names::batch, *nameless} : place_of(id);
  sys::File folder;
  const std::string folders =
      place.folder.empty() ? names::quarantine : names::quarantine + '/' + place.folder;
  for (std::string_view rest = folders;;) {
    const std::size_t slash = rest.find('/');
    const sys::File& parent = folder ? folder : folders_.own;
    sys::File child;
    must("mkdir", names::quarantine,
         sys::open_or_make_folder(files, parent, std::string{rest.substr(0, slash)},
                                  sys::Access::owner_only, child));
    must("fsync", names::quarantine, files.sync_folder(parent));
    folder = std::move(child);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  TemporaryFile temporary{*backend_, site_, folders_.temporary};
  temporary.must("write", write_aside(id, known, temporary.file()));
  temporary.sync();
  temporary.close();
  std::string name = place.name;
  auto error = temporary.take_free_name(folder, name);
  if (error == std::errc::file_exists) {
    std::string unique;
    must("getrandom", names::quarantine, backend_->temporary(unique));
    name += '~' + unique;
    error = temporary.take_free_name(folder, name);
  }
  const std::string where = names::quarantine + '/' + Place{place.folder, name}.path();
  must("link", where, error);
  must("fsync of the folder", where, files.sync_folder(folder));
  return site_.own(where);
}

std::error_code JournalLease::write_aside(RecordId id, const Known& known, const sys::File& file) {
  std::optional<StoredRecord> stored;
  try {
    if (known.damage == Damage::none) stored = journal_->get(id);
  } catch (const Error&) {
    stored.reset();
  }
  if (stored) {
    const Put put{id, stored->tag, stored->header, stored->payload.get()};
    return write_records(backend_->files(), file, {&put, 1}, fence());
  }
  const bool damage = known.damage != Damage::none;
  const std::uint64_t size = damage ? known.payload_bytes : known.bytes(id.path.size());
  return sys::write_fully(backend_->files(), file, 0,
                          journal_->files().raw(known.segment, known.at, size));
}

std::unique_ptr<Lease> take_journal_lease(const std::shared_ptr<Backend>& backend,
                                          const RunSite& site, const LeaseRequest& request,
                                          std::shared_ptr<Journal> journal,
                                          std::uint64_t segment_bytes) {
  bool begun = false;
  const auto highest = [&](const sys::File& /*own*/, bool /*known*/) {
    journal->begin_lease();
    begun = true;
    return journal->highest_fence();
  };
  try {
    return std::make_unique<JournalLease>(backend, site, take_run(*backend, site, request, highest),
                                          journal, segment_bytes);
  } catch (...) {
    if (begun) journal->end_lease(false);
    throw;
  }
}

}  // namespace resumable::store::journal
