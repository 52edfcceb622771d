/// @file
/// What a run has put in the places of its artifacts, recorded beside them and not in the store.
///
/// The records of a store do not always tell what a file was when a user edited it:
///  - A store can lose its last records: a log is cut, a database is restored from an older copy.
///    Then a file that these records exported is newer than every record that is left, and looks as
///    if a user had edited what an earlier stage exported.
///  - A process that is killed after it has put a file in place has not recorded that yet.
///
/// A mark has the path, the digest of the content, and the order that the record of the export has.
/// One is written before a file is put in place, and another one, `placed`, afterwards. If no
/// record has made what the last mark names, that record is lost, and the file is not an edit of
/// what the others say (ExportLedger::doubt()).
///
/// Marks are evidence that can only prevent a mistake: without them the records decide alone. So a
/// mark takes one write and no sync; all are synced once, when the call ends.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "resumable/digest.hpp"
#include "sys/file_system.hpp"

namespace resumable::exports {

class Folder;

struct Mark {
  Digest content;
  std::uint64_t order = 0;  ///< 0: nothing is known of the path
  bool placed = false;      ///< otherwise it may be there, or what was there before
};

/// The marks of one run. Safe to use from several threads.
class Marks {
 public:
  /// `folder` must outlive it.
  explicit Marks(const Folder& folder) : folder_(folder) {}

  /// Whose marks these are, by the run's uid. Without it there are none.
  void of_run(std::string_view uid);
  /// The name of their file: the digest of the run's uid.
  [[nodiscard]] std::string of() {
    const std::scoped_lock lock{guard_};
    return name_;
  }
  /// The last mark of a path, of order 0 if there is none. Reads all marks when it is called for
  /// the first time.
  std::error_code find(std::string_view path, Mark& out);
  /// Only by the owner of the run.
  std::error_code note(std::string_view path, const Mark& mark);
  /// What was noted survives power loss from now on, if the disk allows it.
  void sync();

 private:
  using Known = std::map<Digest, Mark>;

  std::error_code read(Known& known, std::uint64_t& size) const;
  std::error_code open();
  void shrink(const sys::File& folder, const Known& known);

  const Folder& folder_;
  std::mutex guard_;
  std::string name_;            ///< of the file; "": the run has no uid yet
  std::optional<Known> known_;  ///< by the digest of the path; what was read, and noted since
  sys::File file_;              ///< open for writing after the first note
  std::uint64_t end_ = 0;
  bool noted_ = false;  ///< since the last sync
};

}  // namespace resumable::exports
