#include "survey/saved.hpp"

#include <algorithm>

namespace resumable {

namespace survey {

Savings saved(std::span<const RecordView> records, std::span<const RunCall> calls) {
  Savings sum;
  for (const RunCall& call : calls) {
    sum.duration += call.continued.duration;
    sum.cost += call.continued.cost;
    if (!call.resumed) continue;
    for (const RecordView& record : records) {
      if (record.kind != "value" || !record.current || call.fence <= record.fence) continue;
      sum.duration += Seconds{record.seconds};
      sum.cost += record.cost;
    }
  }
  return sum;
}

}  // namespace survey

inline namespace v0 {

Savings saved_by_resuming(const CheckpointStore& store, const RunInfo& run) {
  if (std::ranges::none_of(run.calls, &RunCall::resumed)) return {};
  return survey::saved(survey::records(store, run.run, survey::Depth::headers), run.calls);
}

}  // namespace v0
}  // namespace resumable
