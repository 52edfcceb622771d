/// @file
/// The templates of Pipeline; pipeline.hpp includes this at its end.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "resumable/pipeline.hpp"

namespace resumable {
inline namespace v0 {

template <class T>
Stage<T> Pipeline::input(const InputOptions& options) {
  return Stage<T>{add_input(options, detail::value_type<T>(), nullptr)};
}

template <class T>
Stage<T> Pipeline::input(const InputOptions& options, T value) {
  const detail::ValueType& type = detail::value_type<T>();
  return Stage<T>{add_input(options, type, std::make_shared<const T>(std::move(value)))};
}

inline Stage<std::string> Pipeline::input(const InputOptions& options, const char* text) {
  return input(options, std::string{text});
}

template <class T>
Stage<T> Pipeline::secret(Name name, T value) {
  detail::Node node;
  node.name = std::string{name.view()};
  node.kind = detail::NodeKind::secret;
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    node.hidden = std::string{std::string_view{value}};
  }
  node.given = std::make_shared<const T>(std::move(value));
  return Stage<T>{add(std::move(node))};
}

template <class F, class... In>
auto Pipeline::add_stage(const StageOptions& options, Inputs<In...> inputs, F function) {
  using R = typename detail::ResultOf<F, typename detail::ValuesOf<In...>::type>::type;
  const auto handle = add(detail::node_of(options, std::move(inputs), std::move(function)));
  if constexpr ((false || ... || (In::kind == detail::ArgKind::each))) {
    return FanOut<std::conditional_t<std::is_void_v<R>, bool, R>>{handle};  // void was refused
  } else {
    return Stage<R>{handle};
  }
}

template <class F, class... In>
auto Pipeline::queue(const StageOptions& options, Inputs<In...> inputs, F function) {
  using R = typename detail::ResultOf<F, typename detail::ValuesOf<In...>::type>::type;
  static_assert((false || ... || (In::kind == detail::ArgKind::each)),
                "a queue needs an initial list: pass each(list)");
  auto node = detail::node_of(options, std::move(inputs), std::move(function));
  node.grows = true;
  return FanOut<std::conditional_t<std::is_void_v<R>, bool, R>>{add(std::move(node))};
}

template <class F, class... In>
Condition Pipeline::condition(const InputOptions& options, Inputs<In...> inputs, F predicate) {
  using Values = typename detail::ValuesOf<In...>::type;
  constexpr bool once = ((In::kind != detail::ArgKind::each) && ...);
  static_assert(once,
                "a condition is evaluated once, not per item: pass the stage, not each(stage)");
  constexpr bool is_bool = !detail::Call<F, Values>::valid ||  // which node_of() says
                           std::is_same_v<typename detail::ResultOf<F, Values>::type, bool>;
  static_assert(is_bool, "a condition's predicate returns bool");
  if constexpr (once && is_bool) {
    auto node = detail::node_of({.name = options.name, .was = options.was}, std::move(inputs),
                                std::move(predicate));
    node.kind = detail::NodeKind::condition;
    return Condition{add(std::move(node))};
  } else {
    return Condition{detail::Handle{}};
  }
}

}  // namespace v0
}  // namespace resumable
