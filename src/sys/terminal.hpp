/// @file
/// Whether a person is at the other end of a standard stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::sys {

enum class Stream : std::uint8_t { in, out, err };

/// isatty(3), and a terminal that is not dumb.
[[nodiscard]] RESUMABLE_EXPORT bool is_terminal(Stream stream) noexcept;

/// The width of the terminal: COLUMNS if that is set, else what the terminal says; 0 when unknown.
[[nodiscard]] RESUMABLE_EXPORT std::size_t columns(Stream stream) noexcept;

struct TerminalSize {
  std::size_t columns = 0;
  std::size_t rows = 0;
  friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};

/// What the terminal says at this moment; zeros when it is unknown.
[[nodiscard]] TerminalSize terminal_size(Stream stream) noexcept;

/// Whether this process is in the terminal's foreground (tcgetpgrp(3)); true when it has no say.
[[nodiscard]] bool in_foreground(Stream stream) noexcept;

/// Writes `bytes`, which must stay valid until the process ends, to stderr when the process ends by
/// exit(3) or by an otherwise unhandled signal (SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGTERM): what a
/// terminal needs to be restored. One at a time per process; a forked child writes nothing.
class LastWords {
 public:
  LastWords() = default;
  ~LastWords() { take_back(); }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  /// Call it repeatedly while it matters, because other handlers may be installed or removed.
  /// Returns false if the process is ending and the bytes were written: nothing may follow them.
  bool leave(std::string_view bytes) noexcept;
  void take_back() noexcept;

 private:
  bool left_ = false;
};

}  // namespace resumable::sys
