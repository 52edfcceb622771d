/// @file
/// A cheap, non-owning reference to something callable, for parameters.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace resumable {
inline namespace v0 {

template <class Signature>
class FunctionRef;

/// Refers to a function, or to a callable object, which must outlive the reference; a parameter
/// does. Two pointers, no allocation.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
             std::is_invocable_r_v<R, F&, Args...>)
  // NOLINTNEXTLINE(google-explicit-constructor): a lambda is passed as it is
  FunctionRef(F&& callable)
  noexcept
      : object_(address_of(callable)), call_([](void* object, Args... args) -> R {
          return (*reinterpret_cast<std::remove_reference_t<F>*>(object))(
              std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  template <class F>
  static void* address_of(F& callable) noexcept {
    if constexpr (std::is_function_v<F>) {
      return reinterpret_cast<void*>(&callable);  // as POSIX allows, for dlsym()
    } else {
      return const_cast<void*>(static_cast<const void*>(std::addressof(callable)));
    }
  }

  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace v0
}  // namespace resumable
