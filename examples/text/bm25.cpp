#include "text/bm25.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace text {
namespace {

constexpr std::int64_t saturation = 2200;  ///< 1000 * (k1 + 1)

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

}  // namespace

void Index::add(const std::vector<std::string>& terms) {
  Counts& counts = counts_.emplace_back();
  for (const auto& term : terms) {
    if (++counts.terms[term] == 1) ++holding_[term];
  }
  counts.length = std::ssize(terms);
  length_ += counts.length;
}

std::int64_t Index::holding(const std::string& term) const {
  const auto found = holding_.find(term);
  return found == holding_.end() ? 0 : found->second;
}

std::int64_t Index::count(std::size_t document, const std::string& term) const {
  const auto found = counts_[document].terms.find(term);
  return found == counts_[document].terms.end() ? 0 : found->second;
}

std::int64_t Index::rarity(const std::string& term) const {
  const auto documents = static_cast<std::uint64_t>(holding(term));
  return documents == 0 ? 0 : log2_sixteenths(counts_.size() + 1, documents) + 1;
}

std::int64_t Index::rarest() const { return log2_sixteenths(counts_.size() + 1, 1) + 1; }

std::int64_t Index::score(std::size_t document, const std::vector<std::string>& query) const {
  const std::int64_t average = std::max<std::int64_t>(1, length_ / std::ssize(counts_));
  const std::int64_t norm = 300 + 900 * counts_[document].length / average;
  std::int64_t sum = 0;
  for (const auto& term : query) {
    const std::int64_t tf = 1000 * count(document, term);
    if (tf > 0) sum += rarity(term) * tf * saturation / (tf + norm);
  }
  return sum;
}

std::int64_t Index::best_score(const std::vector<std::string>& query) const {
  std::int64_t sum = 0;
  for (const auto& term : query) sum += rarity(term) * saturation;
  return sum;
}

}  // namespace text
