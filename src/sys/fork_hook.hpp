/// @file
/// Keeps a forked child from holding a lock of its parent: the one process-wide registration.
///
/// An open-file-description lock is shared by parent and child and lives until both have closed
/// their copy, so a child that lives on would keep a dead parent's run locked. In the child each
/// remembered descriptor is turned into /dev/null: its number stays taken, so that destructors in
/// the child close nothing that is not theirs.
#pragma once

namespace resumable::sys::fork_hook {

/// From now on a forked child loses its copy of `descriptor`.
void remember(int descriptor) noexcept;
/// Before `descriptor` is closed. Does nothing for one that was not remembered.
void forget(int descriptor) noexcept;

}  // namespace resumable::sys::fork_hook
