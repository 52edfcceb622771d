/// @file
/// Every system call of this process that changes a file, made by anyone, SQLite included: a child
/// process can be killed before any of them, or have any of them fail.
#pragma once

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

}  // namespace resumable::test
