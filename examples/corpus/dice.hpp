/// @file
/// Choices that depend on a text alone: the same on every machine and in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace corpus {

/// SplitMix64 (Steele, Lea, Flood 2014), begun by the FNV-1a hash of a text.
class Dice {
 public:
  explicit Dice(std::string_view seed) noexcept {
    for (const char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }

  /// 0 … `count` - 1. @pre count > 0
  std::size_t below(std::size_t count) noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % count);
  }
  std::size_t between(std::size_t low, std::size_t high) noexcept {
    return low + below(high - low + 1);
  }
  template <class List>
  const auto& pick(const List& list) noexcept {
    return list[below(list.size())];
  }
  /// Fisher and Yates's.
  template <class T>
  void shuffle(std::vector<T>& list) noexcept {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

}  // namespace corpus
