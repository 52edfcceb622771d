/// @file
/// Every system call of this process that changes a file, made by anyone, SQLite included: a child
/// process can be killed before any of them, or have any of them fail.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace resumable::test {

/// Kills this process before its nth call from now.
void kill_before_call(int nth);

/// How a call fails.
struct CallFault {
  int at = 0;                 ///< which call from now, from 1
  int error = 0;              ///< its errno
  bool from_then_on = false;  ///< and all later ones
  int kill_after = 0;         ///< kills this process before that many calls more; 0: it lives
};
void fail_call(const CallFault& fault);

/// A call that has changed, or synced, something below a folder.
struct Change {
  enum class Kind : std::uint8_t {
    create,
    write,
    truncate,
    sync,
    unlink,
    make_folder,
    remove_folder,
    link,
    rename,
    exchange
  } kind;
  std::string path;      ///< below the folder; "" is itself
  std::string to{};      ///< of link, rename and exchange
  std::uint64_t at = 0;  ///< where bytes were written, or the new size
  std::string bytes{};
};

/// Visits all of them from now on, one at a time and in order; with {} no longer.
void watch_changes(const std::string& folder, std::function<void(Change)> visit);

}  // namespace resumable::test
