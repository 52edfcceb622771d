/// @file
/// Running code in a forked child: what the kit for stores uses, too.
#pragma once

#include "testing/child_process.hpp"

namespace resumable::test {

using testing::ChildProcess;
using testing::Ended;
using testing::Signpost;

}  // namespace resumable::test
