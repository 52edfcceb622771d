/// @file
/// Turns a program's function into a Body: types are deduced and checked here. No promises: this
/// header may change in any version.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/context.hpp"
#include "resumable/detail/hook.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/stage.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

template <class... T>
struct Types {};

/// The types of the parameters that have values: all inputs except those for order only.
template <class... In>
struct ValuesOf;
template <>
struct ValuesOf<> {
  using type = Types<>;
};
template <class Head, class... Tail>
struct ValuesOf<Head, Tail...> {
  template <class... T>
  static auto prepend(Types<T...>) {
    if constexpr (Head::kind == ArgKind::after) {
      return Types<T...>{};
    } else {
      return Types<typename Head::type, T...>{};
    }
  }
  using type = decltype(prepend(typename ValuesOf<Tail...>::type{}));
};

template <class F, class List>
struct Call;
template <class F, class... T>
struct Call<F, Types<T...>> {
  static constexpr bool with_context = std::is_invocable_v<const F&, Context&, const T&...>;
  static constexpr bool plain = std::is_invocable_v<const F&, const T&...>;
  static constexpr bool valid = with_context || plain;

  static decltype(auto) invoke(const F& f, Context& context, const T&... values) {
    if constexpr (with_context) {
      return std::invoke(f, context, values...);
    } else {
      return std::invoke(f, values...);
    }
  }
  template <std::size_t... I>
  static decltype(auto) spread(const F& f, Context& context,
                               [[maybe_unused]] std::span<const AnyValue> args,
                               std::index_sequence<I...>) {
    return invoke(f, context, *static_cast<const T*>(args[I].get())...);
  }
  static decltype(auto) apply(const F& f, Context& context, std::span<const AnyValue> args) {
    return spread(f, context, args, std::index_sequence_for<T...>{});
  }
};

template <class F, class List>
class FunctionBody final : public Body {
 public:
  explicit FunctionBody(F f) : f_(std::move(f)) {}
  AnyValue call(Context& context, std::span<const AnyValue> args) const override {
    using R = std::remove_cvref_t<decltype(Call<F, List>::apply(f_, context, args))>;
    if constexpr (std::is_void_v<R>) {
      Call<F, List>::apply(f_, context, args);
      return nullptr;
    } else {
      return std::make_shared<const R>(Call<F, List>::apply(f_, context, args));
    }
  }

 private:
  F f_;
};

template <class F, class List, bool Valid = Call<F, List>::valid>
struct ResultOf {
  using type = void;
};
template <class F, class List>
struct ResultOf<F, List, true> {
  using type = std::remove_cvref_t<decltype(Call<F, List>::apply(
      std::declval<const F&>(), std::declval<Context&>(), std::span<const AnyValue>{}))>;
};

template <class R>
AnyValue gather(std::span<const AnyValue> items) {
  auto all = std::make_shared<std::vector<R>>();
  all->reserve(items.size());
  for (const AnyValue& item : items) all->push_back(*static_cast<const R*>(item.get()));
  return all;
}

template <class T, class F>
class TextOf final : public Render {
 public:
  explicit TextOf(F f) : f_(std::move(f)) {}
  std::optional<std::string> operator()(const void* value) const override {
    auto&& text = call_hook("render", [&]() -> decltype(auto) {
      return std::invoke(f_, *static_cast<const T*>(value));
    });
    if constexpr (requires { text.has_value(); }) {
      if (!text) return std::nullopt;
      return std::string{std::string_view{*text}};
    } else {
      return std::string{std::string_view{text}};
    }
  }

 private:
  F f_;
};

/// The inverse of TextOf.
template <class T, class F>
class ValueOf final : public Parse {
 public:
  explicit ValueOf(F f) : f_(std::move(f)) {}
  AnyValue operator()(std::string_view text, const void* former) const override {
    return call_hook("parse", [&] {
      if constexpr (std::is_invocable_v<const F&, const std::string&, const T&>) {
        return std::make_shared<T>(
            std::invoke(f_, std::string{text}, *static_cast<const T*>(former)));
      } else {
        return std::make_shared<T>(std::invoke(f_, std::string{text}));
      }
    });
  }
  bool needs_former() const noexcept override {
    return std::is_invocable_v<const F&, const std::string&, const T&>;
  }

 private:
  F f_;
};

/// Reads a file that existed before the run had checkpoints.
template <class T, class F>
class AdoptedAs final : public Adopt {
 public:
  explicit AdoptedAs(F f) : f_(std::move(f)) {}
  AnyValue operator()(const FoundFile& file) const override {
    return call_hook("adopt_as()", [&] { return std::make_shared<T>(std::invoke(f_, file)); });
  }

 private:
  F f_;
};

/// A validator: nothing, or an empty text, when the value is good.
template <class T, class F>
class CheckOf final : public Check {
 public:
  explicit CheckOf(F f) : f_(std::move(f)) {}
  std::optional<std::string> operator()(const void* value) const override {
    constexpr bool gives_text =
        std::is_invocable_r_v<std::optional<std::string>, const F&, const T&>;
    static_assert(gives_text, "validate: the check returns a text: empty, or what is wrong");
    if constexpr (gives_text) {
      std::optional<std::string> problem =
          call_hook("validate()", [&]() -> std::optional<std::string> {
            return std::invoke(f_, *static_cast<const T*>(value));
          });
      if (problem && problem->empty()) problem.reset();
      return problem;
    } else {
      return std::nullopt;
    }
  }

 private:
  F f_;
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable
