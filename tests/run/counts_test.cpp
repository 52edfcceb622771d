// The counts of items in events, as a progress bar adds them up.
#include <map>

#include "run/run_support.hpp"

namespace resumable::test {
namespace {

/// The bar of docs/guide.md.
class AddingBar : public Observer {
 public:
  void on_event(const Event& event) override {
    if (!event.counts || event.stage.empty()) return;
    stages_[event.stage] = *event.counts;
    std::size_t done = 0, total = 0;
    for (const auto& [stage, counts] : stages_) {
      done += counts.done;
      total += counts.total;
    }
    shown.push_back(std::to_string(done) + " of " + std::to_string(total));
  }
  Strings shown;

 private:
  std::map<std::string, Counts> stages_;
};

TEST(CountsInEvents, OfTwoFanOutsAddUpInARunAndWhenItIsResumed) {
  MemoryStore store;
  int left = 4;
  const auto run = [&](AddingBar& bar) {
    Pipeline p{"p"};
    const auto list = p.input("list", Strings{"a", "b", "c"});
    const auto make = [&](const std::string& item) {
      if (left-- <= 0) throw std::runtime_error("no more");
      return item;
    };
    const auto first = p.stage("first", inputs(each(list)), make);
    p.stage("second", inputs(each(first)), make);
    return resume(p, store, {.run = "r", .observers = {&bar}}).outcome();
  };
  AddingBar bar;
  ASSERT_EQ(run(bar), Outcome::failed);
  EXPECT_EQ(bar.shown.back(), "4 of 6");
  left = 4;
  AddingBar again;
  ASSERT_EQ(run(again), Outcome::done);
  EXPECT_THAT(again.shown, ::testing::Contains("4 of 6"));
  EXPECT_EQ(again.shown.back(), "6 of 6");
}

}  // namespace
}  // namespace resumable::test
