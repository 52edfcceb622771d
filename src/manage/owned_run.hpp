/// @file
/// A run under this process's lease, to be changed without its pipeline.
#pragma once

#include <optional>
#include <string>

#include "core/graph.hpp"
#include "record/environment.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "resumable/store.hpp"

namespace resumable::manage {

class OwnedRun {
 public:
  /// @throws as CheckpointStore::lease with Create::never, and Error{Errc::unreadable}
  OwnedRun(CheckpointStore& store, std::string_view run, LeaseRequest request);

  [[nodiscard]] record::World& world() noexcept { return world_; }
  [[nodiscard]] record::RunFacts& facts() noexcept { return *facts_; }
  [[nodiscard]] record::Recorder& recorder() noexcept { return *recorder_; }
  [[nodiscard]] Lease& lease() noexcept { return *lease_; }

  /// The row of a generation that is whole, else an error that says what there is.
  /// @throws Error{Errc::no_value}, Error{Errc::damaged}
  [[nodiscard]] plan::Row row(const std::string& path, std::uint64_t generation) const;
  /// @throws Error{Errc::damaged}
  [[nodiscard]] core::Header header(const std::string& path, std::uint64_t generation) const;
  /// Reads the payload, which is not held. @throws Error{Errc::damaged}
  void prove_payload(const std::string& path, std::uint64_t generation) const;
  /// For lists: the run waits to be resumed.
  void note_unfinished();

 private:
  [[noreturn]] void damaged(const std::string& path, std::uint64_t generation) const;

  CheckpointStore& store_;
  std::string run_;
  record::World world_;
  detail::Graph no_stages_;
  std::unique_ptr<Lease> lease_;
  std::optional<record::RunFacts> facts_;
  std::optional<record::Recorder> recorder_;
};

}  // namespace resumable::manage
