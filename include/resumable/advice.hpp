/// @file
/// Advice: an option that would help, as data. Each program writes it as its users set it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"

namespace resumable {
inline namespace v0 {

/// What an Advice may name. JSON uses these names.
enum class Option : std::uint8_t {
  redo,             ///< ResumeOptions::redo
  from,             ///< ResumeOptions::from
  reject,           ///< ResumeOptions::reject
  accept,           ///< ResumeOptions::accept
  pin,              ///< ResumeOptions::pin
  unpin,            ///< ResumeOptions::unpin
  adopt,            ///< ResumeOptions::adopt
  concurrency,      ///< ResumeOptions::concurrency
  on_damage,        ///< OnDamage::refuse
  verify_payloads,  ///< ResumeOptions::verify_payloads
  run_budget,       ///< ResumeOptions::run_budget
  lock_wait,        ///< ResumeOptions::lock_wait
  store_timeout,    ///< ResumeOptions::store_timeout
  create_store,     ///< CreateStore::if_absent
  exposed_folder,   ///< ExposedFolder::warn
  shared_folder,    ///< SharedFileSystem::allow
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(Option option) noexcept;

/// An option to set, or to leave out.
struct Advice {
  Option option = Option::redo;
  std::string selector{};  ///< the stage or item to name; empty for an option that takes none
  bool leave_out = false;
  std::string purpose{};  ///< `to keep your edit`, if there is a choice
  friend bool operator==(const Advice&, const Advice&) = default;
};

/// How a program's users set an option; "" if they cannot: the advice is then left out.
using AdviceWriter = FunctionRef<std::string(const Advice&)>;

/// As a C++ program sets it: `.reject = {"draft"}`, `ResumeOptions::lock_wait`.
[[nodiscard]] RESUMABLE_EXPORT std::string as_code(const Advice& advice);

}  // namespace v0
}  // namespace resumable
