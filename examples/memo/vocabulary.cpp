#include "memo/vocabulary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "memo/markdown.hpp"

namespace memo {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (auto comma = line.find(','); comma != npos; comma = line.find(',')) {
    cells.push_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  cells.push_back(line);
  return cells;
}

std::int64_t number_in(std::string_view cell) {
  std::int64_t number = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (read.ec != std::errc{} || read.ptr != cell.data() + cell.size()) {
    throw std::invalid_argument{"no points of a word: '" + std::string{cell} + "'"};
  }
  return number;
}

/// `#Prices` gives `#price`.
std::string key_of(std::string_view word) {
  if (word.starts_with('@')) return std::string{word};
  const bool heading = word.starts_with('#');
  if (heading) word.remove_prefix(1);
  return (heading ? "#" : "") + stem_of(to_lower(word));
}

std::vector<std::string> stems_in(const WordIndex& text) {
  std::vector<std::string> stems;
  for (std::size_t at = 1; at < text.stems.size(); at = text.stems.find(' ', at) + 1) {
    auto stem = text.stems.substr(at, text.stems.find(' ', at) - at);
    stems.push_back(stem.find_first_of("0123456789") == npos ? std::move(stem) : "0");
  }
  return stems;
}

/// The square root, rounded down.
std::int64_t root_of(std::int64_t value) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return root;
}

}  // namespace

std::set<std::string> keys_in(const WordIndex& words, const WordIndex& heading,
                              const std::set<std::string>& kinds) {
  std::set<std::string> keys;
  for (const auto& stem : stems_in(words)) keys.insert(stem);
  if (is_brief(heading)) {
    for (const auto& stem : stems_in(heading)) keys.insert('#' + stem);
  }
  for (const auto& kind : kinds) keys.insert('@' + kind);
  return keys;
}

Vocabulary::Vocabulary(std::string_view table) {
  for (const auto line : lines(table)) {
    const auto cells = cells_of(line);
    if (trim(line).empty()) continue;
    if (columns_.empty()) {
      for (std::size_t i = 1; i < cells.size(); ++i) columns_.emplace(cells[i], i - 1);
      continue;
    }
    if (cells.size() != columns_.size() + 1) {
      throw std::invalid_argument{"a word needs points for each question: '" + std::string{line} +
                                  "'"};
    }
    Row row;
    for (std::size_t i = 1; i < cells.size(); ++i) row.push_back(number_in(cells[i]));
    if (cells[0] == "*") {
      any_ = std::move(row);
    } else {
      rows_.emplace(key_of(cells[0]), std::move(row));
    }
  }
  any_.resize(columns_.size());
}

const Vocabulary& Vocabulary::own() {
  static const Vocabulary words = [] {
    std::ifstream file{MEMO_WORDS};
    if (!file) throw std::runtime_error{"cannot read " MEMO_WORDS ", which comes with the program"};
    return Vocabulary{std::string{std::istreambuf_iterator<char>{file}, {}}};
  }();
  return words;
}

std::vector<std::int64_t> Vocabulary::points_of(const std::vector<std::string>& topics,
                                                const WordIndex& words, const WordIndex& heading,
                                                const std::set<std::string>& kinds) const {
  Row sum(columns_.size());
  std::int64_t known = 0;
  for (const auto& key : keys_in(words, heading, kinds)) {
    const auto row = rows_.find(key);
    if (row == rows_.end()) continue;
    ++known;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row->second[i];
  }
  const auto length = root_of(std::max<std::int64_t>(1, known) * 1'000'000);
  std::vector<std::int64_t> points;
  for (const auto& topic : topics) {
    const auto column = columns_.find(topic);
    if (column == columns_.end()) {
      points.push_back(0);
      continue;
    }
    const auto log_odds = 10 * any_[column->second] + 10'000 * sum[column->second] / length;
    points.push_back(std::max<std::int64_t>(0, log_odds));
  }
  return points;
}

}  // namespace memo
