/// @file
/// Handles of stages, and how one stage takes the values of others: inputs(), each(), matching(),
/// after().
///
/// You get a stage's handle only by declaring the stage, so cycles cannot be written. Handles are
/// values: copy them freely; they own nothing and are valid as long as their Pipeline.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/detail/hook.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/handle.hpp"

namespace resumable {
inline namespace v0 {

/// One input of a stage as its function sees it: `const T&`, or nothing for order only. Like
/// Inputs, it is not in detail, so that `inputs(each(list))` is found without a using directive.
template <class T, detail::ArgKind Kind>
struct InputOf {
  using type = T;
  static constexpr detail::ArgKind kind = Kind;
  detail::Arg arg;
};

/// All inputs of a stage, made by inputs().
template <class... In>
struct Inputs {
  std::tuple<In...> all;
};

namespace detail {

template <class T>
struct IsInput : std::false_type {};
template <class T, ArgKind Kind>
struct IsInput<InputOf<T, Kind>> : std::true_type {};

template <class K, class E>
class KeyOf final : public Render {
 public:
  explicit KeyOf(K key) : key_(std::move(key)) {}
  std::optional<std::string> operator()(const void* element) const override {
    return call_hook("the key of each()", [&] {
      return std::string{std::string_view{std::invoke(key_, *static_cast<const E*>(element))}};
    });
  }

 private:
  K key_;
};

/// The key of an element without a key of its own: its text, its number, or the digest of its
/// content.
struct ContentKey {
  template <class E>
  std::string operator()(const E& element) const {
    if constexpr (requires { resumable_key(element); }) {
      return std::string{std::string_view{resumable_key(element)}};
    } else if constexpr (std::convertible_to<const E&, std::string_view>) {
      return std::string{std::string_view{element}};
    } else if constexpr (std::integral<E> && !std::same_as<E, bool>) {
      return std::to_string(element);
    } else {
      return digest(read_all(*detail::value_type<E>().encode(&element))).hex();
    }
  }
};

template <class L>
struct ListAccess {
  using E = std::ranges::range_value_t<const L>;
  static std::size_t size(const void* list) {
    return static_cast<std::size_t>(std::ranges::size(*static_cast<const L*>(list)));
  }
  static AnyValue at(const AnyValue& list, std::size_t index) {
    auto&& element = static_cast<const L*>(list.get())->begin()[static_cast<std::ptrdiff_t>(index)];
    if constexpr (std::is_reference_v<decltype(std::declval<const L&>().begin()[0])>) {
      return AnyValue{list, &element};
    } else {
      return std::make_shared<const E>(element);  // a proxy, as of std::vector<bool>
    }
  }
};

template <class L, class K>
std::shared_ptr<const ListOps> list_ops(K key) {
  using E = std::ranges::range_value_t<const L>;
  return std::make_shared<const ListOps>(
      ListOps{&ListAccess<L>::size, &ListAccess<L>::at, &value_type<E>(),
              std::make_shared<const KeyOf<K, E>>(std::move(key))});
}

template <class L>
inline constexpr bool is_list =
    std::ranges::random_access_range<const L>&& std::ranges::sized_range<const L>;

template <class K, class E>
consteval bool gives_text() {
  if constexpr (!std::is_invocable_v<K&, const E&>)
    return false;
  else
    return std::is_convertible_v<std::invoke_result_t<K&, const E&>, std::string_view>;
}

/// Or nothing: an optional.
template <class K, class E>
consteval bool may_give_text() {
  if constexpr (gives_text<K, E>()) {
    return true;
  } else if constexpr (!std::is_invocable_v<K&, const E&>) {
    return false;
  } else if constexpr (requires(std::invoke_result_t<K&, const E&> text) {
                         *text;
                         text.has_value();
                       }) {
    return std::is_convertible_v<decltype(*std::declval<std::invoke_result_t<K&, const E&>>()),
                                 std::string_view>;
  } else {
    return false;
  }
}

/// Stands for what was refused, so that one mistake gives one message.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};
template <class T>
inline constexpr bool is_given_input = StageHandle<T> || IsInput<T>::value;

template <class T>
auto as_input(const Stage<T>& stage) {
  static_assert(!std::is_void_v<T>, "a Stage<void> has no value: name it in after()");
  constexpr ArgKind kind = std::is_void_v<T> ? ArgKind::after : ArgKind::value;
  using Value = std::conditional_t<std::is_void_v<T>, Anything, T>;
  return InputOf<Value, kind>{{kind, stage.handle().node, stage.handle().graph, {}}};
}
template <class R>
auto as_input(const FanOut<R>& items) {
  return as_input(items.list());
}
template <class T, ArgKind Kind>
InputOf<T, Kind> as_input(InputOf<T, Kind> input) {
  return input;
}
template <class T>
  requires(!is_given_input<T>)
auto as_input(const T&) {
  static_assert(is_given_input<T>,
                "inputs() takes handles of stages, each(), matching() and after()");
  return InputOf<Anything, ArgKind::value>{};
}

}  // namespace detail

/// One call to the stage's function per element of the value of `list`, each with a checkpoint of
/// its own. `key` returns an element's stable key as text: a member, a member function or a
/// callable. The key comes from content; a position is not a key. Two elements with the same key
/// and equal content are computed once; with different content the run stops with
/// Errc::duplicate_name.
template <class L, class K>
  requires(!std::is_void_v<L>)
[[nodiscard]] auto each(const Stage<L>& list, K key) {
  constexpr bool is_list = detail::is_list<L>;
  static_assert(is_list,
                "each() takes a stage whose value is a list: std::vector, std::array, std::deque");
  constexpr bool is_text = std::is_convertible_v<const L&, std::string_view>;
  static_assert(!is_text, "each() of a text would be called for each character: give it a list");
  if constexpr (!is_list || is_text) {
    return InputOf<detail::Anything, detail::ArgKind::each>{};
  } else {
    using E = std::ranges::range_value_t<const L>;
    constexpr bool is_key = detail::gives_text<K, E>();
    static_assert(is_key, "the key of each() must take one element and return text");
    InputOf<E, detail::ArgKind::each> input{
        {detail::ArgKind::each, list.handle().node, list.handle().graph, {}}};
    if constexpr (is_key) input.arg.list = detail::list_ops<L>(std::move(key));
    return input;
  }
}

/// As above. The key is what `resumable_key(element)` (found by ADL) returns, if there is such a
/// function; otherwise the element itself for text and integers, and the digest of its content for
/// everything else.
template <class L>
  requires(!std::is_void_v<L>)
[[nodiscard]] auto each(const Stage<L>& list) { return each(list, detail::ContentKey{}); }

/// One call per element of the list of all results, with keys of its own.
template <class R, class K>
[[nodiscard]] auto each(const FanOut<R>& items, K key) {
  return each(items.list(), std::move(key));
}

/// One call per item of another fan-out, with the same keys.
template <class R>
[[nodiscard]] auto each(const FanOut<R>& items) {
  return InputOf<R, detail::ArgKind::each>{
      {detail::ArgKind::each, items.handle().node, items.handle().graph, {}}};
}

/// Used with each(): the item of another fan-out that has the same key.
template <class R>
[[nodiscard]] auto matching(const FanOut<R>& items) {
  return InputOf<R, detail::ArgKind::matching>{
      {detail::ArgKind::matching, items.handle().node, items.handle().graph, {}}};
}

/// Order only: this stage starts when `stage` is done or skipped by its condition; its value does
/// not matter.
template <detail::StageHandle S>
[[nodiscard]] auto after(const S& stage) {
  return InputOf<void, detail::ArgKind::after>{
      {detail::ArgKind::after, stage.handle().node, stage.handle().graph, {}}};
}

/// The inputs of a stage: handles, each(), matching(), after(), in the order of its parameters.
template <class... Args>
[[nodiscard]] auto inputs(const Args&... args) {
  return Inputs<decltype(detail::as_input(args))...>{{detail::as_input(args)...}};
}

}  // namespace v0
}  // namespace resumable
