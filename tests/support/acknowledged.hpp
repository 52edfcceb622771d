/// @file
/// Counts that outlive a killed child.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace resumable::test {

/// How many commits each thread of a child has had acknowledged: left to the parent by a kill.
/// At most three threads.
class Acknowledged {
 public:
  Acknowledged()
      : place_(::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                      -1, 0)),
        counts_(new (place_) Counts{}) {}
  ~Acknowledged() { ::munmap(place_, sizeof(Counts)); }
  Acknowledged(const Acknowledged&) = delete;
  Acknowledged& operator=(const Acknowledged&) = delete;

  std::atomic<int>& of(int thread) { return counts_->at(static_cast<std::size_t>(thread)); }
  [[nodiscard]] int sum() const {
    int sum = 0;
    for (const auto& count : *counts_) sum += count;
    return sum;
  }

 private:
  using Counts = std::array<std::atomic<int>, 3>;
  void* place_;
  Counts* counts_;
};

}  // namespace resumable::test
