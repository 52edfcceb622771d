/// @file
/// What the loops of long_loop work on: a cold store's thermometer, and a model that judges it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <resumable/resumable.hpp>

struct Reading {
  int hour = 0;
  int minute = 0;
  double celsius = 0;
  friend std::string resumable_key(const Reading& reading) {
    return fmt::format("{:02}h{:02}", reading.hour, reading.minute);
  }
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Reading, hour, minute, celsius)
};

struct Answer {
  bool alarm = false;
  std::string note;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Answer, alarm, note)
};

/// What the logger says at a time: made up, and always the same.
Reading logged_at(int hour, int minute);
/// Forty hours.
std::vector<Reading> logged();

/// Stands in for a model: it compares with a limit, and says how much of the talk it was told. What
/// it has answered is written down in the file `answered`.
Answer ask(const std::string& talk, const Reading& reading);

/// Called in the 18th ask() of a process.
extern std::function<void()> in_call_18;
/// How long each ask() takes.
extern std::chrono::milliseconds call_takes;
