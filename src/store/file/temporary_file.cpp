#include "store/file/temporary_file.hpp"

#include "store/names.hpp"

namespace resumable::store {

TemporaryFile::TemporaryFile(const Backend& backend, const RunSite& site, const sys::File& folder)
    : site_(site) {
  std::string name;
  must("getrandom", backend.temporary(name));
  must("open", file_.open(backend.files(), folder, name, sys::Open::new_private));
}

void TemporaryFile::must(const char* operation, std::error_code error) const {
  if (error) throw site_.failed(operation, site_.own(names::temporary + '/' + file_.name()), error);
}

}  // namespace resumable::store
