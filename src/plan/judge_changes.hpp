/// @file
/// The changes since a record was made, each compared with what users have decided about it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "plan/judge.hpp"

namespace resumable::plan {

class Judge::Changes {
 public:
  /// All must outlive it.
  Changes(const Choices& choices, const Subject& subject, const core::Head& head, Verdict& verdict);

  void requested();
  void code(std::uint32_t before, std::uint32_t now);
  /// `cause` is about this one, whose value is known.
  void input(const KnownInput& input, Cause cause);
  /// About all of them together.
  void inputs(Cause cause);
  /// Its value is not known yet.
  void unknown(const KnownInput& input);
  /// A value saved before `oldest` is too old.
  void expired(const std::string& saved, std::chrono::system_clock::time_point oldest);
  void note(Cause cause) { verdict_.note(std::move(cause)); }
  /// Once everything is known: that the value stays, and in spite of which changes.
  void tell_pin(bool of_item);

 private:
  void change(std::string_view trigger, bool accepted, Cause cause);
  void weigh(Action action, Cause cause);

  const Choices& choices_;
  const Subject& subject_;
  Verdict& verdict_;
  bool pinned_;
  bool accepts_now_;
  const Accepted* accepted_;
  std::vector<std::string> held_;     ///< what a pin keeps it from running for
  std::vector<std::string> awaited_;  ///< and the stages that might make it run
};

}  // namespace resumable::plan
