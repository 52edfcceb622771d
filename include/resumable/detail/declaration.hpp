/// @file
/// How Pipeline turns a stage's name, inputs and function into a node.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "resumable/detail/body.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/stage.hpp"
#include "resumable/stage_options.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

template <class T>
inline constexpr bool is_inputs = false;
template <class... In>
inline constexpr bool is_inputs<Inputs<In...>> = true;

/// An input that inputs() has already refused, which needs no second message.
template <class In>
inline constexpr bool is_refused = std::is_same_v<typename In::type, Anything>;

/// What follows a stage's name: its inputs, or none, and a function.
template <class... Args>
inline constexpr bool is_declaration = false;
template <class F>
inline constexpr bool is_declaration<F> = !is_inputs<std::remove_cvref_t<F>>;
template <class In, class F>
inline constexpr bool is_declaration<In, F> = is_inputs<std::remove_cvref_t<In>>;

/// Everything about a stage that follows from its types.
template <class F, class... In>
Node node_of(const StageOptions& options, Inputs<In...> inputs, F function) {
  using Values = typename ValuesOf<In...>::type;
  constexpr int lists = (0 + ... + (In::kind == ArgKind::each ? 1 : 0));
  constexpr bool matches = (false || ... || (In::kind == ArgKind::matching));
  static_assert(lists <= 1, "inputs() takes one each(); join other fan-outs with matching()");
  static_assert(lists == 1 || !matches, "matching() needs an each() in the same inputs()");
  static_assert(
      Call<F, Values>::valid || (false || ... || is_refused<In>),
      "the stage's function cannot be called with its inputs: it takes a const T& for "
      "each input, in their order, may take a resumable::Context& first, and is const (no "
      "mutable lambda)");
  using R = typename ResultOf<F, Values>::type;
  static_assert(!(lists == 1 && std::is_void_v<R> && Call<F, Values>::valid),
                "the function of a fan-out must return a value");
  Node node;
  node.name = std::string{options.name.view()};
  node.was.assign(options.was.names().begin(), options.was.names().end());
  node.kind = lists == 1 ? NodeKind::fan_out : NodeKind::stage;
  node.revision = options.revision;
  node.concurrency = options.concurrency;
  node.retry = options.retry;
  node.timeout = options.timeout;
  node.max_age = options.max_age;
  node.when = options.when;
  node.skip_round_trip = options.skip_round_trip;
  node.drops = options.keep == Keep::until_used;
  std::apply([&](const auto&... in) { (node.args.push_back(in.arg), ...); }, inputs.all);
  if constexpr (Call<F, Values>::valid) {
    if constexpr (std::is_void_v<R>) {
      node.type = &NoTable<R>::table;
    } else {
      node.type = &value_type<R>();
    }
    node.body = std::make_shared<const FunctionBody<F, Values>>(std::move(function));
    if constexpr (lists == 1 && !std::is_void_v<R>) node.gather = &gather<R>;
  }
  return node;
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
