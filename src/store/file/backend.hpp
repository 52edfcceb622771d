/// @file
/// What a file store, its leases and its payloads share: the system's objects, and the open folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "resumable/file_store.hpp"
#include "store/names.hpp"
#include "store/run_site.hpp"
#include "sys/clock.hpp"
#include "sys/file_system.hpp"
#include "sys/process.hpp"
#include "sys/random.hpp"

namespace resumable::store {

/// How the folders of a file store and of a journal store differ.
struct StoreKind {
  std::string_view name;       ///< the scheme of its URL
  const std::string& records;  ///< the folder in `<run>/.resumable` with the records
  const std::string& others;   ///< that folder of the other kind
};
inline const StoreKind file_kind{"file", names::checkpoints, names::journal};
inline const StoreKind journal_kind{"journal", names::journal, names::checkpoints};

/// The folders of a run, open for reading.
struct OpenRun {
  sys::File run;
  sys::File own;  ///< `<run>/.resumable`
  sys::Stat run_stat;
  sys::Stat own_stat;
};

class Backend {
 public:
  /// @throws Error{Errc::bad_option}
  Backend(const std::filesystem::path& folder, const FileStoreOptions& given,
          const StoreKind& kind = file_kind);

  [[nodiscard]] sys::FileSystem& files() const noexcept { return *files_; }
  [[nodiscard]] sys::Clock& clock() const noexcept { return *clock_; }
  [[nodiscard]] sys::Process& process() const noexcept { return *process_; }
  [[nodiscard]] sys::Random& random() const noexcept { return *random_; }
  /// Whether descriptors are the kernel's, not a test's.
  [[nodiscard]] bool has_real_files() const noexcept { return options_.files == nullptr; }
  [[nodiscard]] const StoreKind& kind() const noexcept { return kind_; }
  [[nodiscard]] const std::string& shown() const noexcept { return shown_; }
  /// The same, and what open_store() needs to write there.
  [[nodiscard]] std::string in_url() const {
    return shown_ + (options_.shared == SharedFileSystem::allow ? "?shared=yes" : "");
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// @throws Error{Errc::bad_name}
  [[nodiscard]] RunSite site(std::string_view run) const;

  /// The store's folder for reading, nullptr if there is none. Opened only once, so that a link put
  /// in its place later has no effect; opened again only after it was removed.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}
  std::shared_ptr<const sys::File> root();
  /// The same for writing: made where `make` and the options allow it, else nullptr.
  /// @throws Error{Errc::store_failed}, Error{Errc::newer}, Error{Errc::unreadable}
  std::shared_ptr<const sys::File> root_for_writing(bool make);

  /// The run's folders, nullptr if it does not exist. They stay open for the next call, which
  /// checks that they still have their names.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}
  std::shared_ptr<const OpenRun> open_run(const RunSite& site);

  /// If a run were opened as the other kind of store, none of its records would be found, and all
  /// work would be repeated. `own` is the run's own folder.
  /// @throws Error{Errc::foreign}
  void refuse_other_kind(const RunSite& site, const sys::File& own) const;

  /// The highest fence in the frames of a run, as a full scan found it; nullopt before the first.
  [[nodiscard]] std::optional<std::uint64_t> seen_fence(const RunSite& site) const;
  void note_fence(const RunSite& site, std::uint64_t fence);

  /// Who else can write to the store's folder, one sentence each.
  [[nodiscard]] std::vector<std::string> warnings();

  /// A file's whole content, nullopt when it is absent. EFBIG over `limit` bytes.
  std::error_code read_file(const sys::File& folder, const std::string& name, std::uint64_t limit,
                            std::optional<std::string>& out) const;
  /// A unique name for a temporary file.
  std::error_code temporary(std::string& name) const;
  /// Opens one folder below the other.
  std::error_code open_folders(const sys::File& from, std::string_view path, sys::File& out) const;

 private:
  std::shared_ptr<const sys::File> opened();
  void refuse_shared(const sys::File& root) const;
  void refuse_exposed(const sys::File& root) const;
  [[nodiscard]] std::vector<std::string> exposures(const sys::File& root) const;
  [[nodiscard]] bool is_in_place(const RunSite& site, const OpenRun& run) const;

  FileStoreOptions options_;
  const StoreKind& kind_;
  std::shared_ptr<sys::FileSystem> files_;
  std::shared_ptr<sys::Clock> clock_;
  std::shared_ptr<sys::Process> process_;
  std::shared_ptr<sys::Random> random_;
  std::string shown_;  ///< the folder as the program named it
  std::string path_;   ///< the same, absolute

  mutable std::mutex guard_;
  std::shared_ptr<const sys::File> root_;
  std::map<std::string, std::shared_ptr<const OpenRun>> runs_;  ///< a few, by folder name
  std::map<std::string, std::uint64_t> fences_;
};

}  // namespace resumable::store
