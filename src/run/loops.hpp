/// @file
/// The loops of one stage or item: saved progress, and histories.
#pragma once

#include "resumable/progress.hpp"
#include "run/attempt.hpp"
#include "run/inside.hpp"

namespace resumable::inline v0::run {

/// @throws Error{Errc::bad_option}, Error as Inside::load
[[nodiscard]] detail::LoadedProgress load_progress(Inside& inside, detail::Attempt& attempt,
                                                   const detail::ProgressCall& call);
[[nodiscard]] detail::LoadedHistory load_history(Inside& inside, detail::Attempt& attempt,
                                                 const detail::HistoryCall& call);

}  // namespace resumable::inline v0::run
