#include "resumable/journal_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "store/file/content_cache.hpp"
#include "store/file/layout.hpp"
#include "store/file/run_scan.hpp"
#include "store/file/runs.hpp"
#include "store/journal/header_reader.hpp"
#include "store/journal/journal_lease.hpp"
#include "store/names.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using store::journal::HeaderReader;
using store::journal::Index;
using store::journal::IndexFile;
using store::journal::Journal;
using store::journal::Known;

RecordHead head_of(RecordId id, const Known& known) {
  const bool whole = known.damage == Damage::none;
  return {.id = id,
          .tag = known.tag,
          .header_bytes = known.header_bytes,
          .payload_bytes = whole ? known.payload_bytes : 0,
          .damage = known.damage,
          .quarantined = false,
          .cause = {},
          .header = {}};
}

RecordHead head_of(const store::Head& head) {
  return {.id = {head.path, head.generation},
          .tag = head.tag,
          .header_bytes = head.header_bytes,
          .payload_bytes = head.payload_bytes,
          .damage = head.damage,
          .quarantined = head.quarantined,
          .cause = head.cause,
          .header = {}};
}

}  // namespace

struct JournalStore::State {
  State(const std::filesystem::path& folder, const JournalStoreOptions& options)
      : backend(std::make_shared<store::Backend>(folder, options.folder, store::journal_kind)),
        segment_bytes(options.segment_bytes),
        index_after_bytes(options.index_after_bytes),
        cache(backend) {}

  std::shared_ptr<Journal> journal(const store::RunSite& site) {
    const std::scoped_lock lock{guard};
    auto& found = journals[site.name];
    if (!found) found = std::make_shared<Journal>(backend, site, index_after_bytes);
    return found;
  }

  /// What was set aside is in files, as in a file store.
  std::vector<store::Head> set_aside(const store::RunSite& site, const ScanOptions& what) {
    if (!what.quarantined) return {};
    const auto run = backend->open_run(site);
    if (!run) return {};
    return store::scan_run(*backend, site, run->own, {.prefix = what.prefix, .wait = what.wait});
  }

  std::shared_ptr<store::Backend> backend;
  std::uint64_t segment_bytes;
  std::uint64_t index_after_bytes;
  std::mutex guard;
  std::map<std::string, std::shared_ptr<Journal>> journals;
  store::FileContentCache cache;
};

JournalStore::JournalStore(const std::filesystem::path& folder, const JournalStoreOptions& options)
    : state_(std::make_shared<State>(folder, options)) {}

JournalStore::~JournalStore() = default;

bool JournalStore::is_in(const std::filesystem::path& folder) {
  store::Backend backend{folder, {}, store::journal_kind};
  const auto root = backend.root();
  return root && store::kind_in_layout(backend, *root) == store::journal_kind.name;
}

std::string JournalStore::artifact_folder(std::string_view run) const {
  return state_->backend->path() + '/' + core::encode_run(run);
}

std::unique_ptr<Lease> JournalStore::do_lease(std::string_view run, const LeaseRequest& request) {
  const auto site = state_->backend->site(run);
  return store::journal::take_journal_lease(state_->backend, site, request, state_->journal(site),
                                            state_->segment_bytes);
}

void JournalStore::do_scan(std::string_view run, const ScanOptions& what,
                           FunctionRef<bool(const RecordHead&)> visit) const {
  const auto site = state_->backend->site(run);
  const auto journal = state_->journal(site);
  const auto view = journal->view(what.prefix);
  const auto aside = state_->set_aside(site, what);
  auto next_aside = aside.begin();
  const Index::Before before;
  const auto visit_aside_before = [&](const RecordId* id) {
    for (; next_aside != aside.end() && (id == nullptr || before(*next_aside, *id)); ++next_aside) {
      if (!visit(head_of(*next_aside))) return false;
    }
    // Its copy exists but it was not erased: there was a kill in between.
    const bool twin = id != nullptr && next_aside != aside.end() && !before(*id, *next_aside);
    if (twin) ++next_aside;
    return true;
  };
  bool more = true;
  HeaderReader headers{*journal};
  const auto visit_one = [&](RecordId id, const Known& known) {
    RecordHead head = head_of(id, known);
    if (what.headers) head.header = headers.read(id, known);
    more = visit_aside_before(&id) && visit(head);
    return more;
  };
  try {
    view->visit(what.prefix, visit_one);
  } catch (const IndexFile::Unusable&) {  // its bytes have changed since they were proved
    throw site.unreadable(
        "read", fmt::format("{}/{}", site.own(store::names::journal), store::journal::index_name),
        std::make_error_code(std::errc::io_error));
  }
  if (more) static_cast<void>(visit_aside_before(nullptr));
}

RecordTotals JournalStore::do_sums(std::string_view run, std::string_view prefix,
                                   const Wait& /*a disk answers*/) const {
  return state_->journal(state_->backend->site(run))->totals(prefix);
}

std::optional<StoredRecord> JournalStore::do_get(std::string_view run, RecordId id,
                                                 const Wait& /*a disk answers*/) const {
  return state_->journal(state_->backend->site(run))->get(id);
}

std::optional<StoredRecord> JournalStore::do_find(std::string_view path,
                                                  const Wait& /*a disk answers*/) const {
  return state_->cache.find(path);
}

bool JournalStore::do_put_if_absent(const Put& put, const Wait& /*a disk answers*/) {
  return state_->cache.put(put, false);
}

void JournalStore::do_replace(const Put& put, const Wait& /*a disk answers*/) {
  static_cast<void>(state_->cache.put(put, true));
}

void JournalStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                           const Wait& /*a disk answers*/) const {
  store::visit_runs(*state_->backend, prefix, visit);
}

std::optional<Owner> JournalStore::do_owner(std::string_view run,
                                            const Wait& /*a disk answers*/) const {
  return store::owner_of(*state_->backend, run);
}

std::optional<std::string> JournalStore::do_manifest(std::string_view run,
                                                     const Wait& /*a disk answers*/) const {
  return store::read_manifest(*state_->backend, run);
}

std::optional<std::uint64_t> JournalStore::do_stamp(std::string_view run,
                                                    const Wait& /*a disk answers*/) const {
  return store::stamp_of(*state_->backend, run);
}

std::vector<std::string> JournalStore::do_warnings(const Wait& /*a disk answers*/) const {
  return state_->backend->warnings();
}

RemoveResult JournalStore::do_remove(std::string_view run, const RemoveOptions& options) {
  return store::remove_run(*state_->backend, *this, run, options);
}

std::string JournalStore::do_locate(std::string_view run, RecordId id) const {
  return state_->journal(state_->backend->site(run))->locate(id);
}

std::string JournalStore::do_url() const { return "journal:" + state_->backend->in_url(); }

}  // namespace v0
}  // namespace resumable
