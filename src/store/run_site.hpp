/// @file
/// The location of a run, and the errors that name it.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "resumable/error.hpp"
#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::store {

/// What a user can do about an error of the operating system.
[[nodiscard]] RESUMABLE_EXPORT std::string advice(std::error_code cause);

inline bool is_absent(std::error_code error) noexcept {
  return error == std::errc::no_such_file_or_directory;
}

/// Whether something is there that is not a file: a folder, a link, a FIFO.
[[nodiscard]] bool is_odd_file(std::error_code error) noexcept;

struct RESUMABLE_EXPORT RunSite {
  std::string store;  ///< the folder as the program named it
  std::string run;    ///< the id
  std::string name;   ///< of the run's folder, and in messages: encode_run(run)

  /// Of the file store.
  [[nodiscard]] std::string folder() const { return store + '/' + name; }
  [[nodiscard]] std::string own(std::string_view file = "") const;
  [[nodiscard]] std::string record(RecordId id) const;

  /// `info` with the run in it.
  [[nodiscard]] Error error(Errc code, ErrorInfo info) const;
  /// Something could not be written.
  [[nodiscard]] Error failed(std::string operation, std::string file, std::error_code cause) const;
  [[nodiscard]] Error unreadable(std::string operation, std::string file,
                                 std::error_code cause) const;
  [[nodiscard]] Error damaged(RecordId id, std::string file, std::string why) const;
  [[nodiscard]] Error newer(RecordId id, std::string file) const;
  /// Of a record that a scan would report with this damage.
  [[nodiscard]] Error bad(RecordId id, std::string file, Damage damage,
                          std::error_code cause) const;
  [[nodiscard]] Error busy(const Owner& owner) const;
  [[nodiscard]] Error unknown() const;
  [[nodiscard]] Error exists() const;
  [[nodiscard]] Error twin(std::string_view of) const;
  [[nodiscard]] Error record_exists(RecordId id, std::string file) const;
  [[nodiscard]] Error forked() const;
};

}  // namespace resumable::store
