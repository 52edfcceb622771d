#include "store/backend.hpp"

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "store/layout.hpp"
#include "store/names.hpp"

namespace resumable::inline v0::store {
namespace {

/// The test's own object, or one that is ours.
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

Backend::Backend(const std::filesystem::path& folder, const FileStoreOptions& given)
    : options_(given),
      files_(given_or_posix(given.files)),
      clock_(given_or<sys::SystemClock>(given.clock)),
      process_(given_or<sys::SystemProcess>(given.process)),
      random_(given_or<sys::SystemRandom>(given.random)),
      shown_(folder.string()) {
  if (shown_.empty() || shown_.find('\0') != std::string::npos) {
    throw Error(Errc::bad_option, {.what = "a file store needs the path of a folder"});
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
  if (!root && options_.make == MakeStore::never) {
    throw Error(Errc::store_failed,
                {.what = fmt::format("there is no store at {}", shown_),
                 .file = shown_,
                 .next = "make the folder, or look for a slip in its name",
                 .cause = std::make_error_code(std::errc::no_such_file_or_directory)});
  }
  if (!root) {
    sys::File made;
    if (const auto error = sys::open_or_make_root(*files_, path_, made)) {
      throw Error(Errc::store_failed, {.what = fmt::format("the store {} cannot be made", shown_),
                                       .operation = "mkdir",
                                       .file = shown_,
                                       .next = advice(error),
                                       .cause = error});
    }
    root = root_ = std::make_shared<const sys::File>(std::move(made));
  }
  refuse_shared(*root);
  return root;
}

void Backend::refuse_shared(const sys::File& root) const {
  if (options_.shared == SharedFileSystem::allow) return;
  sys::Volume volume;
  const auto error = files_->volume(root, volume);
  if (!error && !volume.shared) return;
  throw Error(Errc::store_failed,
              {.what = fmt::format("the store {} is on a file system that other hosts may write"
                                   " to{}{}",
                                   shown_, volume.type.empty() ? "" : ": ", volume.type),
               .operation = error ? "statfs" : "",
               .file = shown_,
               .kept = "nothing was changed",
               .next = "use a local folder, or set FileStoreOptions::shared where locks and syncs"
                       " are known to work",
               .cause = error});
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

}  // namespace resumable::inline v0::store
