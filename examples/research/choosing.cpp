// Which of the evidence a report quotes.
#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include "research/agreement.hpp"
#include "research/evidence.hpp"
#include "research/text.hpp"

namespace research {
namespace {

// Of the weight of the best unit. What has less stands on a page that shares a word with the topic,
// not more. Without a figure a sentence has to bear more on the topic to be missed.
constexpr std::size_t floor_percent = 45;
constexpr std::size_t item_floor_percent = 35;
constexpr std::size_t figure_floor_percent = 12;

constexpr std::size_t most_words = 1800;   ///< of a report: what is read in ten minutes
constexpr std::size_t fewest_words = 120;  ///< of one about a site of a few lines
constexpr std::size_t share_percent = 75;  ///< of the pages that it cites
/// Percent of the site: with headings, sources and the marks of tables that is below half.
constexpr std::size_t most_of_all = 33;

/// Of a page that takes a figure back, so many sentences before and after it are about that, too.
constexpr std::size_t around = 4;

constexpr std::size_t choice = 2;  ///< a report chooses among so many times its words

/// Four of five terms in common, and no number of its own.
bool repeats(const std::set<std::string>& own, const std::set<std::string>& before) {
  std::size_t common = 0;
  for (const std::string& term : own) {
    if (before.contains(term)) {
      ++common;
    } else if (std::isdigit(static_cast<unsigned char>(term.front())) != 0) {
      return false;
    }
  }
  return common * 5 > own.size() * 4;
}

}  // namespace

std::vector<std::size_t> Evidence::relevant() const {
  const std::size_t best = weights_.empty() ? 0 : *std::ranges::max_element(weights_);
  std::vector<std::size_t> order(units_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::size_t unit) {
    const bool figure = has_figure(words(units_[unit].text));
    const std::size_t floor = open_                      ? 0
                              : figure                   ? figure_floor_percent
                              : units_[unit].is_sentence ? floor_percent
                                                         : item_floor_percent;
    return weights_[unit] == 0 || weights_[unit] * 100 < best * floor;
  });
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  constexpr std::size_t most = 400;
  std::vector<std::size_t> found;
  std::vector<std::set<std::string>> said;
  for (const std::size_t unit : order) {
    if (found.size() == most) break;
    std::set<std::string> own(terms_[unit].begin(), terms_[unit].end());
    if (std::ranges::any_of(said, [&](const auto& before) { return repeats(own, before); }))
      continue;
    said.push_back(std::move(own));
    found.push_back(unit);
  }
  return found;
}

std::vector<std::size_t> Evidence::corrections(const std::vector<std::size_t>& units) const {
  std::set<std::size_t> found;
  const auto add_around = [&](std::size_t unit) {
    const std::size_t end = std::min(units_.size(), unit + around + 1);
    for (std::size_t i = unit - std::min(unit, around); i < end; ++i) {
      const bool near = units_[i].section == units_[unit].section;
      if (near && !said_[i].figures.empty()) found.insert(i);
    }
  };
  for (std::size_t later = 0; later < units_.size(); ++later) {
    if (units_[later].is_row) continue;
    for (const std::size_t unit : units) {
      if (dates_[units_[later].page] <= dates_[units_[unit].page]) continue;
      const bool about =
          disagree(said_[later], said_[unit]) && is_about(said_[later], said_[unit], rare_);
      if (!about && !may_update(said_[later], said_[unit], rare_)) continue;
      found.insert(later);
      if (takes_back(said_[later], said_[unit])) add_around(later);
    }
  }
  return {found.begin(), found.end()};
}

/// How many words may be quoted from the pages that these units are on.
std::size_t Evidence::room(const std::vector<std::size_t>& units) const {
  std::set<std::size_t> pages;
  for (const std::size_t unit : units) pages.insert(units_[unit].page);
  std::size_t words = 0;
  for (const std::size_t page : pages) words += page_words_[page];
  const std::size_t all = std::accumulate(page_words_.begin(), page_words_.end(), std::size_t{0});
  return std::min(
      {most_words, words * share_percent / 100, std::max(fewest_words, all * most_of_all / 100)});
}

/// Those on the pages that bear most on the topic, until they have as many words: a few pages that
/// say much make a better report than one sentence of each.
std::vector<std::size_t> Evidence::on_best_pages(std::vector<std::size_t> units,
                                                 std::size_t words) const {
  std::map<std::size_t, std::size_t> words_of;
  std::map<std::size_t, std::size_t> sums;
  for (const std::size_t unit : units) {
    words_of[units_[unit].page] += units_[unit].words;
    sums[units_[unit].page] += weights_[unit] * units_[unit].words;
  }
  std::vector<std::pair<std::int64_t, std::size_t>> ranked;
  for (const auto& [page, sum] : sums) {
    ranked.emplace_back(-static_cast<std::int64_t>(sum / std::max<std::size_t>(1, words_of[page])),
                        page);
  }
  std::ranges::sort(ranked);
  std::set<std::size_t> pages;
  std::size_t sum = 0;
  for (const auto& [weight, page] : ranked) {
    if (sum < words) pages.insert(page);
    sum += words_of[page];
  }
  std::erase_if(units, [&](std::size_t unit) { return !pages.contains(units_[unit].page); });
  return units;
}

/// Each page gets room by how much it has to say, and how much that bears on the topic: else the
/// best page would be copied and the others be left out. What is left goes to the best of the rest.
std::set<std::size_t> Evidence::pick(const std::vector<std::size_t>& relevant,
                                     std::size_t left) const {
  std::map<std::size_t, std::size_t> claims;
  std::size_t all_claims = 0;
  for (const std::size_t unit : relevant) {
    const std::size_t claim = weights_[unit] * weights_[unit] * weights_[unit] * units_[unit].words;
    claims[units_[unit].page] += claim;
    all_claims += claim;
  }
  for (auto& [page, claim] : claims) claim = left * claim / std::max<std::size_t>(1, all_claims);
  std::set<std::size_t> taken;
  for (const bool by_page : {true, false}) {
    while (true) {
      std::size_t best = units_.size();
      std::size_t most = 0;
      for (const std::size_t unit : relevant) {
        const std::size_t words = units_[unit].words;
        if (words > left || (by_page && words > claims[units_[unit].page])) continue;
        if (value(unit) <= most || taken.contains(unit)) continue;
        best = unit;
        most = value(unit);
      }
      if (best == units_.size()) break;
      taken.insert(best);
      left -= units_[best].words;
      std::size_t& own = claims[units_[best].page];
      own -= std::min(own, units_[best].words);
    }
  }
  return taken;
}

std::vector<std::size_t> Evidence::chosen(const std::vector<std::size_t>& all) const {
  const std::size_t words = room(all);
  const auto candidates = on_best_pages(all, words * choice);
  std::set<std::size_t> taken;
  std::size_t left = words;
  for (int round = 0; round < 2; ++round) {  // the second time with room for what corrects
    taken = pick(candidates, left);
    std::size_t sum = 0;
    for (const std::size_t unit : corrections({taken.begin(), taken.end()})) {
      sum += taken.insert(unit).second ? units_[unit].words : 0;
    }
    left = words - std::min(words, sum);
  }
  return {taken.begin(), taken.end()};
}

}  // namespace research
