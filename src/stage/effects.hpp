/// @file
/// The side effects of one stage or item: an intent before, the outcome after, never blindly
/// repeated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "resumable/effect.hpp"
#include "stage/attempt.hpp"
#include "stage/inside.hpp"

namespace resumable::stage {

/// Safe to use from several threads.
class Effects {
 public:
  /// `epoch` is that of the last request that asks for this stage or item again; `approved_at` the
  /// fence under which a person has approved it, or 0.
  Effects(Inside& inside, std::uint64_t epoch, std::uint64_t approved_at)
      : inside_(inside), epoch_(epoch), approved_at_(approved_at) {}

  detail::AnyValue effect(detail::Attempt& attempt, const detail::EffectCall& call);

 private:
  [[nodiscard]] std::string key(const Inside::Wanted& wanted, std::string_view name) const;
  [[nodiscard]] std::string begun_with(const Inside::Begun& one, const std::string& key) const;
  [[nodiscard]] bool approved(const Inside::Begun& one) const;
  void tell(const detail::EffectCall& call, std::string message);
  [[nodiscard]] detail::AnyValue outcome(const detail::EffectCall& call,
                                         const Inside::Wanted& effect, const Inside::Wanted& intent,
                                         const detail::AnyValue& value);
  struct Unknown {
    std::string key;  ///< "" where its record is damaged
    bool own = false;
  };
  void restore(const Inside::Begun& one, std::string key);
  [[noreturn]] void ask(detail::Attempt& attempt, const detail::EffectCall& call,
                        const std::vector<Unknown>& unknown, const std::string& key);

  Inside& inside_;
  std::uint64_t epoch_;
  std::uint64_t approved_at_;
};

}  // namespace resumable::stage
