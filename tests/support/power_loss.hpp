/// @file
/// The states that a loss of power may leave on a disk in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/memory_disk.hpp"

namespace resumable::test {

/// Of a torn write at least this much is kept.
inline constexpr std::size_t sector_bytes = 512;

/// The disks that differ in what they hold: with few pieces pending, many choices leave the same.
inline std::vector<std::unique_ptr<MemoryDisk>> distinct(
    std::vector<std::unique_ptr<MemoryDisk>> disks) {
  std::set<std::size_t> hashes;
  std::vector<std::unique_ptr<MemoryDisk>> kept;
  for (auto& disk : disks) {
    if (hashes.insert(disk->contents_hash()).second) kept.push_back(std::move(disk));
  }
  return kept;
}

/// What a loss of power at this moment may leave, each state once: nothing or all of what is
/// pending, all but one piece, one alone, each prefix, writes torn in their first sector, and some
/// parts at random.
inline std::vector<std::unique_ptr<MemoryDisk>> losses(const MemoryDisk& disk, std::mt19937& random,
                                                       bool thorough) {
  std::vector<std::unique_ptr<MemoryDisk>> all;
  const std::size_t count = disk.pending();
  all.push_back(disk.after_power_loss([](std::size_t) { return false; }));
  if (count == 0) return all;
  all.push_back(disk.after_power_loss([](std::size_t) { return true; }, sector_bytes));
  for (int i = 0; i < (thorough ? 4 : 1); ++i) {
    all.push_back(disk.after_power_loss([&](std::size_t) { return random() % 2 == 0; },
                                        random() % 2 == 0 ? sector_bytes : 0));
  }
  if (!thorough) return distinct(std::move(all));
  for (std::size_t write = 0; write < count; ++write) {
    all.push_back(disk.after_power_loss([&](std::size_t i) { return i == write; }));
    all.push_back(disk.after_power_loss([&](std::size_t i) { return i != write; }));
    all.push_back(disk.after_power_loss([&](std::size_t i) { return i <= write; }, sector_bytes));
  }
  return distinct(std::move(all));
}

}  // namespace resumable::test
