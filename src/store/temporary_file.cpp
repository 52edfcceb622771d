#include "store/temporary_file.hpp"

#include "store/names.hpp"

namespace resumable::inline v0::store {

TemporaryFile::TemporaryFile(const Backend& backend, const RunSite& site, const sys::File& folder)
    : backend_(backend), site_(site), folder_(folder) {
  must("getrandom", backend.temporary(name_));
  must("open", backend.files().open(folder, name_, sys::Open::new_private, file_));
  present_ = true;
}

TemporaryFile::~TemporaryFile() {
  if (present_) static_cast<void>(backend_.files().unlink(folder_, name_));
}

void TemporaryFile::must(const char* operation, std::error_code error) const {
  if (error) throw site_.failed(operation, site_.own(names::temporary + '/' + name_), error);
}

std::error_code TemporaryFile::rename_to_free(const sys::File& folder, const std::string& name) {
  const auto error = sys::rename_to_free(backend_.files(), folder_, name_, folder, name);
  present_ = static_cast<bool>(error);
  return error;
}

std::error_code TemporaryFile::replace(const sys::File& folder, const std::string& name) {
  const auto error = backend_.files().rename(folder_, name_, folder, name, sys::Rename::replace);
  present_ = static_cast<bool>(error);
  return error;
}

}  // namespace resumable::inline v0::store
