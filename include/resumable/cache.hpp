/// @file
/// A cache that all runs of a store share: results are found by the values they were computed from.
///
///     auto sections = ctx.cached("expand", rs::with(domain), {.max_age = 720h},
///                                [&] { return expand(domain); });
///
/// A step belongs to its run; an entry of the cache belongs to the store. It is found by its name
/// and the values in with(), and is computed again if it is too old, damaged, or of a type that has
/// changed. A redo uses the same entry again, unless a value in with() has changed. The cache is
/// kept in the store's run `@cache`, which is never listed.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "resumable/step.hpp"

namespace resumable {
inline namespace v0 {

/// Fill in by designated initialisers.
struct CacheOptions {
  std::chrono::seconds max_age{0};  ///< an older entry is computed again; 0: entries do not age
};

namespace detail {

struct CacheCall {
  std::string_view name;
  const StepInputs& inputs;
  const CacheOptions& options;
  const ValueType& type;
  FunctionRef<AnyValue()> body;
};

}  // namespace detail

template <class F>
auto Context::cached(std::string_view name, const StepInputs& inputs, const CacheOptions& options,
                     F&& f) {
  using R = std::remove_cvref_t<std::invoke_result_t<F&>>;
  static_assert(!std::is_void_v<R>, "cached() needs a function that returns a value");
  const auto value =
      do_cached({name, inputs, options, detail::value_type<R>(),
                 [&]() -> detail::AnyValue { return std::make_shared<const R>(f()); }});
  return detail::take<R>(value);
}

template <class F>
auto Context::cached(std::string_view name, const StepInputs& inputs, F&& f) {
  return cached(name, inputs, CacheOptions{}, std::forward<F>(f));
}

}  // namespace v0
}  // namespace resumable
