#include "support/paths.hpp"

namespace resumable::test {

std::filesystem::path source_folder() { return RESUMABLE_SOURCE_DIR; }
std::filesystem::path program_folder() { return RESUMABLE_PROGRAMS; }

}  // namespace resumable::test
