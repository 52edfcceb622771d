#include "memo/ranking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <set>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/table.hpp"

namespace memo {
namespace {

constexpr std::size_t longest_pair = 420;  // bytes

int year_of(std::string_view path) { return std::atoi(date_of(path).substr(0, 4).c_str()); }

/// log2(numerator / denominator) in sixteenths, by repeated squaring of the mantissa.
std::int64_t log2_sixteenths(std::uint64_t numerator, std::uint64_t denominator) {
  std::uint64_t ratio = (numerator << 16) / std::max<std::uint64_t>(denominator, 1);
  if (ratio <= (1U << 16)) return 0;
  const int whole = static_cast<int>(std::bit_width(ratio)) - 17;
  std::int64_t result = whole * 16;
  std::uint64_t mantissa = ratio >> whole;
  for (std::int64_t bit = 8; bit > 0; bit /= 2) {
    mantissa = (mantissa * mantissa) >> 16;
    if (mantissa < (2U << 16)) continue;
    mantissa >>= 1;
    result += bit;
  }
  return result;
}

/// The stems of the question's words and signs, each once.
std::vector<std::string> query_of(const Search& search) {
  auto query = terms(search.query);
  for (const auto& sign : search.signs) {
    auto more = terms(sign);
    std::ranges::move(more, std::back_inserter(query));
  }
  const std::set<std::string> once{query.begin(), query.end()};
  return {once.begin(), once.end()};
}

}  // namespace

Corpus::Corpus(const Sources& sources) {
  for (const auto& source : sources) {
    newest_year_ = std::max(newest_year_, year_of(source.path));
    bodies_.emplace(source.path, body_of(source));
    add(source);
  }
  std::int64_t total = 0;
  for (const auto& counts : counts_) total += counts.length;
  if (!counts_.empty()) average_length_ = std::max<std::int64_t>(1, total / std::ssize(counts_));
}

void Corpus::add(const Source& source) {
  if (!is_records(source)) {
    for (const auto& block : blocks(source.text)) {
      const bool words = block.kind == Block::Kind::paragraph || block.kind == Block::Kind::item;
      if (words) add(source, block);
    }
  }
  for (const auto& table : raw_tables_in(source)) add(source, table);
}

/// The rows as statements, and the sentences in long cells.
void Corpus::add(const Source& source, const Table& table) {
  const auto statements = row_statements(table);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!statements[i].empty()) add({source.path, table.caption, statements[i], 0, 0, 0});
    for (std::size_t c = 1; c < table.rows[i].size(); ++c) {
      for (auto& sentence : sentences(table.rows[i][c])) {
        if (stands_alone(sentence)) add({source.path, table.columns[c], sentence, 0, 0, 0});
      }
    }
  }
}

void Corpus::add(const Source& source, const Block& block) {
  if (const auto fragment = fragment_of(block); tells_briefly(fragment)) {
    return add({source.path, block.heading, fragment, 0, 0, 0});
  }
  const auto all = sentences(block.text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!stands_alone(all[i])) continue;
    add({source.path, block.heading, all[i], 0, 0, 0});
    if (i + 1 == all.size() || !follows_on(all[i + 1])) continue;
    const std::string pair = all[i] + ' ' + all[i + 1];
    if (pair.size() < longest_pair) add({source.path, block.heading, pair, all[i].size(), 0, 0});
  }
}

void Corpus::add(Passage passage) {
  passage.order = passages_.size();
  auto& counts = counts_.emplace_back();
  for (const auto& term : terms(passage.text)) {
    ++counts.length;
    if (++counts.terms[term] == 1) ++document_frequency_[term];
  }
  indexes_.push_back({WordIndex{passage.text}, WordIndex{passage.heading},
                      WordIndex{std::string_view{passage.text}.substr(passage.lead)}});
  passages_.push_back(std::move(passage));
}

/// A second sentence earns its place if it answers too; else the first is better alone.
std::int64_t Corpus::worth_of_pair(const Passage& passage, const Signs& signs) const {
  if (passage.lead == 0) return 100;
  return signs.empty() || signs.in_text(indexes_[passage.order].second) ? 125 : 75;
}

std::int64_t Corpus::rarity(const std::string& term) const {
  const auto found = document_frequency_.find(term);
  if (found == document_frequency_.end()) return 0;
  return log2_sixteenths(passages_.size() + 1, static_cast<std::uint64_t>(found->second)) + 1;
}

/// BM25 with k1 = 1.2 and b = 0.75, scaled by 1000 (Robertson and Zaragoza, 2009).
std::int64_t Corpus::score(std::size_t index, const std::vector<std::string>& query) const {
  const Counts& counts = counts_[index];
  std::int64_t sum = 0;
  for (const auto& term : query) {
    const auto found = counts.terms.find(term);
    if (found == counts.terms.end()) continue;
    const std::int64_t tf = 1000 * found->second;
    const std::int64_t norm = 300 + 900 * counts.length / average_length_;
    sum += rarity(term) * tf * 2200 / (tf + norm);
  }
  return sum * weight(passages_[index]) / 100;
}

/// Lasting pages before news, newer news before older, a neutral voice before `we` and `you`.
std::int64_t Corpus::weight(const Passage& passage) const {
  const int year = year_of(passage.source);
  std::int64_t percent = year == 0 ? 120 : std::max(50, 100 - 7 * (newest_year_ - year));
  if (is_first_person(passage.text)) percent = percent * 55 / 100;
  return percent;
}

std::vector<Passage> Corpus::find(const Search& search) const {
  const Signs signs{search.signs};
  const auto query = query_of(search);
  std::array<std::vector<Passage>, 4> tiers;  // by how many signs they show
  for (const auto& passage : passages_) {
    const Indexes& index = indexes_[passage.order];
    const auto shown =
        std::min<std::int64_t>(2, signs.count_in(index.text)) + signs.in_heading(index.heading);
    const std::int64_t points = score(passage.order, query) * worth_of_pair(passage, signs) / 100;
    if (shown == 0 && points == 0) continue;
    auto& tier = tiers[static_cast<std::size_t>(3 - shown)];
    tier.push_back(passage);
    tier.back().score = points;
  }
  std::vector<Passage> hits;
  for (auto& tier : tiers) {
    std::ranges::stable_sort(tier, std::greater<>{}, &Passage::score);
    hits.insert(hits.end(), tier.begin(), tier.end());
  }
  if (hits.size() > search.limit) hits.resize(search.limit);
  return hits;
}

bool Corpus::holds(std::string_view path, std::string_view quote) const {
  const auto in = [&](std::string_view words) {
    return !words.empty() && body(path).find(words) != std::string_view::npos;
  };
  return in(quote) || in(plain(quote));
}

std::string Corpus::source_of(std::string_view quote, std::string_view preferred) const {
  if (holds(preferred, quote)) return std::string{preferred};
  for (const auto& [path, body] : bodies_) {
    if (holds(path, quote)) return path;
  }
  return {};
}

std::string Corpus::heading_of(std::string_view path, std::string_view text) const {
  const auto found = std::ranges::find_if(passages_, [&](const Passage& passage) {
    return passage.source == path && passage.text == text;
  });
  return found == passages_.end() ? std::string{} : found->heading;
}

std::string_view Corpus::body(std::string_view path) const {
  const auto found = bodies_.find(path);
  return found == bodies_.end() ? std::string_view{} : std::string_view{found->second};
}

}  // namespace memo
