#include "memo/measured.hpp"

#include <algorithm>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

/// Whether `phrase` names a number that is written in words, beside it.
bool is_beside(const Quantity& one, const std::string& phrase) {
  constexpr std::size_t close = 12;  // bytes
  const std::string lower = to_lower(one.passage->text);
  const auto at = lower.find(phrase);
  if (at == std::string::npos || one.amount.value.size() > 2) return false;
  const auto end = at + phrase.size();
  return one.amount.end + 1 == at || (one.amount.begin > end && one.amount.begin - end < close);
}

}  // namespace

void name_measures(std::vector<Quantity>& quantities, const std::vector<Measure>& measures) {
  for (auto& one : quantities) {
    for (const auto& measure : measures) {
      const bool named = std::ranges::any_of(measure.phrases, [&](const std::string& phrase) {
        const auto figure = amount_of(one.passage->text, phrase);
        return figure ? figure->begin == one.amount.begin : is_beside(one, phrase);
      });
      if (named && !one.part) one.measure = measure.name;
    }
  }
}

}  // namespace memo
