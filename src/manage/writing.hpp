/// @file
/// Writing many records to a run as one batch, without holding their payloads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "manage/run_records.hpp"
#include "record/draft.hpp"
#include "resumable/store.hpp"

namespace resumable::manage {

/// A payload of another run that is opened when it is read and closed after its last byte: a
/// thousand of them hold one descriptor. Used by one thread. read() throws record::VanishedRecord
/// when the record is gone.
class RemotePayload final : public Payload {
 public:
  /// `store` must outlive it.
  RemotePayload(const CheckpointStore& store, std::string run, std::string path,
                std::uint64_t generation, std::uint64_t size)
      : store_(store),
        run_(std::move(run)),
        path_(std::move(path)),
        generation_(generation),
        size_(size) {}
  RemotePayload(const CheckpointStore& store, std::string run, const Whole& record)
      : RemotePayload(store, std::move(run), record.path, record.generation,
                      record.header.payload_bytes) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override;

 private:
  const CheckpointStore& store_;
  std::string run_;
  std::string path_;
  std::uint64_t generation_;
  std::uint64_t size_;
  mutable std::shared_ptr<const Payload> open_;
};

/// A record to be written.
struct Output {
  std::string path;
  std::uint64_t generation = 0;
  Tag tag;
  std::string header;
  std::shared_ptr<const Payload> payload;
};

/// The record that a draft describes. Its header's pipeline is filled in by the caller.
[[nodiscard]] Output finished(record::Draft draft, std::string_view uid, std::uint64_t fence,
                              std::string_view at);
/// A record of another run as one of the run `uid`; only that differs.
[[nodiscard]] Output of_run(const Whole& record, std::string_view uid,
                            std::shared_ptr<const Payload> payload);

/// All or nothing. @throws as Lease::commit
void commit(Lease& lease, const std::vector<Output>& records);

/// A lease whose fence is above all that are in the records that will be written: requests compare
/// fences. @throws as CheckpointStore::lease
[[nodiscard]] std::unique_ptr<Lease> lease_above(CheckpointStore& store, std::string_view run,
                                                 const LeaseRequest& request);

/// What a lease refuses, for a call that takes none: a dry run.
/// @throws Error{Errc::bad_name}, Error{Errc::busy}
void refuse_owned(const CheckpointStore& store, std::string_view run);

/// Now, as headers say it.
[[nodiscard]] std::string now_text();

}  // namespace resumable::manage
