/// @file
/// A store that scans a run once for a command that scans several times.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "resumable/forwarding_store.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

/// Remembers the heads of the run that was scanned last and answers further scans from them: so all
/// output of a command describes one moment, and a run of 100,000 files is read once. If another
/// process changes the run meanwhile, that is noticed when a record is gone: then the run is
/// scanned again. A lease ends this. Used by one thread.
class OneScan final : public ForwardingStore {
 public:
  /// With `headers`, the first scan reads the headers for all later ones.
  OneScan(std::unique_ptr<CheckpointStore> store, bool headers)
      : ForwardingStore(*store), store_(std::move(store)), headers_(headers) {}
  ~OneScan() override;

 private:
  struct Heads;

  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  [[nodiscard]] std::shared_ptr<const Heads> read(std::string_view run, bool headers,
                                                  const Wait& wait) const;

  std::unique_ptr<CheckpointStore> store_;
  bool headers_;
  mutable std::shared_ptr<const Heads> heads_;  ///< shared with scans whose visitor asks for more
};

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
