#include "sqlite/open_files.hpp"

#include <algorithm>

namespace resumable::sqlite {

OpenFiles::OpenFiles(const std::string& database) {
  const std::string path = sys::absolute_path(database);
  files_ = {Named{path, look_at(path)}, Named{path + "-wal", look_at(path + "-wal")},
            Named{path + "-shm", look_at(path + "-shm")}};
}

sys::Stat OpenFiles::look_at(const std::string& path) {
  sys::Stat stat;
  return sys::stat_path(path, stat) ? sys::Stat{} : stat;
}

bool OpenFiles::in_place() const {
  return std::ranges::all_of(files_, [](const Named& file) { return file.in_place(); });
}

bool OpenFiles::only_log_is_gone() const {
  const auto& [database, log, index] = files_;
  return database.in_place() && !log.in_place() && index.in_place();
}

bool OpenFiles::unchanged() const {
  const Named& database = files_.front();
  const sys::Stat now = look_at(database.path);
  return in_place() && now.size == database.stat.size && now.changed == database.stat.changed;
}

}  // namespace resumable::sqlite
