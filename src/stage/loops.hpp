/// @file
/// The loops of one stage or item: saved progress, and histories.
#pragma once

#include <atomic>
#include <mutex>
#include <string_view>
#include <vector>

#include "resumable/progress.hpp"
#include "stage/attempt.hpp"
#include "stage/inside.hpp"

namespace resumable::stage {

/// What one turn changes is one commit: if there are a progress and a history, a commit of one
/// includes the others, and the entries of a history wait for the end of the turn. Loops that are
/// saved together must be used by one thread at a time; otherwise safe to use from several.
class Loops {
 public:
  explicit Loops(Inside& inside) : inside_(inside) {}

  /// @throws Error{Errc::bad_option}, Error{Errc::duplicate_name}, Error as Inside::load
  [[nodiscard]] detail::LoadedProgress progress(detail::Attempt& attempt,
                                                const detail::ProgressCall& call);
  [[nodiscard]] detail::LoadedHistory history(detail::Attempt& attempt,
                                              const detail::HistoryCall& call);

 private:
  class Member;
  class SavedProgress;
  class SavedHistory;
  [[nodiscard]] bool are_joined() const noexcept;
  void commit(Member& by, const detail::Attempt& attempt, std::string_view name);

  Inside& inside_;
  mutable std::mutex guard_;
  std::vector<Member*> members_;
  std::atomic<bool> waiting_{false};  ///< for the end of the turn
};

}  // namespace resumable::stage
