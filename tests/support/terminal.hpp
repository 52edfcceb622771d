/// @file
/// A program on a terminal of its own.
#pragma once

#include <functional>
#include <string_view>

#include "support/child_process.hpp"
#include "support/screen.hpp"

namespace resumable::test {

/// A forked child whose stdin, stdout and stderr are a pseudo-terminal of this size. It runs `body`
/// and exits with what that returns. What it writes is shown on screen(). TERM is set in it;
/// NO_COLOR, CI and COLUMNS are not.
class Terminal {
 public:
  /// Whether this machine has pseudo-terminals. A chroot or a container may have none.
  [[nodiscard]] static bool is_available();
  Terminal(std::size_t columns, std::size_t rows, const std::function<int()>& body);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] const Screen& screen() const noexcept { return screen_; }
  /// Reads until `seen` is true of the screen; false when the program has ended before.
  bool read_until(const std::function<bool(const Screen&)>& seen);
  bool read_until(std::string_view text);
  /// Types `keys`; Ctrl-C is "\x03".
  void type(std::string_view keys) const;
  void resize(std::size_t columns, std::size_t rows);
  /// Reads what is left, and waits for the program.
  Ended wait();

 private:
  bool read_some();

  Screen screen_;
  int master_ = -1;
  pid_t pid_ = -1;
};

}  // namespace resumable::test
