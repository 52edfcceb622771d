#include "resumable/function_ref.hpp"

#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace resumable::test {
namespace {

int twice(int number) { return 2 * number; }

int call(FunctionRef<int(int)> function) { return function(21); }

struct Counter {
  int operator()(int number) { return count += number; }
  int count = 0;
};

TEST(FunctionRefs, ReferToFunctions) {
  EXPECT_EQ(call(twice), 42);
  EXPECT_EQ(call(&twice), 42);
}

TEST(FunctionRefs, ReferToObjectsAndDoNotCopyThem) {
  Counter counter;
  EXPECT_EQ(call(counter), 21);
  EXPECT_EQ(call(counter), 42);
  const auto half = [](int number) { return number / 2; };
  EXPECT_EQ(call(half), 10);
  EXPECT_EQ(call([&](int number) { return number + counter.count; }), 63);
}

TEST(FunctionRefs, OfAnotherSignatureAreNoConversion) {
  static_assert(!std::is_convertible_v<int (&)(std::string), FunctionRef<int(int)>>);
  static_assert(!std::is_convertible_v<Counter&, FunctionRef<std::string(int)>>);
}

}  // namespace
}  // namespace resumable::test
