/// @file
/// Finds the words of an answer in what a memo says, however the source and the memo set them.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo::testing {

inline std::vector<std::string> phrases_in(const nlohmann::json& json) {
  if (json.is_string()) return {json.get<std::string>()};
  return json.get<std::vector<std::string>>();
}

/// One character of UTF-8 at the head of `text`.
inline std::string_view first_character(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return text.substr(0, size);
}

/// What a mark that is no letter or digit is in words: a word of its own, which the end of a
/// sentence or clause is too, a part of a figure, nothing, or a blank.
inline std::string as_word(std::string_view mark, std::string_view before, std::string_view after) {
  static constexpr std::array<std::string_view, 6> words{"%", "$", "€", "£", "₹", "°"};
  static constexpr std::array<std::string_view, 9> wide{"–", "—", "“", "”", "‘",
                                                        "…", "·", "•", "→"};
  const auto digits = std::min(after.find_first_not_of("0123456789"), after.size());
  const bool figure = !before.empty() && std::isdigit(static_cast<unsigned char>(before.back()));
  if (std::ranges::find(words, mark) != words.end()) return ' ' + std::string{mark} + ' ';
  if (mark == "'" || mark == "’") return {};
  if (mark == "," && figure && digits == 3) return {};  // thousands
  const bool point = (mark == "." || mark == ",") && figure && digits > 0;
  const bool minus = mark == "-" && digits > 0 && (before.empty() || before.ends_with(' '));
  const bool ends = after.empty() || after.starts_with(' ');
  if (ends && std::string_view{".;!?"}.find(mark) != npos) return " ; ";
  const bool letter = mark.size() > 1 && std::ranges::find(wide, mark) == wide.end();
  return point || minus || letter ? std::string{mark} : " ";
}

/// `**Ada**, paid $1,550.50` gives ` ada paid $ 1550.50 `: without markup, capitals and
/// punctuation.
inline std::string words_of(std::string_view text) {
  const std::string read = to_lower(plain(text));
  std::string out{" "};
  const auto add = [&](std::string_view words) {
    for (const char c : words) {
      if (c != ' ' || !out.ends_with(' ')) out += c;
    }
  };
  for (std::string_view rest{read}; !rest.empty();) {
    const auto one = first_character(rest);
    const auto before = std::string_view{read}.substr(0, read.size() - rest.size());
    rest.remove_prefix(one.size());
    add(is_word(one[0]) ? std::string{one} : as_word(one, before, rest));
  }
  add(" ");
  while (out.ends_with(" ; ")) out.resize(out.size() - 2);
  return out;
}

/// `text` cut at each `mark`; at commas and semicolons only where no blank follows.
inline std::vector<std::string_view> cut(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool spaced = mark != '|' && at + 1 < text.size() && text[at + 1] == ' ';
    if (text[at] != mark || spaced) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// The cells of a phrase that is a row of a table (`box,month,950`, `| box | 950 |`), in words and
/// without empty ones; none for other phrases.
inline std::vector<std::string> row_in(std::string_view phrase) {
  for (const char mark : {'|', ';', '\t', ','}) {
    std::vector<std::string> cells;
    for (const auto part : cut(phrase, mark)) cells.push_back(words_of(part));
    std::erase(cells, " ");
    const bool named = !cells.empty() && std::ranges::any_of(cells[0], [](unsigned char c) {
      return std::isalpha(c) != 0;
    });
    if (named && cells.size() >= (mark == '|' ? 2 : 3)) return cells;
  }
  return {};
}

/// Whether `text` is a row of a memo's table, or a statement made of one (`Box: unit month; price
/// 950.`), with these cells one after the other.
inline bool has_row(std::string_view text, const std::vector<std::string>& cells) {
  const bool table = text.find('|') != npos;
  std::string marked{text};
  if (!table) marked = replace_all(replace_all(std::move(marked), ": ", "|"), "; ", "|");
  std::vector<std::string> parts;
  for (const auto part : cut(marked, '|')) parts.push_back(words_of(part));
  const auto same = [&](const std::string& part, const std::string& cell) {
    return table ? part == cell : part.ends_with(cell);
  };
  return !cells.empty() && !std::ranges::search(parts, cells, same).empty();
}

/// Whether `text` says `phrase`.
inline bool holds(std::string_view text, std::string_view phrase) {
  return words_of(text).find(words_of(phrase)) != npos || has_row(text, row_in(phrase));
}

inline bool holds_one(std::string_view text, const std::vector<std::string>& phrases) {
  return std::ranges::any_of(phrases, [&](const auto& phrase) { return holds(text, phrase); });
}

}  // namespace memo::testing
