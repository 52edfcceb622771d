#include "resumable/file.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/record_format.hpp"
#include "core/remedy.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/detail/json_shape.hpp"
#include "resumable/error.hpp"
#include "sys/file_system.hpp"
#include "sys/random.hpp"
#include "sys/unnamed_file.hpp"

namespace resumable {
inline namespace v0 {
namespace {

/// Throws `code` for what happened to the file at `path`.
[[noreturn]] void refuse(Errc code, std::string what, const std::string& path,
                         std::string operation, std::error_code cause) {
  throw Error(code, {.what = std::move(what),
                     .operation = std::move(operation),
                     .file = path,
                     .next = core::remedy(cause, ""),
                     .cause = cause});
}

/// The folder of a path that a person named, and a name in it.
struct FilePlace {
  std::string path;
  std::string folder;
  std::string name;
};

FilePlace file_place(const std::string& path) {
  FilePlace place{.path = sys::absolute_path(path), .folder = {}, .name = {}};
  const auto slash = place.path.rfind('/');
  if (path.empty() || slash == std::string::npos || slash + 1 == place.path.size()) {
    refuse(Errc::unreadable, "'" + path + "' names no file", path, {}, {});
  }
  place.folder = slash == 0 ? "/" : place.path.substr(0, slash);
  place.name = place.path.substr(slash + 1);
  return place;
}

std::error_code open_file(sys::FileSystem& system, const FilePlace& place, sys::File& file,
                          sys::Stat& stat) {
  sys::File folder;
  if (const auto error = system.open_root(place.folder, folder)) return error;
  if (const auto error = system.open(folder, place.name, sys::Open::read, file)) return error;
  return system.stat(file, stat);
}

/// The bytes of a file outside the store. It is opened for each piece, so that a thousand of them
/// hold no descriptors, and it must not change.
class DiskPayload final : public Payload {
 public:
  explicit DiskPayload(const std::string& path) : place_(file_place(path)) {
    sys::File file;
    if (const auto error = open_file(*system_, place_, file, first_)) {
      refuse(Errc::unreadable, "the file cannot be read", place_.path, "open", error);
    }
  }

  [[nodiscard]] std::uint64_t size() const override { return first_.size; }

  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    sys::File file;
    sys::Stat now;
    if (const auto error = open_file(*system_, place_, file, now)) {
      refuse(Errc::unreadable, "the file cannot be read", place_.path, "open", error);
    }
    const std::uint64_t left = at < first_.size ? first_.size - at : 0;
    to = to.first(static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left)));
    std::size_t count = 0;
    if (const auto error = sys::read_fully(*system_, file, at, to, count)) {
      refuse(Errc::unreadable, "the file cannot be read", place_.path, "read", error);
    }
    const bool changed = !now.same_file(first_) || now.size != first_.size ||
                         now.modified != first_.modified || count < to.size();
    if (changed)
      refuse(Errc::unreadable, "the file changed since it was named", place_.path, {}, {});
    return count;
  }

 private:
  std::unique_ptr<sys::FileSystem> system_ = sys::posix_file_system();
  FilePlace place_;
  sys::Stat first_;
};

/// A new file beside the target, which replaces it or is removed again.
class Replacement {
 public:
  explicit Replacement(const std::string& path) : place_(file_place(path)) {
    sys::SystemRandom random;
    std::string unique;
    check("getrandom", sys::random_name(random, unique));
    check("open", system_->open_root(place_.folder, folder_));
    check("open", file_.open(*system_, folder_, "." + unique + ".part", sys::Open::new_public));
  }

  void write(std::uint64_t at, std::string_view bytes) { check("write", file_.write(at, bytes)); }

  void finish() {
    check("rename", file_.replace(folder_, place_.name));
    check("close", file_.close());
  }

 private:
  void check(const char* operation, std::error_code error) const {
    if (!error) return;
    refuse(Errc::store_failed, "the file cannot be written", place_.path, operation, error);
  }

  std::unique_ptr<sys::FileSystem> system_ = sys::posix_file_system();
  FilePlace place_;
  sys::File folder_;
  sys::UnnamedFile file_;
};

}  // namespace

File File::of(const std::filesystem::path& path) {
  return File(std::make_shared<const DiskPayload>(path.string()));
}

Digest File::digest() const { return core::digest_of(*bytes_); }

void File::copy_to(const std::filesystem::path& path) const {
  Replacement copy(path.string());
  core::for_each_piece(*bytes_,
                       [&](std::uint64_t at, std::string_view piece) { copy.write(at, piece); });
  copy.finish();
}

namespace detail {
namespace {

std::uint64_t& in_place_count() noexcept {
  thread_local std::uint64_t count = 0;
  return count;
}

}  // namespace

std::uint64_t encoded_in_place() noexcept { return in_place_count(); }
void note_encoded_in_place() noexcept { ++in_place_count(); }

}  // namespace detail

InPlaceFile InPlaceFile::of(const std::filesystem::path& path) {
  const DiskPayload bytes(path.string());
  return {.path = path.string(), .size = bytes.size(), .digest = core::digest_of(bytes)};
}

bool InPlaceFile::verify() const {
  try {
    const DiskPayload bytes(path);
    return bytes.size() == size && core::digest_of(bytes) == digest;
  } catch (const Error& error) {
    if (error.info().cause == std::errc::no_such_file_or_directory) return false;
    throw;
  }
}

std::string Codec<InPlaceFile>::encode(const InPlaceFile& file) {
  return detail::encode_json(file);
}

InPlaceFile Codec<InPlaceFile>::decode(std::string_view bytes) {
  return detail::decode_json<InPlaceFile>(bytes, 1);
}

}  // namespace v0
}  // namespace resumable
