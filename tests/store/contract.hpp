/// @file
/// What every store promises, one function per capability. They need no test framework: each throws
/// Violation at the first promise that is broken.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

#include "resumable/store.hpp"

namespace resumable::test {

/// A store that can be opened again, as a new process would.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  [[nodiscard]] virtual CheckpointStore& store() = 0;
  /// All leases and payloads are gone by then.
  virtual void reopen() = 0;
};

class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Capability {
  std::string_view name;
  void (*check)(StoreUnderTest&);
};

[[nodiscard]] std::span<const Capability> capabilities();
/// The newer ones: headers, many at once, stamps, seals, waits, sums, removal.
[[nodiscard]] std::span<const Capability> extended_capabilities();

}  // namespace resumable::test
