/// @file
/// A run's folder of artifacts: checks files, and publishes them without ever replacing unknown
/// bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "exports/marks.hpp"
#include "resumable/digest.hpp"
#include "resumable/function_ref.hpp"
#include "sys/file_system.hpp"
#include "sys/random.hpp"
#include "sys/unnamed_file.hpp"

namespace resumable::exports {

/// What is at a path.
struct Found {
  enum class State { missing, file, odd, unreadable } state = State::missing;
  Digest digest;            ///< of a file
  std::string problem;      ///< of what is odd or unreadable
  std::error_code cause{};  ///< of what is odd or unreadable
};

/// Whether the error of a look at a file says that something else, or nothing, is in its place; any
/// other error says nothing of what is there.
[[nodiscard]] bool is_change(std::error_code error);

/// How publishing ended.
struct Published {
  enum class How { done, conflict, failed } how = How::done;
  std::error_code cause{};  ///< with failed
  std::string operation{};  ///< with failed: the call
};

/// Safe to use from several threads on different paths.
class Folder {
 public:
  Folder(sys::FileSystem& system, sys::Random& random, std::string root)
      : system_(system), random_(random), root_(std::move(root)) {}

  [[nodiscard]] const std::string& root() const noexcept { return root_; }
  [[nodiscard]] std::string full(std::string_view path) const;
  /// What a run has put here.
  [[nodiscard]] Marks& marks() const noexcept { return marks_; }

  /// Whether files can be written to it, or it can be made.
  [[nodiscard]] std::error_code may_write() const { return sys::may_write(system_, root_); }
  [[nodiscard]] std::uint64_t free_bytes() const { return sys::free_bytes(system_, root_); }

  /// Whether a file's bytes are expected when it has this digest.
  using Expects = FunctionRef<bool(const Digest&)>;
  [[nodiscard]] Found look(std::string_view path) const;
  /// The paths of the files in a folder, which is "" or ends in a slash, without hidden ones; empty
  /// if the folder is missing.
  std::error_code list(std::string_view folder, std::vector<std::string>& files) const;
  /// All bytes of the file at `path`.
  std::error_code read(std::string_view path, std::string& bytes) const;

  /// Puts `bytes` at `path`, durably. The existing file must have the digest of `bytes` or one in
  /// `expected`, or be missing; anything else is a conflict and stays.
  ///
  /// The bytes are written to a file of ours, which is synced and then linked into the artifact's
  /// folder: under the artifact's name when that is free, else under a hidden one that is exchanged
  /// with the artifact. So only one folder changes, and syncing it makes the export durable.
  Published publish(std::string_view path, std::string_view bytes,
                    const std::optional<Digest>& expected);

  /// The same with a mark before it, and one after it. `name` is what the marks call the path.
  Published publish(std::string_view path, std::string_view bytes,
                    const std::optional<Digest>& expected, std::string_view name,
                    std::uint64_t order);

  /// Makes the name of a file durable that a killed process has put at `path`.
  std::error_code settle(std::string_view path);
  /// Makes durable what a user has written at `path`: its bytes and its name.
  std::error_code sync(std::string_view path);

  /// Keeps what is at `path` in .resumable/removed as well, durably.
  std::error_code keep_copy(std::string_view path);

  /// Moves a file that still has this digest to .resumable/removed/; anything else stays, and is a
  /// conflict.
  Published retire(std::string_view path, const Digest& expected);

  /// Deletes what a killed process of this run left while it published. In .resumable/publish that
  /// is everything: half a copy of a value, or of a file that is still in its place. Beside an
  /// artifact it is what holds `known` bytes; other bytes may be a person's and are moved to
  /// .resumable/removed. `paths` are those that it may have been about to publish to: their folders
  /// are searched.
  void clean(FunctionRef<bool(const Digest&)> is_known, const std::vector<std::string>& paths);

 private:
  friend class GrowingFile;
  friend class Looks;
  friend class Marks;
  struct Place {
    sys::File folder;
    std::string name;
  };
  struct Temp {
    sys::File folder;
    sys::UnnamedFile file;
  };
  using Write = FunctionRef<std::error_code(sys::UnnamedFile&)>;
  std::error_code open_root(sys::File& out) const;
  std::error_code descend(std::string_view path, bool make, Place& out) const;
  std::error_code open_own(std::string_view name, sys::File& out) const;
  std::error_code digest_of(const sys::File& folder, const std::string& name, Digest& out) const;
  std::error_code digest_of(const sys::File& folder, const std::string& name, Expects expects,
                            Digest& out) const;
  [[nodiscard]] std::string temp_prefix() const;
  Published write_temp(sys::Open how, Write write, Temp& temp);
  std::error_code keep(const std::string& name, Write write);
  std::error_code open_removed(const std::string& name, sys::File& removed,
                               std::string& free) const;
  Published take_place(const Place& place, Temp& temp, const Digest& wanted,
                       const std::optional<Digest>& expected);
  Published replace(const Place& place, const std::string& fresh, const Digest& wanted,
                    const Digest& expected);
  Published replace_in_two_moves(const Place& place, const std::string& fresh, const Digest& wanted,
                                 const Digest& expected);
  void dispose(const sys::File& folder, const std::string& name,
               FunctionRef<bool(const Digest&)> is_known);

  sys::FileSystem& system_;
  sys::Random& random_;
  std::string root_;
  mutable Marks marks_{*this};
};

/// Checks one artifact after the other: the folders of the last one stay open for the next. If a
/// folder is moved away meanwhile, the moved one is still used.
class Looks {
 public:
  /// `folder` must outlive it.
  explicit Looks(const Folder& folder) : folder_(folder) {}

  /// As Folder::look(). A small file whose bytes are expected is not asked whether more follow than
  /// came at once.
  [[nodiscard]] Found at(std::string_view path, Folder::Expects expects);

 private:
  std::error_code enter(std::string_view& path);
  [[nodiscard]] const sys::File& last() const {
    return below_.empty() ? root_ : below_.back().second;
  }

  const Folder& folder_;
  sys::File root_;
  std::vector<std::pair<std::string, sys::File>> below_;  ///< one in the other
};

}  // namespace resumable::exports
