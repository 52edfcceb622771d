/// @file
/// Identifies this process to people and to other processes.
#pragma once

#include <cstdint>
#include <string>

#include "resumable/export.hpp"

namespace resumable::sys {

/// Safe to use from several threads.
class RESUMABLE_EXPORT Process {
 public:
  Process() = default;
  virtual ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Changes in a forked child.
  [[nodiscard]] virtual std::int64_t pid() const noexcept = 0;
  [[nodiscard]] virtual std::string host() const = 0;
  /// The effective user.
  [[nodiscard]] virtual std::uint32_t user() const noexcept = 0;
  /// Differs after each boot of the machine; empty when unknown.
  [[nodiscard]] virtual std::string boot_id() const = 0;
  /// When the process with this pid began, in ticks since boot, which tells a
  /// reused pid from the old one; 0 without such a process, or if unknown (proc(5), starttime).
  [[nodiscard]] virtual std::uint64_t start_time(std::int64_t pid) const = 0;
};

class RESUMABLE_EXPORT SystemProcess final : public Process {
 public:
  [[nodiscard]] std::int64_t pid() const noexcept override;
  [[nodiscard]] std::string host() const override;
  [[nodiscard]] std::uint32_t user() const noexcept override;
  [[nodiscard]] std::string boot_id() const override;
  [[nodiscard]] std::uint64_t start_time(std::int64_t pid) const override;
};

/// Names what the pids that this process sees belong to (pid_namespaces(7)); empty when unknown.
[[nodiscard]] RESUMABLE_EXPORT std::string pid_namespace();

/// The name of the user who runs this process, or its number (getpwuid_r(3)).
[[nodiscard]] RESUMABLE_EXPORT std::string user_name();

}  // namespace resumable::sys
