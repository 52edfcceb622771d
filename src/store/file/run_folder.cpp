#include "store/file/run_folder.hpp"

#include "core/run_id.hpp"
#include "store/file/removal.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

class Opener {
 public:
  Opener(Backend& backend, const RunSite& site, Create create)
      : backend_(backend), files_(backend.files()), site_(site), create_(create) {
    root_ = backend.root_for_writing(create != Create::never);
    if (!root_) throw site_.unknown();
  }

  RunFolders open() {
    open_run();
    RunFolders folders;
    folders.own = own_folder();
    backend_.refuse_other_kind(site_, folders.own);
    folders.records = child(folders.own, backend_.kind().records);
    folders.temporary = child(folders.own, names::temporary);
    // Also if nothing was created now: a process may have died between creating and syncing.
    sync(folders.own, site_.own());
    sync(run_, site_.folder());
    sync(*root_, site_.store);
    folders.store = root_;
    folders.run = std::move(run_);
    return folders;
  }

 private:
  void must(const char* operation, const std::string& where, std::error_code error) const {
    if (error) throw site_.failed(operation, where, error);
  }

  void sync(const sys::File& folder, const std::string& where) const {
    must("fsync", where, files_.sync_folder(folder));
  }

  void open_run() {
    auto error = files_.open(*root_, site_.name, sys::Open::folder, run_);
    if (!is_absent(error)) return must("open", site_.folder(), error);
    if (create_ == Create::never) throw site_.unknown();
    refuse_twins();
    error = files_.make_folder(*root_, site_.name, sys::Access::by_umask);
    if (error != std::errc::file_exists) must("mkdir", site_.folder(), error);
    must("open", site_.folder(), files_.open(*root_, site_.name, sys::Open::folder, run_));
  }

  void refuse_twins() const {
    std::vector<sys::Entry> entries;
    must("list", site_.store, files_.list(*root_, entries));
    const std::string key = core::run_twin_key(site_.run);
    for (const sys::Entry& entry : entries) {
      if (entry.name == site_.name) continue;  // another process made it just now
      const auto run = core::decode_run(entry.name);
      if (core::run_twin_key(run ? *run : entry.name) == key) throw site_.twin(entry.name);
    }
  }

  /// A run exists once it has this folder: creating it reserves a new id.
  sys::File own_folder() const {
    sys::File own;
    auto error = files_.open(run_, names::own, sys::Open::folder, own);
    if (!is_absent(error)) {
      must("open", site_.own(), error);
      if (create_ == Create::must) throw site_.exists();
      return own;
    }
    static_cast<void>(finish_removal(backend_, site_, run_));
    if (create_ == Create::never) throw site_.unknown();
    if (create_ == Create::must) refuse_content();
    error = files_.make_folder(run_, names::own, sys::Access::owner_only);
    const bool exists = error == std::errc::file_exists;
    if (exists && create_ == Create::must) throw site_.exists();
    if (!exists) must("mkdir", site_.own(), error);
    must("open", site_.own(), files_.open(run_, names::own, sys::Open::folder, own));
    return own;
  }

  /// A person's folder cannot become a new run; an empty one was left by a process that died.
  void refuse_content() const {
    std::vector<sys::Entry> entries;
    must("list", site_.folder(), files_.list(run_, entries));
    if (!entries.empty()) throw site_.exists();
  }

  sys::File child(const sys::File& own, const std::string& name) const {
    sys::File folder;
    must("mkdir", site_.own(name),
         sys::open_or_make_folder(files_, own, name, sys::Access::owner_only, folder));
    return folder;
  }

  const Backend& backend_;
  sys::FileSystem& files_;
  const RunSite& site_;
  Create create_;
  std::shared_ptr<const sys::File> root_;
  sys::File run_;
};

}  // namespace

RunFolders open_run_for_lease(Backend& backend, const RunSite& site, Create create) {
  return Opener(backend, site, create).open();
}

}  // namespace resumable::store
