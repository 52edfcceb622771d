/// @file
/// What the kernel says of mounted file systems, where it matters for locks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace resumable::sys {

/// Why the locks of fcntl(2) hold only among the processes of this host, on the file system with
/// this device number: `nfs4 mounted with local_lock=all`. Empty if they may hold on all hosts, or
/// if nothing is known. `mountinfo`: the text of /proc/self/mountinfo (proc(5)); lines that are not
/// of its form are skipped.
[[nodiscard]] std::string locks_of_one_host(std::string_view mountinfo, std::uint32_t major,
                                            std::uint32_t minor);

}  // namespace resumable::sys
