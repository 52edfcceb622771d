#include "core/remedy.hpp"

#include <cerrno>

namespace resumable::core {

std::string remedy(std::error_code cause, std::string_view otherwise) {
  if (cause == std::errc::no_space_on_device || cause.value() == EDQUOT) {
    return "free some space";
  }
  if (cause == std::errc::permission_denied || cause == std::errc::operation_not_permitted) {
    return "give this user the permission";
  }
  if (cause == std::errc::read_only_file_system) {
    return "make the file system writable, or copy the run to one that is";
  }
  if (cause == std::errc::too_many_files_open ||
      cause == std::errc::too_many_files_open_in_system) {
    return "raise the limit of open files (ulimit -n)";
  }
  if (cause == std::errc::file_too_large) {
    return "raise the limit of the size of files (ulimit -f)";
  }
  return std::string{otherwise};
}

}  // namespace resumable::core
