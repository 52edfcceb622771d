/// @file
/// A cache across runs: what was computed once from these values, in whatever run.
///
///     auto sections = ctx.cached("expand", with(domain), {.max_age = 720h},
///                                [&] { return expand(domain); });
///
/// A step belongs to its run; an entry of the cache belongs to the store, is found by the name and
/// the content that with() names, and is computed anew when it is too old, damaged, or of a type
/// that has changed. A redo gets the entry again: let with() name what is to make it anew. The
/// cache lives in the store's run `@cache`, which no list shows.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "resumable/step.hpp"

namespace resumable::inline v0 {

/// Fill in by designated initialisers.
struct CacheOptions {
  std::chrono::seconds max_age{0};  ///< an older entry is computed anew; 0: entries do not age
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
  static_assert(!std::is_void_v<R>, "what is cached is a value");
  const auto value =
      do_cached({name, inputs, options, detail::value_type<R>(),
                 [&]() -> detail::AnyValue { return std::make_shared<const R>(f()); }});
  return R(*static_cast<const R*>(value.get()));
}

template <class F>
auto Context::cached(std::string_view name, const StepInputs& inputs, F&& f) {
  return cached(name, inputs, CacheOptions{}, std::forward<F>(f));
}

}  // namespace resumable::inline v0
