/// @file
/// A run in which time passes between events, and its frames.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "display/frame.hpp"

namespace resumable::display {

using namespace std::chrono_literals;

class Frames : public ::testing::Test {
 protected:
  void tell(Event event) {
    event.run = "Cloudgov-v0.0.3";
    event.pipeline = "memo";
    view_.on_event(event, now_);
  }
  void pass(sys::BootTime::duration time) { now_ += time; }
  void item(const std::string& key, Counts counts) {
    tell({.kind = EventKind::item_started, .stage = "links", .item = key, .attempt = 1});
    tell({.kind = EventKind::committed, .stage = "links", .item = key, .counts = counts});
  }

  /// Two stages are kept, 28 of 40 items are done, one waits for its next try.
  void in_the_middle() {
    tell({.kind = EventKind::run_started, .message = "resumed"});
    tell({.kind = EventKind::planned,
          .counts = Counts{.total = 6, .kept = 2, .to_run = 4, .done = 2},
          .stages = {{"deck", Action::skip},
                     {"research", Action::skip},
                     {"draft", Action::run, Seconds{280}},
                     {"links", Action::run},
                     {"cite", Action::run, Seconds{45}},
                     {"finalize", Action::run, Seconds{20}}}});
    for (const char* name : {"deck", "research"}) tell({.kind = EventKind::skipped, .stage = name});
    tell({.kind = EventKind::stage_started, .stage = "draft", .attempt = 1});
    pass(200s);
    tell({.kind = EventKind::committed, .stage = "draft", .cost = {.usd = 0.67}});
    tell({.kind = EventKind::stage_finished, .stage = "draft"});
    tell({.kind = EventKind::items_listed, .stage = "links", .counts = Counts{40, 12, 28, 12}});
    tell({.kind = EventKind::stage_started, .stage = "links"});
    for (const char* key : {"team", "market", "risk"}) {
      tell({.kind = EventKind::item_started, .stage = "links", .item = key, .attempt = 1});
    }
    pass(64s);
    item("terms", {40, 12, 28, 28});
    tell({.kind = EventKind::retried,
          .stage = "links",
          .item = "market",
          .attempt = 2,
          .attempts_allowed = 4,
          .duration = 10s,
          .message = "HTTP 429"});
    pass(2s);
  }

  std::vector<std::string> shown(FrameOptions options = {}) { return frame(view_, now_, options); }

  RunView view_;
  sys::BootTime now_{1h};
};

}  // namespace resumable::display
