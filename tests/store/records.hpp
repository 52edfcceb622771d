/// @file
/// Records for tests of stores: those of the conformance kit.
#pragma once

#include "testing/records.hpp"

namespace resumable::test {

using testing::commit;
using testing::payload;
using testing::Puts;
using testing::runs;
using testing::scan;
using testing::tag_of;

}  // namespace resumable::test
