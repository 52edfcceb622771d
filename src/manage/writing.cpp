#include "manage/writing.hpp"

#include <chrono>

#include <fmt/format.h>

#include "core/text.hpp"
#include "core/time.hpp"
#include "record/environment.hpp"
#include "record/record_index.hpp"
#include "resumable/error.hpp"

namespace resumable::manage {

std::size_t RemotePayload::read(std::uint64_t at, std::span<char> to) const {
  if (at >= size_ || to.empty()) return 0;
  if (!open_) {
    const auto record = store_.get(run_, {path_, generation_});
    if (!record || record->payload->size() != size_) throw record::VanishedRecord{};
    open_ = record->payload;
  }
  const std::size_t count = open_->read(at, to);
  if (at + count >= size_) open_.reset();
  return count;
}

Output finished(record::Draft draft, std::string_view uid, std::uint64_t fence,
                std::string_view at) {
  draft.head.fence = fence;
  draft.header.run_uid = uid;
  draft.header.key = draft.key.full;
  draft.header.generation = draft.generation;
  if (draft.header.at.empty()) draft.header.at = at;
  draft.header.payload_bytes = draft.payload->size();
  const Tag tag = core::encode_tag(draft.head, {uid, draft.key.path, draft.generation});
  return {draft.key.path, draft.generation, tag, core::encode_header(draft.header, tag),
          std::move(draft.payload)};
}

Output of_run(const Whole& record, std::string_view uid, std::shared_ptr<const Payload> payload) {
  core::Header header = record.header;
  header.run_uid = uid;
  const Tag tag = core::encode_tag(record.head, {uid, record.path, record.generation});
  return {record.path, record.generation, tag, core::encode_header(header, tag),
          std::move(payload)};
}

void commit(Lease& lease, const std::vector<Output>& records) {
  std::vector<Put> puts;
  puts.reserve(records.size());
  for (const Output& one : records) {
    puts.push_back({{one.path, one.generation}, one.tag, one.header, one.payload.get()});
  }
  lease.commit({.puts = puts, .erases = {}});
}

std::unique_ptr<Lease> lease_above(CheckpointStore& store, std::string_view run,
                                   const LeaseRequest& request) {
  // A store that does not support LeaseRequest::fence_above raises its fence with each lease.
  constexpr int most = 10'000;
  for (int i = 0; i < most; ++i) {
    auto lease = store.lease(run, request);
    if (lease->fence() > request.fence_above) return lease;
  }
  throw Error(Errc::bad_option,
              {.what = fmt::format("the store {} gives no lease of run '{}' with a fence above {}",
                                   store.url(), core::printable(run), request.fence_above),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "make the store honour LeaseRequest::fence_above"});
}

void refuse_owned(const CheckpointStore& store, std::string_view run) {
  const auto owner = store.owner(run);
  if (!owner) return;
  throw Error(Errc::busy,
              {.what = fmt::format("run '{}' is in use by pid {} on {}", core::printable(run),
                                   owner->pid, core::printable(owner->host)),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "wait until that process has ended"});
}

std::string now_text() {
  record::World world;
  return core::format_utc(std::chrono::floor<std::chrono::milliseconds>(world.clock().wall()));
}

}  // namespace resumable::manage
