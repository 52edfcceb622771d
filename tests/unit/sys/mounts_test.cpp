// Which mounted file systems have locks of one host only.
#include "sys/mounts.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace resumable::sys {
namespace {

/// The answer for one mount among others of the same machine.
std::string of(std::string_view type, std::string_view options) {
  return locks_of_one_host(
      fmt::format("22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                  "80 22 0:47 / /net/other rw - nfs4 srv:/other rw,local_lock=all\n"
                  "81 22 0:48 / /net/a\\040b rw,relatime shared:30 master:2 - {} srv:/x rw,{}\n",
                  type, options),
      0, 48);
}

TEST(LocksOfOneHost, AreThoseOfClientsThatDoNotAskTheServer) {
  EXPECT_EQ(of("nfs4", "vers=4.2,hard,local_lock=none,addr=10.0.0.1"), "");
  EXPECT_EQ(of("nfs4", "vers=4.2,hard,local_lock=all,addr=10.0.0.1"),
            "nfs4 mounted with local_lock=all");
  EXPECT_EQ(of("nfs", "vers=3,local_lock=posix"), "nfs mounted with local_lock=posix");
  EXPECT_EQ(of("nfs", "vers=3,nolock,mountproto=tcp"), "nfs mounted with nolock");
  EXPECT_EQ(of("nfs", "vers=3,local_lock=flock"), "") << "of flock(2), which is not used";
  EXPECT_EQ(of("lustre", "flock,lazystatfs"), "");
  EXPECT_EQ(of("lustre", "localflock,lazystatfs"), "lustre mounted with localflock");
  EXPECT_EQ(of("lustre", "lazystatfs"), "lustre mounted without flock");
  EXPECT_EQ(of("cifs", "vers=3.1.1,nobrl"), "cifs mounted with nobrl");
  EXPECT_EQ(of("gfs2", "localflocks"), "gfs2 mounted with localflocks");
  EXPECT_EQ(of("fuse.sshfs", "user_id=0"), "fuse.sshfs");
  EXPECT_EQ(of("fuse.ceph-fuse", "user_id=0"), "");
  EXPECT_EQ(of("gpfs", "nolock"), "") << "an option of others";
}

TEST(LocksOfOneHost, AreLookedUpByDevice) {
  const std::string one = "80 22 0:47 / /net rw - nfs4 srv:/a rw,local_lock=all\n";
  EXPECT_NE(locks_of_one_host(one, 0, 47), "");
  EXPECT_EQ(locks_of_one_host(one, 0, 4), "");
  EXPECT_EQ(locks_of_one_host(one, 80, 22), "");
  const std::string bound = "79 22 0:47 /sub /data ro - nfs4 srv:/a rw,local_lock=all";
  EXPECT_NE(locks_of_one_host(bound, 0, 47), "") << "a part of it, mounted in another place";
}

TEST(LocksOfOneHost, AreNotFoundInLinesThatAreNone) {
  for (const char* text :
       {"", "\n\n", "0:48", "1 2 0:48", "1 2 0:48 / /x rw - nfs4", "1 2 0:48 / /x rw - lustre",
        "1 2 0:48 / /x rw nfs4 s rw,local_lock=all", "   0:48 - nfs4 s local_lock=all"}) {
    static_cast<void>(locks_of_one_host(text, 0, 48));
  }
  EXPECT_EQ(locks_of_one_host("1 2 0:48 / /x rw nfs4 s rw,local_lock=all", 0, 48), "");
}

RC_GTEST_PROP(LocksOfOneHostOf, AnyTextAreFoundWithoutHarm, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>(" ", "\n", "-", " - ", "0:48", "nfs4", "lustre", ",", "rw",
                                    "local_lock=all", "\\040", "1", std::string(1, '\0')));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  static_cast<void>(locks_of_one_host(text, 0, 48));
}

}  // namespace
}  // namespace resumable::sys
