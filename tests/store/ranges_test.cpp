// Which paths a scan asks for, as ranges of paths in byte order.
#include "store/ranges.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace resumable::test {
namespace {

using store::Range;

/// `a`, `ab/-`: short, so that one is often the beginning of another.
rc::Gen<std::string> some_path() {
  const auto name = rc::gen::element<std::string>("a", "b", "ab", "-", "~");
  return rc::gen::map(
      rc::gen::resize(3, rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(name))),
      [](const std::vector<std::string>& names) {
        std::string path;
        for (const std::string& one : names) path += '/' + one;
        return path.substr(1);
      });
}

rc::Gen<std::string> some_place() {
  return rc::gen::map(rc::gen::pair(some_path(), rc::gen::arbitrary<bool>()),
                      [](const auto& pair) { return pair.first + (pair.second ? "/" : ""); });
}

RC_GTEST_PROP(Ranges, HaveEachPathThatIsAskedForOnceAndNoOther, ()) {
  const auto places =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(some_place()));
  const auto path = *some_path();
  const std::vector<std::string_view> views{places.begin(), places.end()};
  const ScanOptions what{.places = views};
  const auto ranges = store::ranges_of(what);
  const auto has = std::ranges::count_if(
      ranges, [&](const Range& one) { return one.begin <= path && path < one.end; });
  RC_ASSERT(has == (store::is_wanted(what, path) ? 1 : 0));
  for (std::size_t i = 1; i < ranges.size(); ++i) RC_ASSERT(ranges[i - 1].end <= ranges[i].begin);
}

TEST(Ranges, ThatOfAPrefixHasWhatBeginsWithIt) {
  const auto in = [](std::string_view prefix, std::string_view path) {
    const auto ranges = store::ranges_of({.prefix = prefix});
    return ranges.size() == 1 && ranges[0].begin <= path && path < ranges[0].end;
  };
  EXPECT_TRUE(in("", "@run"));
  EXPECT_TRUE(in("", "~"));
  EXPECT_TRUE(in("dra", "draft/a"));
  EXPECT_FALSE(in("dra", "drb"));
  EXPECT_FALSE(in("dra", "dr"));
}

}  // namespace
}  // namespace resumable::test
