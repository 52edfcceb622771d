/// @file
/// Steps: calls inside a stage's function that are not repeated after a crash.
///
///     auto web = ctx.step("web", [&] { return search(company_name); });
///     auto page = ctx.step("page " + url, rs::with(url), [&] { return fetch(url); });
///
/// This is the algorithm that durable-execution systems share: run once, record the result under a
/// name, and from then on return the recorded result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "resumable/codec.hpp"
#include "resumable/context.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/digest.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/retry.hpp"

namespace resumable {
inline namespace v0 {

/// How a step is run. Fill in by designated initialisers: `{.name = "web", .retry = {.attempts =
/// 3}}`.
struct StepOptions {
  std::string name;
  std::uint32_t revision = 0;  ///< of the step's own code; 0: that of its stage
  /// For this step alone. With more than one attempt, each failed attempt is committed before the
  /// wait for the next, so that a resumed run continues the count, and waits as long before it
  /// tries again; an attempt that was killed or stopped does not count. After a call that used up
  /// its Retry, or with other inputs or code, the count begins again.
  Retry retry{};
};

/// What a step depends on, made by with().
class StepInputs {
 public:
  StepInputs() = default;
  explicit StepInputs(const Digest& digest) : digest_(digest) {}
  [[nodiscard]] const std::optional<Digest>& digest() const noexcept { return digest_; }

 private:
  std::optional<Digest> digest_;
};

/// Says that the step depends on these values alone: it is kept when other inputs of its stage
/// change, and when the stage's revision is raised. Without with() it depends on all inputs of the
/// stage and on its revision.
/// @throws Error{Errc::not_encodable}
template <class... T>
[[nodiscard]] StepInputs with(const T&... values) {
  Digester digester;
  (digester.add(digest(read_all(*detail::value_type<T>().encode(&values)))), ...);
  return StepInputs{digester.finish()};
}

namespace detail {

struct StepCall {
  const StepOptions& options;
  const StepInputs& inputs;
  const ValueType& type;
  FunctionRef<AnyValue()> body;
};

}  // namespace detail

template <class F>
auto Context::run_step(const StepOptions& options, const StepInputs& inputs, F&& f) {
  using R = std::remove_cvref_t<std::invoke_result_t<F&>>;
  if constexpr (std::is_void_v<R>) {
    static constexpr detail::ValueType nothing{};
    do_step({options, inputs, nothing, [&]() -> detail::AnyValue {
               f();
               return nullptr;
             }});
  } else {
    const detail::AnyValue value =
        do_step({options, inputs, detail::value_type<R>(),
                 [&]() -> detail::AnyValue { return std::make_shared<R>(f()); }});
    return detail::take<R>(value);
  }
}

template <class... InputsAndFunction>
auto Context::step(const StepOptions& options, InputsAndFunction&&... inputs_and_f) {
  if constexpr (sizeof...(InputsAndFunction) == 1) {
    return run_step(options, StepInputs{}, std::forward<InputsAndFunction>(inputs_and_f)...);
  } else {
    static_assert(sizeof...(InputsAndFunction) == 2,
                  "a step is step(name, function), or step(name, with(...), function)");
    return run_step(options, std::forward<InputsAndFunction>(inputs_and_f)...);
  }
}

template <class... InputsAndFunction>
auto Context::step(std::string_view name, InputsAndFunction&&... inputs_and_f) {
  return step(StepOptions{.name = std::string{name}},
              std::forward<InputsAndFunction>(inputs_and_f)...);
}

}  // namespace v0
}  // namespace resumable
