/// @file
/// A small life of a run, to be broken at every call: what it acknowledged must be there.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>

#include "resumable/store.hpp"
#include "store/records.hpp"

namespace resumable::test {

inline constexpr int scenario_steps = 5;

/// What is current after so many steps: path and generation to payload.
[[nodiscard]] inline std::map<std::string, std::string> state_after(int steps) {
  std::map<std::string, std::string> state;
  if (steps >= 1) state["draft.1"] = "the first";
  if (steps >= 2) state["item/a.1"] = "an item";
  if (steps >= 3) state.insert({{"x.1", "batched x"}, {"y.1", "batched y"}});
  if (steps >= 4) state["draft.2"] = "the second";
  if (steps >= 5) state["draft.3"] = std::string(100'000, 'x');
  if (steps >= 5) state.erase("draft.1");
  return state;
}

/// Step `step`, from 1; done before or not, it is as if it had been done once.
inline void do_step(Lease& lease, int step) {
  if (step == 1) commit(lease, "draft", 1, "the first");
  if (step == 2) commit(lease, "item/a", 1, "an item");
  if (step == 3) {
    Puts batch(2);
    batch.add("x", 1, "batched x");
    batch.add("y", 1, "batched y");
    lease.commit({.puts = batch.all(), .erases = {}});
  }
  if (step == 4) commit(lease, "draft", 2, "the second");
  if (step == 5) {
    const StringPayload bytes{std::string(100'000, 'x')};
    const Put put{{"draft", 3}, tag_of(3), "{}", &bytes};
    const RecordId old{"draft", 1};
    lease.commit({.puts = {&put, 1}, .erases = {&old, 1}});
  }
}

/// All whole records, read.
[[nodiscard]] inline std::map<std::string, std::string> state_of(const CheckpointStore& store) {
  std::map<std::string, std::string> state;
  store.scan("run", {}, [&](const RecordHead& head) {
    const std::string name = std::string(head.id.path) + "." + std::to_string(head.id.generation);
    state[name] =
        head.damage == Damage::none ? payload(store, "run", head.id).value_or("absent") : "damaged";
    return true;
  });
  return state;
}

/// How many steps a state shows as done; -1 when it is none of theirs. An erase may come late.
[[nodiscard]] inline int steps_of(std::map<std::string, std::string> state) {
  for (int steps = scenario_steps; steps >= 0; --steps) {
    auto expected = state_after(steps);
    if (state == expected) return steps;
    if (steps == scenario_steps) {
      expected["draft.1"] = "the first";
      if (state == expected) return steps;
    }
  }
  return -1;
}

/// Goes on where the run stands, and tells each step once it is acknowledged.
inline void go_on(CheckpointStore& store, const std::function<void(int)>& acknowledged) {
  const auto lease = store.lease("run");
  for (int step = steps_of(state_of(store)) + 1; step <= scenario_steps; ++step) {
    do_step(*lease, step);
    acknowledged(step);
  }
}

}  // namespace resumable::test
