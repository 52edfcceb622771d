/// @file
/// Whether the files of an open database still have their names.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "sys/file_system.hpp"

namespace resumable::sqlite {

/// The database, its log (`-wal`) and the log's index (`-shm`), as a connection has opened them.
/// SQLite keeps writing to files that were moved or removed, where nobody would find what it
/// writes. While a connection is open, SQLite itself neither removes nor replaces any of them.
class OpenFiles {
 public:
  OpenFiles() = default;
  /// To be called once a connection has read something: it opens the log only then.
  explicit OpenFiles(const std::string& database);

  /// Whether each of them is still what its name stands for.
  [[nodiscard]] bool in_place() const;
  /// Whether, besides, nobody has written to the database.
  [[nodiscard]] bool unchanged() const;
  /// Whether only the log is not.
  [[nodiscard]] bool only_log_is_gone() const;
  [[nodiscard]] bool same_database(const OpenFiles& other) const noexcept {
    return files_.front().stat.same_file(other.files_.front().stat);
  }

 private:
  struct Named {
    std::string path;
    sys::Stat stat;  ///< inode 0: it does not exist
    [[nodiscard]] bool in_place() const { return look_at(path).same_file(stat); }
  };
  static sys::Stat look_at(const std::string& path);

  std::array<Named, 3> files_;
};

}  // namespace resumable::sqlite
