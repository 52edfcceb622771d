/// @file
/// What the benchmarks of commits share: records as the library makes them, and threads.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <resumable/store.hpp>

#include "core/record_format.hpp"
#include "scratch.hpp"

namespace bench {

inline void must(bool good) {
  if (!good) std::abort();
}

inline void count(benchmark::State& state, std::int64_t per_iteration, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * per_iteration);
  state.SetBytesProcessed(state.iterations() * per_iteration * static_cast<std::int64_t>(bytes));
}

/// New records of one stage, one after the other: tag, header with digests, payload.
class Records {
 public:
  explicit Records(std::size_t bytes, std::string stage = "s")
      : stage_(std::move(stage)), payload_(text_of(bytes)) {}

  void commit(resumable::Lease& lease, std::size_t puts,
              resumable::Durability durability = resumable::Durability::full) {
    commit(lease, puts, {.durability = durability, .wait = {}}, {});
  }

  /// Commits a record and erases the one before.
  void replace(resumable::Lease& lease) {
    const std::string path = stage_ + "/" + std::to_string(last_);
    const resumable::RecordId old{path, 1};
    commit(lease, 1, {}, {&old, last_ > 0 ? 1U : 0U});
  }

 private:
  void commit(resumable::Lease& lease, std::size_t puts, const resumable::CommitOptions& options,
              std::span<const resumable::RecordId> erases) {
    std::vector<std::string> paths(puts);
    std::vector<std::string> headers(puts);
    std::vector<resumable::Put> batch;
    for (std::size_t i = 0; i < puts; ++i) {
      paths[i] = stage_ + "/" + std::to_string(++last_);
      resumable::core::Head head;
      resumable::core::Header header;
      header.run_uid = "0123456789abcdef";
      header.pipeline = "bench";
      header.key = paths[i];
      header.generation = 1;
      header.payload_bytes = payload_.size();
      header.payload_digest = resumable::core::digest_of(payload_);
      head.identity = header.payload_digest;
      const auto tag = resumable::core::encode_tag(head, {header.run_uid, paths[i], 1});
      headers[i] = resumable::core::encode_header(header, tag);
      batch.push_back({{paths[i], 1}, tag, headers[i], &payload_});
    }
    lease.commit({batch, erases}, options);
  }

  std::string stage_;
  resumable::StringPayload payload_;
  std::size_t last_ = 0;
};

/// The most memory that the process uses beyond what it used when this was made.
class Peak {
 public:
  Peak() {
    std::ofstream{"/proc/self/clear_refs"} << "5";  // the peak is counted from here
    before_ = kib("VmRSS");
  }
  [[nodiscard]] double mib() const { return (kib("VmHWM") - before_) / 1024; }

 private:
  /// A line of /proc/self/status.
  static double kib(const std::string& name) {
    std::ifstream status{"/proc/self/status"};
    for (std::string word; status >> word;) {
      double amount = 0;
      if (word == name + ":" && status >> amount) return amount;
    }
    return 0;
  }
  double before_;
};

/// In each iteration `work(thread)` is called `each` times by so many threads.
template <class Work>
void in_threads(benchmark::State& state, std::int64_t threads, std::int64_t each,
                const Work& work) {
  for (auto _ : state) {
    std::vector<std::jthread> workers;
    for (std::int64_t t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        for (std::int64_t i = 0; i < each; ++i) work(t);
      });
    }
  }
  count(state, threads * each, 4096);
}

}  // namespace bench
