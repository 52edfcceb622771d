/// @file
/// Which file of `checkpoints/@batch/` holds a record: read once per file, then kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "store/file/record_file.hpp"

namespace resumable::store {

/// One batch file, as it was read.
struct BatchFile {
  std::string name;
  Front front;
};

/// Of one run. Safe to use from several threads. Batch files never change, and no name is used
/// twice during the life of a run; the inode is compared all the same when one is opened.
class BatchIndex {
 public:
  struct Spot {
    std::shared_ptr<const BatchFile> file;
    std::size_t number;  ///< in file->front.records
    [[nodiscard]] const Front::Record& record() const { return file->front.records[number]; }
  };

  [[nodiscard]] std::optional<Spot> find(RecordId id) const;
  /// nullptr when it is not known.
  [[nodiscard]] std::shared_ptr<const BatchFile> file(const std::string& name) const;
  /// Reads the files that are new in `checkpoints`, and forgets those that are gone. An error of
  /// one file does not keep it from the others.
  std::error_code refresh(sys::FileSystem& files, const sys::File& checkpoints);
  /// Forgets everything: a folder may have been replaced.
  void clear();
  void add(const std::shared_ptr<const BatchFile>& file);
  void drop(const std::string& file);

  /// Notes that a record is erased; true once all of its file are.
  bool erase(const Spot& spot);

 private:
  using Id = std::pair<std::string, std::uint64_t>;
  void drop_locked(const std::string& name);
  void add_locked(const std::shared_ptr<const BatchFile>& file);

  mutable std::mutex guard_;
  std::map<std::string, std::shared_ptr<const BatchFile>> files_;
  std::map<Id, Spot> spots_;
  std::map<std::string, std::set<std::size_t>> erased_;
};

}  // namespace resumable::store
