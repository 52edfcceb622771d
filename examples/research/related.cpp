#include "research/related.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "research/text.hpp"

namespace research {
namespace {

/// Everyday words only: those of a trade are found on its own pages.
constexpr std::array<std::string_view, 20> families{
    "cost price fee fare charge tariff pay payment expense",
    "rule law regulation requirement obligation",
    "danger hazard risk safety warning protection",
    "staff team employee personnel people",
    "begin start launch",
    "end finish stop close",
    "repair maintenance service upkeep",
    "timetable schedule departure hours",
    "buy purchase procurement acquire acquisition",
    "build construct construction",
    "teach teacher school course lesson training",
    "doctor medical health patient illness disease",
    "car vehicle",
    "child children kid youth",
    "money fund funding grant budget finance",
    "food meal eat",
    "house home household residence resident",
    "opening hours open",
    "damage fault failure defect error",
    "result outcome finding"};

}  // namespace

std::vector<std::string> related_to(const std::string& word) {
  std::vector<std::string> found;
  const std::string own = stem(word);
  for (const std::string_view family : families) {
    auto of_family = terms(words(family));
    if (std::ranges::find(of_family, own) == of_family.end()) continue;
    std::erase(of_family, own);
    found.insert(found.end(), of_family.begin(), of_family.end());
  }
  return found;
}

}  // namespace research
