/// @file
/// Side effects: what cannot be undone, and must not be done twice.
///
///     const Receipt receipt = ctx.effect(
///         "send", rs::with(mail),
///         [&](const std::string& key) { return post(mail, key); },      // key: for the other side
///         [&](const std::string& key) { return find_receipt(key); });   // Verified<Receipt>
///
/// The intent is recorded before the function is called, and what it returned afterwards. If the
/// process dies in between, there is an intent without an outcome: then `verify` is called, and the
/// function is called again only if that says that the effect did not happen. If it is unknown, the
/// stage waits for a user to decide (exit code 75). So it does before it calls the function for
/// other inputs, after a change of code, or for a redo, as long as it is unknown whether an effect
/// of the same name and of the same stage or item has happened: `verify` gets the key of that one.
/// This follows the outbox and idempotency-key patterns of messaging and payments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "resumable/context.hpp"
#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/step.hpp"

namespace resumable {
inline namespace v0 {

/// What is known about a side effect whose process died: it happened and returned this value, it
/// did not happen, or it is unknown whether it did.
template <class R>
class Verified {
 public:
  static Verified happened(R value) { return Verified{State::happened, std::move(value)}; }
  static Verified did_not_happen() { return Verified{State::did_not_happen, std::nullopt}; }
  static Verified unknown() { return Verified{State::unknown, std::nullopt}; }

  enum class State : std::uint8_t { happened, did_not_happen, unknown };
  [[nodiscard]] State state() const noexcept { return state_; }
  /// Empty unless it happened.
  [[nodiscard]] const std::optional<R>& value() const& noexcept { return value_; }
  [[nodiscard]] std::optional<R> value() && noexcept { return std::move(value_); }

 private:
  Verified(State state, std::optional<R> value) : state_(state), value_(std::move(value)) {}
  State state_;
  std::optional<R> value_;
};

/// Throw this from a side effect that certainly did not happen (the connection was refused): its
/// intent is withdrawn, and another try needs no verification. Anything else that is thrown leaves
/// the outcome unknown.
class RESUMABLE_EXPORT DidNotHappen : public Retryable {
 public:
  using Retryable::Retryable;
  ~DidNotHappen() override;
  DidNotHappen(const DidNotHappen&) noexcept;
};

namespace detail {

/// What `verify` returned; null and `unknown` if there is no `verify`.
struct VerifiedValue {
  enum class State : std::uint8_t { happened, did_not_happen, unknown } state = State::unknown;
  AnyValue value;
};

struct EffectCall {
  std::string_view name;
  const StepInputs& inputs;
  const ValueType& type;
  FunctionRef<AnyValue(const std::string& key)> body;
  FunctionRef<VerifiedValue(const std::string& key)> verify;
};

}  // namespace detail

template <class F, class V>
auto Context::effect(std::string_view name, const StepInputs& inputs, F&& f, V&& verify) {
  using R = std::remove_cvref_t<std::invoke_result_t<F&, const std::string&>>;
  static_assert(!std::is_void_v<R>, "effect() must return evidence, such as an id or a receipt");
  const auto value = do_effect(
      {name, inputs, detail::value_type<R>(),
       [&](const std::string& key) -> detail::AnyValue {
         return std::make_shared<const R>(f(key));
       },
       [&](const std::string& key) -> detail::VerifiedValue {
         Verified<R> found = verify(key);
         using State = detail::VerifiedValue::State;
         switch (found.state()) {
           case Verified<R>::State::happened:
             return {State::happened, std::make_shared<const R>(*std::move(found).value())};
           case Verified<R>::State::did_not_happen: return {State::did_not_happen, nullptr};
           case Verified<R>::State::unknown: break;
         }
         return {};
       }});
  return detail::take<R>(value);
}

template <class F>
auto Context::effect(std::string_view name, const StepInputs& inputs, F&& f) {
  using R = std::remove_cvref_t<std::invoke_result_t<F&, const std::string&>>;
  return effect(name, inputs, std::forward<F>(f),
                [](const std::string&) { return Verified<R>::unknown(); });
}

}  // namespace v0
}  // namespace resumable
