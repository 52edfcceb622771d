/// @file
/// Handles of stages: values that carry the type of a stage's value and own nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace resumable::inline v0 {

namespace detail {

/// What every handle is made of.
struct Handle {
  std::uint32_t node = 0;
  const void* graph = nullptr;
};

}  // namespace detail

/// The handle of a stage or input whose value is a T. Stage<void> can only be named in after().
template <class T>
class Stage {
 public:
  using value_type = T;
  explicit Stage(detail::Handle handle) noexcept : handle_(handle) {}
  [[nodiscard]] detail::Handle handle() const noexcept { return handle_; }

 private:
  detail::Handle handle_;
};

/// The handle of a fan-out: one R per item, and the items' keys. As a Stage its value is the
/// vector of all results, in the order of the list.
template <class R>
class FanOut : public Stage<std::vector<R>> {
 public:
  using item_type = R;
  using Stage<std::vector<R>>::Stage;
};

}  // namespace resumable::inline v0
