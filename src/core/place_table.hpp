/// @file
/// Finds where a text is in a sequence of texts that is kept elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace resumable::core {

/// A hash table of places alone: four bytes for each slot and no node for each text, so that a
/// million texts cost a few megabytes. `text_at(place)` gives the text at a place.
class PlaceTable {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Forgets everything, and makes room for so many.
  void reserve(std::size_t count) {
    std::size_t size = 16;
    while (size < 2 * count) size *= 2;
    slots_.assign(size, none);
    count_ = 0;
  }

  /// The first place of `text`, or none.
  template <class TextAt>
  [[nodiscard]] std::uint32_t find(std::string_view text, const TextAt& text_at) const {
    if (slots_.empty()) return none;
    return slots_[slot_of(text, text_at)];
  }

  /// Adds a place, unless its text is at an earlier one: then returns that.
  template <class TextAt>
  std::uint32_t insert(std::uint32_t place, const TextAt& text_at) {
    if (2 * (count_ + 1) > slots_.size()) grow(text_at);
    std::uint32_t& slot = slots_[slot_of(text_at(place), text_at)];
    if (slot != none) return slot;
    slot = place;
    ++count_;
    return none;
  }

 private:
  /// The slot that holds the text's place, or the free one where it belongs.
  template <class TextAt>
  [[nodiscard]] std::size_t slot_of(std::string_view text, const TextAt& text_at) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>{}(text)&mask;
    while (slots_[at] != none && text_at(slots_[at]) != text) at = (at + 1) & mask;
    return at;
  }

  template <class TextAt>
  void grow(const TextAt& text_at) {
    const std::vector<std::uint32_t> places = std::exchange(slots_, {});
    reserve(2 * (count_ + 1));
    for (const std::uint32_t place : places) {
      if (place == none) continue;
      slots_[slot_of(text_at(place), text_at)] = place;
      ++count_;
    }
  }

  std::vector<std::uint32_t> slots_;  ///< as many as a power of two, at most half of them taken
  std::size_t count_ = 0;
};

}  // namespace resumable::core
