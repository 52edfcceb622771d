/// @file
/// Handles of stages and conditions: values that carry the type of a stage's value and own nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace resumable {
inline namespace v0 {

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

/// The handle of a fan-out: one R per item, and the items' keys. It stands for its items; it
/// converts to the Stage of their list, which is the vector of all results in the order of the
/// list's elements.
template <class R>
class FanOut {
 public:
  using item_type = R;
  using value_type = std::vector<R>;  ///< of the list
  explicit FanOut(detail::Handle handle) noexcept : handle_(handle) {}
  [[nodiscard]] detail::Handle handle() const noexcept { return handle_; }
  /// The list of all results, as an input or as a value in a report.
  [[nodiscard]] Stage<std::vector<R>> list() const noexcept {
    return Stage<std::vector<R>>{handle_};
  }
  // NOLINTNEXTLINE(google-explicit-constructor): a fan-out is an input like any other
  operator Stage<std::vector<R>>() const noexcept { return list(); }

 private:
  detail::Handle handle_;
};

namespace detail {

/// What one checkpoint of a stage holds: its value, or that of one item.
template <class H>
inline constexpr bool is_handle = false;
template <class T>
inline constexpr bool is_handle<Stage<T>> = true;
template <class R>
inline constexpr bool is_handle<FanOut<R>> = true;

template <class H>
struct Holds;
template <class T>
struct Holds<Stage<T>> {
  using type = T;
};
template <class R>
struct Holds<FanOut<R>> {
  using type = R;
};

template <class H>
concept StageHandle = is_handle<H>;

}  // namespace detail

/// When a stage runs: StageOptions::when. Made from a Condition or its negation; the default is
/// always met.
struct When {
  std::uint32_t node = 0;
  const void* graph = nullptr;  ///< nullptr: always
  bool expected = true;
};

/// The handle of a condition: `{.when = needs_review}`, `{.when = !needs_review}`.
class Condition {
 public:
  explicit Condition(detail::Handle handle) noexcept : when_{handle.node, handle.graph, true} {}
  // NOLINTNEXTLINE(google-explicit-constructor): reads as the sentence it is
  operator When() const noexcept { return when_; }
  /// Met when the condition is not.
  [[nodiscard]] When operator!() const noexcept {
    return {when_.node, when_.graph, !when_.expected};
  }

 private:
  When when_;
};

}  // namespace v0
}  // namespace resumable
