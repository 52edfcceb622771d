// Verifying a run: every record, and the payload of each.
#include <utility>

#include "manage/run_records.hpp"

namespace resumable {
inline namespace v0 {

Verification verify_run(const CheckpointStore& store, std::string_view run, const Wait& wait) {
  auto records = manage::read_run(store, run, manage::Payloads::prove_and_drop, wait);
  Verification found{.records = records.count,
                     .bytes = records.bytes,
                     .set_aside = records.set_aside,
                     .problems = std::move(records.problems)};
  for (auto& [path, made] : records.exports) {
    if (!made.is_nothing()) found.exported.push_back({path, made.digest});
  }
  return found;
}

}  // namespace v0
}  // namespace resumable
