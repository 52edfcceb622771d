/// @file
/// What a file store, its leases and its payloads share: the machine, and the open folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "resumable/file_store.hpp"
#include "store/run_site.hpp"
#include "sys/clock.hpp"
#include "sys/file_system.hpp"
#include "sys/process.hpp"
#include "sys/random.hpp"

namespace resumable::inline v0::store {

class Backend {
 public:
  /// @throws Error{Errc::bad_option}
  Backend(const std::filesystem::path& folder, const FileStoreOptions& given);

  [[nodiscard]] sys::FileSystem& files() const noexcept { return *files_; }
  [[nodiscard]] sys::Clock& clock() const noexcept { return *clock_; }
  [[nodiscard]] sys::Process& process() const noexcept { return *process_; }
  [[nodiscard]] const std::string& shown() const noexcept { return shown_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// @throws Error{Errc::bad_name}
  [[nodiscard]] RunSite site(std::string_view run) const;

  /// The store's folder for reading, nullptr when there is none. Opened once, so that no link that
  /// is put in its place later leads elsewhere; again only after it was removed.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}
  std::shared_ptr<const sys::File> root();
  /// The same for writing: made where `make` and the options allow it, else nullptr.
  /// @throws Error{Errc::store_failed}, Error{Errc::newer}, Error{Errc::unreadable}
  std::shared_ptr<const sys::File> root_for_writing(bool make);

  /// A file's whole content, nullopt when it is absent. EFBIG over `limit` bytes.
  std::error_code read_file(const sys::File& folder, const std::string& name, std::uint64_t limit,
                            std::optional<std::string>& out) const;
  /// A name for a temporary file that nobody else has.
  std::error_code temporary(std::string& name) const;
  /// Opens one folder below the other.
  std::error_code open_folders(const sys::File& from, std::string_view path, sys::File& out) const;

 private:
  std::shared_ptr<const sys::File> opened();
  void refuse_shared(const sys::File& root) const;

  FileStoreOptions options_;
  std::shared_ptr<sys::FileSystem> files_;
  std::shared_ptr<sys::Clock> clock_;
  std::shared_ptr<sys::Process> process_;
  std::shared_ptr<sys::Random> random_;
  std::string shown_;  ///< the folder as the host named it
  std::string path_;   ///< the same, absolute

  std::mutex guard_;
  std::shared_ptr<const sys::File> root_;
};

}  // namespace resumable::inline v0::store
