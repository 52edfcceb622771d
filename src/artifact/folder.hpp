/// @file
/// A run's folder of artifacts: looking at them, and publishing without ever replacing bytes that
/// are not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "resumable/digest.hpp"
#include "resumable/function_ref.hpp"
#include "sys/file_system.hpp"
#include "sys/random.hpp"

namespace resumable::inline v0::artifact {

/// What is at a path.
struct Found {
  enum class State { missing, file, odd, unreadable } state = State::missing;
  Digest digest;            ///< of a file
  std::string problem;      ///< of what is odd or unreadable
  std::error_code cause{};  ///< of what is odd or unreadable
};

/// How publishing ended.
struct Published {
  enum class How { done, conflict, failed } how = How::done;
  std::error_code cause;  ///< with failed
  std::string operation;  ///< with failed: the call
};

/// Safe to use from several threads on different paths.
class Folder {
 public:
  Folder(sys::FileSystem& system, sys::Random& random, std::string root)
      : system_(system), random_(random), root_(std::move(root)) {}

  [[nodiscard]] const std::string& root() const noexcept { return root_; }
  [[nodiscard]] std::string full(std::string_view path) const;

  [[nodiscard]] Found look(std::string_view path) const;

  /// Puts `bytes` at `path`, durably: temp file, fsync, rename, fsync of the folder. What is there
  /// must have one of the digests `bytes` or `expected`, or be missing; anything else is a conflict
  /// and stays (renameat2(2) NOREPLACE, or EXCHANGE and a look at what came out).
  Published publish(std::string_view path, std::string_view bytes,
                    const std::optional<Digest>& expected);

  /// Moves a file that still has this digest to .resumable/removed/; anything else stays.
  /// @return whether it was moved
  bool retire(std::string_view path, const Digest& expected);

  /// Deletes temps that a killed process left and that hold `known` bytes; others are kept in
  /// .resumable/removed/, for they may be a person's.
  void clean(FunctionRef<bool(const Digest&)> is_known);

 private:
  friend class GrowingFile;
  struct Place {
    sys::File folder;
    std::string name;
  };
  std::error_code open_root(sys::File& out) const;
  std::error_code descend(std::string_view path, bool make, Place& out) const;
  std::error_code open_own(std::string_view name, sys::File& out) const;
  std::error_code digest_of(const sys::File& folder, const std::string& name, Digest& out) const;
  Published write_temp(std::string_view bytes, sys::File& folder, std::string& name);
  Published swap_in(const Place& place, const sys::File& temps, const std::string& temp,
                    const Digest& wanted, const std::optional<Digest>& expected);

  sys::FileSystem& system_;
  sys::Random& random_;
  std::string root_;
};

}  // namespace resumable::inline v0::artifact
