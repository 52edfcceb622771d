#include "sys/mounts.hpp"

#include <algorithm>
#include <array>

namespace resumable::sys {
namespace {

/// What stands before `end`, which is taken out of the text with it.
std::string_view cut(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return head;
}

bool has_option(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    if (cut(options, ',') == wanted) return true;
  }
  return false;
}

/// Options with which a client keeps locks to itself.
struct LocalLocks {
  std::string_view type;
  std::string_view option;
};
constexpr std::array of_options{
    LocalLocks{"nfs", "local_lock=all"},  LocalLocks{"nfs", "local_lock=posix"},
    LocalLocks{"nfs4", "local_lock=all"}, LocalLocks{"nfs4", "local_lock=posix"},
    LocalLocks{"nfs", "nolock"},          LocalLocks{"lustre", "localflock"},
    LocalLocks{"cifs", "nobrl"},          LocalLocks{"smb3", "nobrl"},
    LocalLocks{"gfs2", "localflocks"},    LocalLocks{"ocfs2", "localflocks"},
};
/// Whose servers know no locks: the kernel then keeps them.
constexpr std::array without_locks{
    std::string_view{"fuse.sshfs"},  std::string_view{"fuse.s3fs"},
    std::string_view{"fuse.rclone"}, std::string_view{"fuse.gcsfuse"},
    std::string_view{"fuse.goofys"},
};

std::string why(std::string_view type, std::string_view options) {
  for (const LocalLocks& one : of_options) {
    if (one.type == type && has_option(options, one.option)) {
      return std::string{type} + " mounted with " + std::string{one.option};
    }
  }
  if (type == "lustre" && !has_option(options, "flock")) return "lustre mounted without flock";
  return std::ranges::count(without_locks, type) > 0 ? std::string{type} : std::string{};
}

}  // namespace

std::string locks_of_one_host(std::string_view mountinfo, std::uint32_t major,
                              std::uint32_t minor) {
  const std::string device = std::to_string(major) + ':' + std::to_string(minor);
  while (!mountinfo.empty()) {
    std::string_view line = cut(mountinfo, '\n');
    cut(line, ' ');  // the mount's number, and its parent's
    cut(line, ' ');
    if (cut(line, ' ') != device) continue;
    constexpr std::string_view mark = " - ";  // optional fields end here
    const std::size_t at = line.find(mark);
    if (at == line.npos) continue;
    line.remove_prefix(at + mark.size());
    const std::string_view type = cut(line, ' ');
    cut(line, ' ');  // the source
    if (std::string found = why(type, cut(line, ' ')); !found.empty()) return found;
  }
  return {};
}

}  // namespace resumable::sys
