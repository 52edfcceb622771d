/// @file
/// A store in memory, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

/// Keeps runs in memory. To resume a run, as another process would with a store on disk, use the
/// same store object again. Leases may outlive the store.
class RESUMABLE_EXPORT MemoryStore final : public CheckpointStore, public RecordCounter {
 public:
  MemoryStore();
  ~MemoryStore() override;

 private:
  RecordTotals do_sums(std::string_view run, std::string_view prefix,
                       const Wait& wait) const override;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
