/// @file
/// A small life of a run in a journal, to be broken at every call: small commits, batches, large
/// values in the log and beside it, erased ones, segments that are full, a log that is cleaned, and
/// segments used again.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "resumable/journal_store.hpp"
#include "store/records.hpp"
#include "store/scenario.hpp"

namespace resumable::test {

inline constexpr int story_steps = 22;
/// So that a segment is full after a few commits.
inline constexpr std::uint64_t story_segment_bytes = 2048;

[[nodiscard]] inline JournalStoreOptions story_options(sys::FileSystem* files = nullptr) {
  return {.folder = {.files = files},
          .segment_bytes = story_segment_bytes,
          .index_after_bytes = story_segment_bytes};
}

using StoryState = std::map<std::string, std::string>;  ///< path and generation to payload

[[nodiscard]] inline StoryState make_story_state(int steps) {
  StoryState state;
  if (steps >= 1) state["draft.1"] = "the first";
  if (steps >= 2) state["item/a.1"] = std::string(700, 'a');
  if (steps >= 3)
    state.insert({{"x.1", std::string(600, 'x')}, {"y.1", std::string(270'000, 'y')}});
  if (steps >= 4) state["draft.2"] = std::string(900, 'd');
  if (steps >= 5) state["draft.3"] = std::string(100'000, 'e');
  if (steps >= 5) state.erase("draft.1");
  if (steps >= 6) state["y.2"] = "small now";
  if (steps >= 6) state.erase("y.1");
  if (steps >= 7) state.erase("draft.3");
  for (int step = 8; step <= std::min(steps, 21); ++step) {  // a loop: the log is cleaned
    state["loop." + std::to_string(step)] = std::string(1'000, 'l');
    state.erase("loop." + std::to_string(step - 1));
  }
  if (steps >= 22) state["last.1"] = "the end";
  return state;
}

/// What is current after so many steps. They are made once: sweeps compare with them at each call.
[[nodiscard]] inline const StoryState& story_after(int steps) {
  static const std::vector<StoryState> states = [] {
    std::vector<StoryState> all;
    for (int step = 0; step <= story_steps; ++step) all.push_back(make_story_state(step));
    return all;
  }();
  return states.at(static_cast<std::size_t>(steps));
}

inline void tell_step(Lease& lease, int step, Durability durability = Durability::full) {
  const StoryState& before = story_after(step - 1);
  const StoryState& after = story_after(step);
  Puts puts{2};
  std::vector<std::pair<std::string, std::uint64_t>> erased;
  const auto id_of = [](const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return std::pair{name.substr(0, dot), std::uint64_t{std::stoul(name.substr(dot + 1))}};
  };
  for (const auto& [name, bytes] : after) {
    if (before.contains(name)) continue;
    const auto [path, generation] = id_of(name);
    puts.add(path, generation, bytes);
  }
  for (const auto& [name, _] : before) {
    if (!after.contains(name)) erased.push_back(id_of(name));
  }
  std::vector<RecordId> erases;
  for (const auto& [path, generation] : erased) erases.push_back({path, generation});
  lease.commit({.puts = puts.all(), .erases = erases}, {.durability = durability, .wait = {}});
}

/// How many steps a state shows as done; -1 when it is none of theirs.
[[nodiscard]] inline int told_steps(const CheckpointStore& store) {
  const auto state = state_of(store);
  for (int steps = story_steps; steps >= 0; --steps) {
    if (state == story_after(steps)) return steps;
  }
  return -1;
}

/// Goes on where the run stands, and tells each step once it is acknowledged. There are several
/// leases: each that ends may leave an index.
inline void tell_on(CheckpointStore& store, const std::function<void(int)>& acknowledged) {
  auto lease = store.lease("run");
  for (int step = told_steps(store) + 1; step <= story_steps; ++step) {
    tell_step(*lease, step);
    acknowledged(step);
    if (step != 5 && step != 9) continue;
    lease.reset();
    lease = store.lease("run");
  }
}

}  // namespace resumable::test
