/// @file
/// What a person sees while a run goes on: a line an event.
#pragma once

#include <mutex>

#include "resumable/cli.hpp"

namespace resumable::inline v0::cli {

/// On a terminal: lines to read. Elsewhere: lines to parse, `2026-11-21T20:44:01Z done stage=…`.
class Progress final : public Observer {
 public:
  explicit Progress(Console& console) : console_(console) {}
  void on_event(const Event& event) override;

 private:
  void for_people(const Event& event);
  void for_logs(const Event& event);

  Console& console_;
};

}  // namespace resumable::inline v0::cli
