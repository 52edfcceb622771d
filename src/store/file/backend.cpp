#include "store/file/backend.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/remedy.hpp"
#include "core/run_id.hpp"
#include "store/file/layout.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr std::size_t max_open_runs = 4;

/// The object given by a test, or our own.
template <class Ours, class Interface>
std::shared_ptr<Interface> given_or(Interface* given) {
  if (given != nullptr) return {given, [](Interface*) {}};
  return std::make_shared<Ours>();
}

std::shared_ptr<sys::FileSystem> given_or_posix(sys::FileSystem* given) {
  if (given != nullptr) return {given, [](sys::FileSystem*) {}};
  return sys::posix_file_system();
}

}  // namespace

Backend::Backend(const std::filesystem::path& folder, const FileStoreOptions& given,
                 const StoreKind& kind)
    : options_(given),
      kind_(kind),
      files_(given_or_posix(given.files)),
      clock_(given_or<sys::SystemClock>(given.clock)),
      process_(given_or<sys::SystemProcess>(given.process)),
      random_(given_or<sys::SystemRandom>(given.random)),
      shown_(folder.string()) {
  if (shown_.empty() || shown_.find('\0') != std::string::npos) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("a {} store needs the path of a folder", kind_.name)});
  }
  while (shown_.size() > 1 && shown_.ends_with('/')) shown_.pop_back();
  path_ = sys::absolute_path(shown_);
}

RunSite Backend::site(std::string_view run) const {
  return {shown_, std::string(run), core::encode_run(run)};
}

std::shared_ptr<const sys::File> Backend::opened() {
  sys::Stat found;
  if (root_ && !files_->stat(*root_, found) && found.links > 0) return root_;
  root_ = nullptr;
  sys::File file;
  const auto error = files_->open_root(path_, file);
  if (is_absent(error)) return nullptr;
  if (error) {
    throw Error(Errc::unreadable, {.what = fmt::format("the store {} cannot be opened", shown_),
                                   .operation = "open",
                                   .file = shown_,
                                   .kept = "nothing was changed",
                                   .next = advice(error),
                                   .cause = error});
  }
  refuse_newer_layout(*this, file);
  root_ = std::make_shared<const sys::File>(std::move(file));
  return root_;
}

std::shared_ptr<const sys::File> Backend::root() {
  const std::lock_guard lock(guard_);
  return opened();
}

std::shared_ptr<const sys::File> Backend::root_for_writing(bool make) {
  const std::lock_guard lock(guard_);
  auto root = opened();
  if (!root && !make) return nullptr;
  if (!root && options_.create == CreateStore::never) {
    throw Error(Errc::store_failed,
                {.what = fmt::format("there is no store at {}", shown_),
                 .file = shown_,
                 .next = "create the folder, or check its name for a typo",
                 .cause = std::make_error_code(std::errc::no_such_file_or_directory)});
  }
  if (!root) {
    sys::File made;
    if (const auto error = sys::open_or_make_root(*files_, path_, made)) {
      throw Error(Errc::store_failed,
                  {.what = fmt::format("the store {} cannot be created", shown_),
                   .operation = "mkdir",
                   .file = shown_,
                   .next = core::remedy(error, "check the path") + ", then run again",
                   .cause = error});
    }
    root = root_ = std::make_shared<const sys::File>(std::move(made));
  }
  refuse_shared(*root);
  refuse_exposed(*root);
  return root;
}

bool Backend::is_in_place(const RunSite& site, const OpenRun& run) const {
  sys::Stat found;
  if (files_->stat(*root_, site.name, found) || !found.same_file(run.run_stat)) return false;
  return !files_->stat(run.run, names::own, found) && found.same_file(run.own_stat);
}

std::shared_ptr<const OpenRun> Backend::open_run(const RunSite& site) {
  const std::scoped_lock lock{guard_};
  const auto known = runs_.find(site.name);
  if (root_ && known != runs_.end() && is_in_place(site, *known->second)) return known->second;
  if (known != runs_.end()) runs_.erase(known);
  if (!opened()) return nullptr;
  auto run = std::make_shared<OpenRun>();
  auto error = files_->open(*root_, site.name, sys::Open::folder, run->run);
  if (!error) error = files_->open(run->run, names::own, sys::Open::folder, run->own);
  if (!error) error = files_->stat(run->run, run->run_stat);
  if (!error) error = files_->stat(run->own, run->own_stat);
  if (is_absent(error)) return nullptr;
  if (error) throw site.unreadable("open", site.own(), error);
  refuse_other_kind(site, run->own);
  if (runs_.size() >= max_open_runs) runs_.erase(runs_.begin());
  runs_[site.name] = run;
  return run;
}

void Backend::refuse_other_kind(const RunSite& site, const sys::File& own) const {
  sys::Stat found;
  const bool cache = site.run == names::cache_run;  // files in both
  if (cache || files_->stat(own, kind_.others, found)) return;
  const StoreKind& other = &kind_ == &file_kind ? journal_kind : file_kind;
  throw site.error(
      Errc::foreign,
      {.what = fmt::format("run {} was written as {}:{}, and cannot be opened as {}:{}", site.name,
                           other.name, shown_, kind_.name, shown_),
       .file = site.own(kind_.others),
       .kept = "nothing was changed",
       .next = fmt::format("name the store {}:{}", other.name, shown_)});
}

std::optional<std::uint64_t> Backend::seen_fence(const RunSite& site) const {
  const std::scoped_lock lock{guard_};
  const auto found = fences_.find(site.name);
  return found == fences_.end() ? std::nullopt : std::optional{found->second};
}

void Backend::note_fence(const RunSite& site, std::uint64_t fence) {
  const std::scoped_lock lock{guard_};
  std::uint64_t& highest = fences_[site.name];
  highest = std::max(highest, fence);
}

std::vector<std::string> Backend::exposures(const sys::File& root) const {
  constexpr std::uint32_t others_write = 0002;
  constexpr std::uint32_t sticky = 01000;
  std::vector<std::string> found;
  sys::Stat stat;
  sys::Stat above;
  sys::File parent;
  if (!files_->stat(root, stat)) {
    if ((stat.mode & others_write) != 0) {
      found.push_back(
          fmt::format("every user of this machine may write to the store {} (chmod o-w"
                      " ends that)",
                      shown_));
    }
    if (stat.user != process_->user()) {
      found.push_back(
          fmt::format("the store {} belongs to user {}, and this process runs as user"
                      " {}",
                      shown_, stat.user, process_->user()));
    }
  }
  if (!files_->open_root(path_ + "/..", parent) && !files_->stat(parent, above) &&
      (above.mode & others_write) != 0 && (above.mode & sticky) == 0) {
    found.push_back(
        fmt::format("any user on this machine can replace the store {}: the folder"
                    " that it is in is open to all",
                    shown_));
  }
  return found;
}

std::vector<std::string> Backend::warnings() {
  const auto folder = root();
  return folder ? exposures(*folder) : std::vector<std::string>{};
}

void Backend::refuse_exposed(const sys::File& root) const {
  if (options_.exposed == ExposedFolder::warn) return;
  const auto found = exposures(root);
  if (found.empty()) return;
  throw Error(Errc::store_failed, {.what = found.front(),
                                   .file = shown_,
                                   .kept = "nothing was changed",
                                   .next = "let only this user write there, or allow it",
                                   .advice = {{.option = Option::exposed_folder}}});
}

void Backend::refuse_shared(const sys::File& root) const {
  sys::Volume volume;
  const auto error = files_->volume(root, volume);
  if (options_.shared == SharedFileSystem::allow) {
    if (error || volume.local_locks.empty()) return;
    throw Error(Errc::store_failed,
                {.what = fmt::format("the locks of the store {} hold on this host only: {}", shown_,
                                     volume.local_locks),
                 .file = shown_,
                 .kept = "nothing was changed: two hosts could work on one run at the same time",
                 .next = "have it mounted so that locks hold on all hosts, or use another folder"});
  }
  if (error) {
    throw Error(
        Errc::store_failed,
        {.what = fmt::format("it is not known whether other hosts may write to the file"
                             " system of the store {}",
                             shown_),
         .operation = "statfs",
         .file = shown_,
         .kept = "nothing was changed",
         .next = advice(error),
         .advice = {{.option = Option::shared_folder, .purpose = "if locks and syncs work on it"}},
         .cause = error});
  }
  if (!volume.shared) return;
  throw Error(Errc::store_failed,
              {.what = fmt::format("the store {} is on a file system that other hosts may write"
                                   " to{}{}",
                                   shown_, volume.type.empty() ? "" : ": ", volume.type),
               .file = shown_,
               .kept = "nothing was changed",
               .next = "use a local folder, or allow this one if locks and syncs work on it:"
                       " ?shared=yes in the URL of the store",
               .advice = {{.option = Option::shared_folder}}});
}

std::error_code Backend::read_file(const sys::File& folder, const std::string& name,
                                   std::uint64_t limit, std::optional<std::string>& out) const {
  out.reset();
  sys::File file;
  auto error = files_->open(folder, name, sys::Open::read, file);
  if (error) return is_absent(error) ? std::error_code{} : error;
  sys::Stat found;
  if (error = files_->stat(file, found); error) return error;
  if (found.size > limit) return std::make_error_code(std::errc::file_too_large);
  std::string content(found.size, '\0');
  std::size_t count = 0;
  if (error = sys::read_fully(*files_, file, 0, content, count); error) return error;
  content.resize(count);
  out = std::move(content);
  return {};
}

std::error_code Backend::temporary(std::string& name) const {
  std::string random;
  const auto error = sys::random_name(*random_, random);
  name = temporary_name(random);
  return error;
}

std::error_code Backend::open_folders(const sys::File& from, std::string_view path,
                                      sys::File& out) const {
  const sys::File* parent = &from;
  for (;;) {
    const std::size_t slash = path.find('/');
    sys::File child;
    const auto error =
        files_->open(*parent, std::string(path.substr(0, slash)), sys::Open::folder, child);
    if (error) return error;
    out = std::move(child);
    parent = &out;
    if (slash == std::string_view::npos) return {};
    path.remove_prefix(slash + 1);
  }
}

}  // namespace resumable::store
