#include "research/feedback.hpp"

#include <algorithm>
#include <set>

namespace research {
namespace {

/// A number stands for many things: it is no sign of a topic.
bool is_number(const std::string& term) { return term[0] >= '0' && term[0] <= '9'; }

}  // namespace

Feedback::Feedback(const ::text::Index& index,
                   const std::vector<std::vector<std::string>>& documents,
                   const std::vector<bool>& known) {
  std::map<std::string, std::int64_t> holding;
  std::map<std::string, std::int64_t> in_known;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const std::string& term : std::set(documents[i].begin(), documents[i].end())) {
      ++holding[term];
      in_known[term] += known[i] ? 1 : 0;
    }
  }
  const auto share =
      100 * std::ranges::count(known, true) / std::max<std::int64_t>(1, std::ssize(known));
  for (const auto& [term, count] : in_known) {
    // One more than there are: of a term that was met once, little is known.
    const std::int64_t percent = 100 * count / (holding[term] + 1);
    if (count == 0 || percent <= share || is_number(term)) continue;
    weights_[term] = index.rarity(term) * (percent - share) / (100 - share);
  }
}

std::int64_t Feedback::score(const std::vector<std::string>& terms) const {
  std::int64_t sum = 0;
  for (const std::string& term : std::set(terms.begin(), terms.end())) {
    const auto found = weights_.find(term);
    sum += found == weights_.end() ? 0 : found->second;
  }
  return sum;
}

}  // namespace research
