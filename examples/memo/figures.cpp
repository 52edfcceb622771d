#include "memo/figures.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

/// A word of four letters or more that is no part of the figure.
bool is_plain_word(std::string_view word) {
  static constexpr std::array<std::string_view, 5> scales{"thousand", "million", "billion", "crore",
                                                          "lakh"};
  if (std::ranges::find(scales, word) != scales.end()) return false;
  return word.size() >= 4 && std::ranges::all_of(word, [](char c) {
           return std::isalpha(static_cast<unsigned char>(c)) != 0;
         });
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    if (!word.empty()) out.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return out;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

bool is_known(const std::vector<Conflict>& conflicts, const Conflict& conflict) {
  return std::ranges::any_of(conflicts, [&](const Conflict& other) {
    const bool same = other.first == conflict.first && other.second == conflict.second;
    const bool swapped = other.first == conflict.second && other.second == conflict.first;
    return other.thing == conflict.thing && (same || swapped);
  });
}

}  // namespace

std::vector<Figure> figures(std::string_view text) {
  std::vector<Figure> out;
  const auto all = words(text);
  for (std::size_t i = 0; i + 2 < all.size(); ++i) {
    if (!is_number(all[i]) || !is_plain_word(all[i + 1]) || !is_plain_word(all[i + 2])) continue;
    const auto found = numbers(all[i]);
    if (found.size() != 1) continue;
    out.push_back({found[0], to_lower(all[i + 1]) + ' ' + to_lower(all[i + 2])});
  }
  return out;
}

Figures::Figures(const Sources& sources) {
  for (const auto& source : sources) {
    for (auto& figure : figures(body_of(source))) {
      uses_[figure.thing].push_back({std::move(figure.number), source.path});
    }
  }
}

std::vector<std::string> Figures::also_in(std::string_view statement,
                                          const std::string& source) const {
  std::vector<std::string> out;
  for (const auto& figure : figures(statement)) {
    const auto uses = uses_.find(figure.thing);
    if (uses == uses_.end()) continue;
    for (const auto& use : uses->second) {
      const bool known = std::ranges::find(out, use.source) != out.end();
      if (use.number == figure.number && use.source != source && !known) out.push_back(use.source);
    }
  }
  return out;
}

void Figures::find_conflicts(std::string_view statement, const std::string& source,
                             std::vector<Conflict>& conflicts) const {
  for (const auto& figure : figures(statement)) {
    const auto uses = uses_.find(figure.thing);
    if (uses == uses_.end()) continue;
    for (const auto& use : uses->second) {
      if (use.number == figure.number || use.source == source) continue;
      Conflict conflict{figure.thing, figure.number, source, use.number, use.source};
      if (!is_known(conflicts, conflict)) conflicts.push_back(std::move(conflict));
    }
  }
}

}  // namespace memo
