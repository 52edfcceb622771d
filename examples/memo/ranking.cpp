#include "memo/ranking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

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

bool answers(std::string_view text, const std::vector<std::string>& signs) {
  return signs.empty() || shows_sign(text, "", signs);
}

/// A second sentence earns its place if it answers too; else the first is better alone.
std::int64_t worth_of_pair(const Passage& passage, const std::vector<std::string>& signs) {
  if (passage.lead == 0) return 100;
  return answers(std::string_view{passage.text}.substr(passage.lead), signs) ? 125 : 75;
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
  if (is_yaml(source)) return;  // records are for tables
  for (const auto& block : blocks(source.text)) {
    if (block.kind == Block::Kind::heading) continue;
    if (block.kind == Block::Kind::row) {
      const std::string statement = statement_of(block);
      if (!statement.empty()) add({source.path, block.heading, statement, 0, 0, 0});
    } else {
      add(source, block);
    }
  }
}

void Corpus::add(const Source& source, const Block& block) {
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
  passages_.push_back(std::move(passage));
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
  const auto query = terms(search.query);
  std::array<std::vector<Passage>, 3> tiers;  // a sign in the text, one in the heading, none
  for (const auto& passage : passages_) {
    const bool in_text = answers(passage.text, search.signs);
    const bool in_heading = !in_text && shows_sign("", passage.heading, search.signs);
    const std::int64_t points =
        score(passage.order, query) * worth_of_pair(passage, search.signs) / 100;
    if (!in_text && !in_heading && points == 0) continue;
    auto& tier = tiers[in_text ? 0 : in_heading ? 1 : 2];
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
