/// @file
/// What a program asks a model, counted at a server by what was asked, while the program is killed
/// around each of its calls or refused every other time.
///
/// An answer is paid once it is sent. From the program's first commit after it has the answer, no
/// kill may make it ask the same again; whether an answer arrived that was not committed, nobody
/// can tell.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "resumable/observer.hpp"
#include "support/fake_openai.hpp"

namespace resumable::test {

/// One call of a program, in this process: it asks the server at `base_url`, one thing after the
/// other, and `watcher` sees its events. Returns its exit code.
using Asking = std::function<int(const std::string& base_url, Observer& watcher)>;

struct Paid {
  std::map<std::string, int> answers;  ///< how often each question was answered
  std::size_t requests = 0;            ///< those that were not answered included
  int kills = 0;
  int exit_code = -1;  ///< of the last call
};

/// One call that nothing disturbs.
Paid ask_undisturbed(const Responder& respond, const Asking& program);

/// The program is killed with SIGKILL while it waits for its first answer, then called again and
/// killed while it waits for the second one of that call, until a call ends by itself: each
/// question is once left without an answer, and the one before it just answered.
Paid ask_killed_before_answers(const Responder& respond, const Asking& program);

/// The program is killed at its first commit after an answer, again and again, until a call ends by
/// itself.
Paid ask_killed_after_answers(const Responder& respond, const Asking& program);

/// Every other request meets with `fault`.
Paid ask_disturbed(const Responder& respond, const Act& fault, const Asking& program);

}  // namespace resumable::test
