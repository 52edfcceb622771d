#include "sys/unnamed_file.hpp"

#include <utility>

namespace resumable::sys {

UnnamedFile::~UnnamedFile() {
  if (present_) static_cast<void>(files_->unlink(*folder_, name_));
}

std::error_code UnnamedFile::open(FileSystem& files, const File& folder, std::string name,
                                  Open how) {
  files_ = &files;
  folder_ = &folder;
  name_ = std::move(name);
  const auto error = files.open(folder, name_, how, file_);
  present_ = !error;
  return error;
}

std::error_code UnnamedFile::write(std::uint64_t at, std::string_view bytes) {
  return write_fully(*files_, file_, at, bytes);
}

std::error_code UnnamedFile::sync() { return files_->sync(file_); }

std::error_code UnnamedFile::take_free_name(const File& folder, const std::string& name) {
  const auto error = folder.descriptor() == folder_->descriptor()
                         ? rename_to_free(*files_, *folder_, name_, folder, name)
                         : move_to_free(*files_, *folder_, name_, folder, name);
  present_ = static_cast<bool>(error);
  return error;
}

std::error_code UnnamedFile::replace(const File& folder, const std::string& name) {
  const auto error = files_->rename(*folder_, name_, folder, name, Rename::replace);
  present_ = static_cast<bool>(error);
  return error;
}

}  // namespace resumable::sys
