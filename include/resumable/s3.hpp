/// @file
/// Large values as objects in S3, beside any store (component `s3`).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/open_store.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

/// Where the objects are. Credentials are not among the options: they come from
/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or from the profile AWS_PROFILE
/// of ~/.aws/credentials (AWS_SHARED_CREDENTIALS_FILE), and are looked up again for each request.
struct S3Options {
  std::string bucket{};  ///< which must exist
  /// What the keys of the objects begin with, without a slash at either end; may be empty.
  std::string prefix{};
  /// Of a compatible server: `https://host:port`. Empty: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or
  /// else AWS. With an endpoint, the bucket is a part of the path.
  std::string endpoint{};
  /// Empty: AWS_REGION, AWS_DEFAULT_REGION, or else us-east-1.
  std::string region{};
  /// Larger payloads become objects.
  std::uint64_t above = std::uint64_t{1} << 20U;
  /// Payloads of four parts and more are sent in parts of this size.
  std::uint64_t part_bytes = std::uint64_t{16} << 20U;
  /// How long an object stays once its lease has erased the record, for those who still read it.
  std::chrono::milliseconds keep_erased{600'000};
  /// How long a request waits for a server that does not answer, and how long a failed one is
  /// repeated.
  std::chrono::milliseconds timeout{30'000};
};

/// Keeps large payloads as objects in a bucket of S3, or of a server that is compatible with it,
/// and everything else in `next`. The record of such a value has the object's name, size and
/// SHA-256. The object is stored first and then the record, so a kill between the two leaves an
/// object that no record names: remove_leftovers() removes it, which collect_garbage() calls. What
/// a lease replaces after it has stored it itself, such as the state of a loop, it removes as well.
///
/// A value is downloaded when it is first read, and compared with its SHA-256: one that is missing
/// or different is Errc::damaged, a server that cannot be reached Errc::unreadable. One of more
/// than 64 MiB is read in parts, and compared once it has been read from its beginning to its end.
///
/// To compress or encrypt as well, put those stores in front of this one. Records that were stored
/// without it can still be read, so it can be put around a store at any time; a program that does
/// not use it refuses the runs that have such values (Errc::foreign). Entries of a ContentCache
/// stay in `next`.
///
/// The first lease of a store object checks that objects can be written. As safe to use from
/// several threads as `next`. Must not be used across fork(2), as its connections are shared then:
/// in a child, what needs the server throws Errc::forked.
class RESUMABLE_EXPORT S3PayloadStore final : public ForwardingStore {
 public:
  /// `next` must outlive the store, its leases, and the payloads that were read from it.
  /// @throws Error{Errc::bad_option}  an option is out of its range
  S3PayloadStore(CheckpointStore& next, const S3Options& options);
  /// The same, and owns `next` together with its leases.
  S3PayloadStore(std::unique_ptr<CheckpointStore> next, const S3Options& options);
  ~S3PayloadStore() override;

 private:
  class PayloadLease;

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  std::string do_url() const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;
  Leftovers do_remove_leftovers(bool dry_run) override;
  CheckpointStore* do_capability() noexcept override;

  struct State;
  std::shared_ptr<State> state_;
};

/// `factories`, with `file`, `journal` and paths, which also take these parameters behind a `?` in
/// the URL: `payloads=s3://bucket/prefix`, and `payloads_above=256KiB`, `s3_endpoint=https://…` and
/// `s3_region=…`. Call it before with_compression() and the like, which then stand in front:
///
///     const auto factories = rs::with_compression(rs::with_s3_payloads());
///     const auto store = rs::open_store("zstd+file:runs?payloads=s3://bucket/team", factories);
[[nodiscard]] RESUMABLE_EXPORT StoreFactories
with_s3_payloads(const StoreFactories& factories = {});

}  // namespace v0
}  // namespace resumable
