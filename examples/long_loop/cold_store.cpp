#include "long_loop/cold_store.hpp"

#include <fstream>
#include <thread>

std::function<void()> in_call_18 = [] {};
std::chrono::milliseconds call_takes{0};

Reading logged_at(int hour, int minute) {
  return {hour, minute, -18 + 0.4 * ((hour * 7 + minute) % 11)};
}

std::vector<Reading> logged() {
  std::vector<Reading> readings;
  for (int hour = 0; hour < 40; ++hour) readings.push_back(logged_at(hour, 0));
  return readings;
}

Answer ask(const std::string& talk, const Reading& reading) {
  static int calls = 0;
  if (++calls == 18) in_call_18();
  std::this_thread::sleep_for(call_takes);
  const bool alarm = reading.celsius > -15;
  std::ofstream{"answered", std::ios::app} << resumable_key(reading) << std::endl;
  return {alarm, fmt::format("{} {:.1f} °C{}, told {} bytes", resumable_key(reading),
                             reading.celsius, alarm ? ": too warm" : "", talk.size())};
}
