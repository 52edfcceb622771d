/// @file
/// An allocator that fails: every allocation of this process goes through it, those of libraries
/// included.
#pragma once

namespace resumable::test {

/// From now on the nth allocation fails, and with `from_then_on` all later ones.
void fail_allocation(long nth, bool from_then_on);
/// Allocations succeed again. How many there were.
long stop_failing();

}  // namespace resumable::test
