// One idea: a variation of a store passes everything on and overrides what differs. This one counts
// reads.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

class CountingStore final : public rs::ForwardingStore {
 public:
  using rs::ForwardingStore::ForwardingStore;
  mutable int reads = 0;

 private:
  void do_restore(std::string_view, rs::RecordId, rs::StoredRecord&) const override { ++reads; }
};

int main() {
  rs::Pipeline pipeline{"p"};
  const auto one = pipeline.stage("one", [] { return 1; });
  const auto two = pipeline.stage("two", inputs(one), [](int n) { return n + 1; });

  rs::MemoryStore memory;
  CountingStore store{memory};
  if (!rs::resume(pipeline, store, {.run = "r"})) return 1;
  store.reads = 0;
  const rs::Report report = rs::resume(pipeline, store, {.run = "r"});
  std::cout << store.reads << " reads to find that nothing is to do\n";
  const int planning = store.reads;
  const bool good = report && report[two] == 2 && store.reads == planning + 1;  // loaded when asked
  return good ? 0 : 1;
}
