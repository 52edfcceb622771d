/// @file
/// The checks of the conformance kit. Each throws Violation at the first promise that is broken.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/testing/check_store.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {

class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown by a check of an optional capability that the store lacks.
struct NotOffered {};

/// A store at a place of its own, which can be opened again, as a new process would.
class StoreUnderTest {
 public:
  StoreUnderTest(const OpenStore& open, std::string place, bool survives_process)
      : open_(open), place_(std::move(place)), survives_process_(survives_process) {}

  [[nodiscard]] CheckpointStore& store() {
    if (!store_) store_ = another();
    return *store_;
  }
  /// All leases and payloads are gone by then.
  void close() { store_.reset(); }
  void reopen() {
    close();
    store_ = another();
  }
  /// The same place, opened once more.
  [[nodiscard]] std::shared_ptr<CheckpointStore> another() const {
    auto store = open_(place_);
    if (!store) throw Violation("the store was not opened");
    return store;
  }
  [[nodiscard]] bool survives_process() const noexcept { return survives_process_; }

 private:
  const OpenStore& open_;
  std::string place_;
  bool survives_process_;
  std::shared_ptr<CheckpointStore> store_;
};

struct Check {
  StoreCheck what;
  void (*run)(StoreUnderTest&);
};

[[nodiscard]] std::span<const Check> reading_checks();
[[nodiscard]] std::span<const Check> writing_checks();
[[nodiscard]] std::span<const Check> keeping_checks();
[[nodiscard]] std::span<const Check> owning_checks();
[[nodiscard]] std::span<const Check> process_checks();
[[nodiscard]] std::span<const Check> takeover_checks();
[[nodiscard]] std::span<const Check> optional_checks();
[[nodiscard]] std::span<const Check> work_checks();

}  // namespace testing
}  // namespace v0
}  // namespace resumable
