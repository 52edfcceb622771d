/// @file
/// Which process this is, told so that a person and another process can find it.
#pragma once

#include <cstdint>
#include <string>

namespace resumable::inline v0::sys {

/// Safe to use from several threads.
class Process {
 public:
  Process() = default;
  virtual ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Changes in a forked child.
  [[nodiscard]] virtual std::int64_t pid() const noexcept = 0;
  [[nodiscard]] virtual std::string host() const = 0;
  /// Differs after each boot of the machine; empty when unknown.
  [[nodiscard]] virtual std::string boot_id() const = 0;
  /// When the process with this pid began, in ticks since boot, so that a reused pid is told
  /// apart; 0 when there is no such process or it cannot be told (proc(5), starttime).
  [[nodiscard]] virtual std::uint64_t start_time(std::int64_t pid) const = 0;
};

class SystemProcess final : public Process {
 public:
  [[nodiscard]] std::int64_t pid() const noexcept override;
  [[nodiscard]] std::string host() const override;
  [[nodiscard]] std::string boot_id() const override;
  [[nodiscard]] std::uint64_t start_time(std::int64_t pid) const override;
};

}  // namespace resumable::inline v0::sys
