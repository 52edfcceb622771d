/// @file
/// What the benchmarks of commits share: records as the library makes them, the disk's limit, and
/// threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <resumable/store.hpp>
#include <unistd.h>

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

/// The disk's limit: writes state.range(0) bytes into a file of a fixed size whose blocks are
/// written already, and fdatasyncs.
inline void recycled(benchmark::State& state) {
  const Scratch scratch;
  const int file = open((scratch.path() / "log").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::string payload = text_of(bytes);
  const std::string zeros(1 << 20, '\0');
  const off_t size = std::max<off_t>(16 << 20, static_cast<off_t>(bytes));
  for (off_t at = 0; at < size; at += static_cast<off_t>(zeros.size())) {
    must(pwrite(file, zeros.data(), zeros.size(), at) == static_cast<ssize_t>(zeros.size()));
  }
  must(fsync(file) == 0);
  off_t at = 0;
  for (auto _ : state) {
    must(pwrite(file, payload.data(), payload.size(), at) == static_cast<ssize_t>(payload.size()));
    must(fdatasync(file) == 0);
    at += static_cast<off_t>(payload.size());
    if (at + static_cast<off_t>(payload.size()) > size) at = 0;
  }
  close(file);
  count(state, 1, bytes);
}

/// Durable commits of state.range(0) bytes.
inline void one_thread(benchmark::State& state, resumable::CheckpointStore& store) {
  const auto lease = store.lease("run");
  const auto bytes = static_cast<std::size_t>(state.range(0));
  Records records{bytes};
  for (auto _ : state) records.commit(*lease, 1);
  count(state, 1, bytes);
}

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

/// state.range(0) threads, each of which waits for its commits of 4 KiB: 32 in an iteration.
inline void many_threads(benchmark::State& state, resumable::CheckpointStore& store) {
  const auto lease = store.lease("run");
  const std::int64_t threads = state.range(0);
  std::deque<Records> records;
  for (std::int64_t t = 0; t < threads; ++t) records.emplace_back(4096, "s" + std::to_string(t));
  in_threads(state, threads, 32,
             [&](std::int64_t t) { records[static_cast<std::size_t>(t)].commit(*lease, 1); });
}

}  // namespace bench
