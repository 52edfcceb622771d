/// @file
/// Where a program keeps its runs: the flags --out and --store, which all the programs have.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <resumable/file_store.hpp>
#include <resumable/forwarding_store.hpp>
#include <resumable/store.hpp>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace program {

struct Place {
  std::string out = "output";  ///< the folder of the files for people
  std::string store{};         ///< the URL of the checkpoints' store; empty: they are in `out`

  /// What holds the checkpoints, for messages: without a password.
  [[nodiscard]] std::string checkpoints() const;
  /// The flags that name this place in a command: ` --out memos`, or "" for the default.
  [[nodiscard]] std::string flags() const;
};

/// Where the files of a run are. @pre the store has a folder for them
[[nodiscard]] std::string folder_of(resumable::CheckpointStore& store, std::string_view run);

/// ResumeOptions::artifact_folder for a run: where its files are, if the store of its checkpoints
/// does not say so; recorded with the run, it tells other programs, such as `resumable verify`.
[[nodiscard]] std::string recorded_folder(const resumable::CheckpointStore& store,
                                          std::string_view run);

/// How the line begins with the command that continues after this exit code: an error brought its
/// own `next`.
[[nodiscard]] constexpr const char* label_of_command(int exit_code) {
  return exit_code >= 1 && exit_code <= 4 ? "  run   " : "  next  ";
}

/// Adds --out and --store.
/// @param runs  what the folder holds: `memos`
void add_store_flags(CLI::App& command, Place& place, const std::string& runs);

/// The checkpoints of `place.store`, and the folder of a run in `place.out`, whatever kind of store
/// that is: so a program's files are the same on every store. Each kind that it opens has a cache.
class Store final : public resumable::ForwardingStore,
                    public resumable::ArtifactFolder,
                    public resumable::ContentCache {
 public:
  /// @throws resumable::Error  the URL names no store that this program knows
  explicit Store(const Place& place);

  [[nodiscard]] std::string artifact_folder(std::string_view run) const override;
  /// Whether the checkpoints are not in the folder of the files.
  [[nodiscard]] bool is_apart() const noexcept { return is_apart_; }
  std::optional<resumable::StoredRecord> do_find(std::string_view path,
                                                 const resumable::Wait& wait) const override;
  bool do_put_if_absent(const resumable::Put& put, const resumable::Wait& wait) override;
  void do_replace(const resumable::Put& put, const resumable::Wait& wait) override;

 private:
  Store(const Place& place, std::unique_ptr<resumable::CheckpointStore> checkpoints);
  std::unique_ptr<resumable::Lease> do_lease(std::string_view run,
                                             const resumable::LeaseRequest& request) override;
  resumable::RemoveResult do_remove(std::string_view run,
                                    const resumable::RemoveOptions& options) override;
  CheckpointStore* do_capability() noexcept override { return this; }

  std::unique_ptr<resumable::CheckpointStore> checkpoints_;
  resumable::FileStore folders_;  ///< says which folder is a run's; keeps nothing
  bool is_apart_;
};

}  // namespace program
