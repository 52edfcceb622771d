#include "exports/marks.hpp"

#include <utility>

#include "core/key.hpp"
#include "core/little_endian.hpp"
#include "exports/folder.hpp"

namespace resumable::exports {
namespace {

// docs/format.md specifies the bytes of a mark.
constexpr std::size_t check_bytes = 8;
constexpr std::size_t digest_bytes = 16;
constexpr std::size_t order_at = check_bytes;
constexpr std::size_t placed_at = order_at + 8;
constexpr std::size_t path_at = placed_at + 8;
constexpr std::size_t content_at = path_at + digest_bytes;
constexpr std::size_t mark_bytes = content_at + digest_bytes;
/// A smaller file is not worth shrinking.
constexpr std::uint64_t small_bytes = std::uint64_t{64} << 10U;

constexpr const char* marks_folder = "exports";

std::string_view text_of(const Digest& one) {
  return {reinterpret_cast<const char*>(one.bytes.data()), digest_bytes};
}

Digest digest_at(std::string_view bytes, std::size_t at) {
  Digest one;
  bytes.copy(reinterpret_cast<char*>(one.bytes.data()), digest_bytes, at);
  return one;
}

std::string encode(const Digest& path, const Mark& mark) {
  std::string bytes(path_at, '\0');
  core::store_little(bytes.data() + order_at, mark.order);
  bytes[placed_at] = mark.placed ? '\1' : '\0';
  bytes += text_of(path);
  bytes += text_of(mark.content);
  const Digest check = digest(std::string_view{bytes}.substr(check_bytes));
  bytes.replace(0, check_bytes, text_of(check).substr(0, check_bytes));
  return bytes;
}

bool is_whole(std::string_view bytes) {
  const Digest check = digest(bytes.substr(check_bytes));
  return bytes.substr(0, check_bytes) == text_of(check).substr(0, check_bytes);
}

}  // namespace

void Marks::of_run(std::string_view uid) {
  const std::scoped_lock lock{guard_};
  const std::string name = uid.empty() ? std::string{} : digest(uid).hex();
  if (name == name_) return;
  name_ = name;
  known_.reset();
  static_cast<void>(file_.close());
}

/// Those that are whole; of several for a path the last one.
std::error_code Marks::read(Known& known, std::uint64_t& size) const {
  std::string bytes;
  const auto error =
      folder_.read(std::string{core::own_folder} + "/" + marks_folder + "/" + name_, bytes);
  if (error == std::errc::no_such_file_or_directory) return {};
  if (error) return error;
  size = bytes.size();
  for (std::size_t at = 0; at + mark_bytes <= bytes.size(); at += mark_bytes) {
    const std::string_view one = std::string_view{bytes}.substr(at, mark_bytes);
    if (!is_whole(one)) continue;
    known.insert_or_assign(
        digest_at(one, path_at),
        Mark{digest_at(one, content_at), core::load_little<std::uint64_t>(one.data() + order_at),
             one[placed_at] == '\1'});
  }
  return {};
}

std::error_code Marks::find(std::string_view path, Mark& out) {
  const std::scoped_lock lock{guard_};
  out = {};
  if (name_.empty()) return {};
  if (!known_) {
    Known known;
    std::uint64_t size = 0;
    if (const auto error = read(known, size)) return error;
    known_ = std::move(known);
  }
  if (const auto found = known_->find(digest(path)); found != known_->end()) out = found->second;
  return {};
}

/// For writing; a torn mark at the end is written over.
std::error_code Marks::open() {
  Known known;
  std::uint64_t size = 0;
  if (const auto error = read(known, size)) return error;
  sys::FileSystem& system = folder_.system_;
  sys::File folder;
  auto error = folder_.open_own(marks_folder, folder);
  if (error) return error;
  if (size > small_bytes && size / mark_bytes > 2 * known.size()) shrink(folder, known);
  error = system.open(folder, name_, sys::Open::read_write, file_);
  if (error == std::errc::no_such_file_or_directory) {
    error = system.open(folder, name_, sys::Open::new_private, file_);
    if (!error) error = system.sync_folder(folder);
  }
  sys::Stat stat;
  if (!error) error = system.stat(file_, stat);
  if (error) static_cast<void>(file_.close());
  end_ = stat.size - stat.size % mark_bytes;
  known_ = std::move(known);
  return error;
}

/// Leaves out the marks that later ones have replaced. If it fails, they stay.
void Marks::shrink(const sys::File& folder, const Known& known) {
  sys::FileSystem& system = folder_.system_;
  const std::string fresh = name_ + ".new";
  std::string bytes;
  for (const auto& [path, mark] : known) bytes += encode(path, mark);
  sys::UnnamedFile file;
  static_cast<void>(system.unlink(folder, fresh));  // left by a process that was killed here
  const bool written = !file.open(system, folder, fresh, sys::Open::new_private) &&
                       !file.write(0, bytes) && !file.sync() && !file.close();
  if (written) static_cast<void>(file.replace(folder, name_));
}

std::error_code Marks::note(std::string_view path, const Mark& mark) {
  const std::scoped_lock lock{guard_};
  if (name_.empty()) return {};
  if (!file_) {
    if (const auto error = open()) return error;
  }
  const Digest place = digest(path);
  if (const auto error = sys::write_fully(folder_.system_, file_, end_, encode(place, mark))) {
    return error;
  }
  end_ += mark_bytes;
  known_->insert_or_assign(place, mark);
  noted_ = true;
  return {};
}

void Marks::sync() {
  const std::scoped_lock lock{guard_};
  if (!std::exchange(noted_, false)) return;
  static_cast<void>(folder_.system_.sync_data(file_));
}

}  // namespace resumable::exports
