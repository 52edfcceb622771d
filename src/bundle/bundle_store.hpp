/// @file
/// A bundle as a store: one run in one tar file, which is written once, by one commit, and read as
/// often as needed. So copy_run() and verify_run() are all that exporting and importing need.
///
/// The file: `manifest.json` with the heads of all records, then `records/<path>.<generation>` for
/// each, which is its header line, a line feed and its payload, then an empty `end`. Nothing in a
/// file is trusted: names must be those in the manifest's heads, in their order, and every offset
/// is compared with the size of the file. No name in it is ever used as a file name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "resumable/store.hpp"
#include "sys/file_system.hpp"

namespace resumable::bundle {

/// A record in the file.
struct Record {
  std::string path;
  std::uint64_t generation = 0;
  Tag tag;
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t at = 0;  ///< where its header begins in the file

  [[nodiscard]] std::string name() const;
};

/// What the file says, compared with what is in it.
struct Contents {
  std::string run;
  std::vector<Record> records;  ///< by path in byte order, then by generation
};

/// @throws Error{Errc::unreadable}
[[noreturn]] void throw_unreadable(const std::string& shown, std::error_code error);
/// @throws Error{Errc::unreadable}, Error{Errc::damaged}, Error{Errc::newer}
[[nodiscard]] Contents read_contents(sys::FileSystem& files, const sys::File& file,
                                     const std::string& shown);
/// @throws Error{Errc::duplicate_name}, Error{Errc::store_failed}; what a payload throws
void write_bundle(sys::FileSystem& files, const std::string& path, std::string_view run,
                  std::span<const Put> puts);

/// Used by one thread at a time.
class BundleStore final : public CheckpointStore {
 public:
  /// Opens the file if it is there. `files`, which tests give, outlives this. @throws as
  /// read_contents()
  explicit BundleStore(const std::filesystem::path& file, sys::FileSystem* files = nullptr);
  ~BundleStore() override;

  /// The id of the run that is in it.
  [[nodiscard]] const std::string& run() const noexcept { return contents_.run; }
  /// @throws Error{Errc::unreadable}  there is no such file
  void must_exist() const;

 private:
  class WritingLease;

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;

  void open();
  [[nodiscard]] std::string header_of(const Record& record) const;

  std::unique_ptr<sys::FileSystem> system_;
  sys::FileSystem* files_;
  std::string path_;
  std::shared_ptr<const sys::File> file_;
  Contents contents_;
  std::string leased_;  ///< the run that is about to be written
};

}  // namespace resumable::bundle
