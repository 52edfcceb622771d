/// @file
/// What a topic is about and wants to know, and how much of it a statement says.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "research/pieces.hpp"
#include "research/topic.hpp"

namespace research {

class Subject {
 public:
  explicit Subject(const std::string& topic);

  [[nodiscard]] Asks asks() const noexcept { return asks_; }
  [[nodiscard]] std::ptrdiff_t size() const noexcept { return std::ssize(terms_); }

  /// How many of its words stand near the beginning of a text.
  [[nodiscard]] std::ptrdiff_t names(const std::string& text) const;
  /// Likewise, the word that says what it is counting more than another.
  [[nodiscard]] std::ptrdiff_t score(const std::string& text) const;
  [[nodiscard]] bool calls_by_name(const std::string& text) const;
  [[nodiscard]] bool leads(const std::string& text) const;
  /// How many of its words stand in a piece or above it.
  [[nodiscard]] std::ptrdiff_t covers(const Piece& piece) const;
  /// Whether a piece says what the topic wants to know.
  [[nodiscard]] bool answers(const Piece& piece) const;

 private:
  std::vector<std::string> terms_;  ///< without what the topic wants to know
  Asks asks_;
  std::string initials_;
  std::string head_;  ///< the word that says what it is
};

}  // namespace research
