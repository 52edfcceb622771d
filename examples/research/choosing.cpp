// Which of the evidence a report quotes.
#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include "research/agreement.hpp"
#include "research/evidence.hpp"

namespace research {
namespace {

/// Of the weight of the best unit. Below it are pages that share a word with the topic, not more:
/// the best has the topic's words in its own text, its section and its page; a third of that is a
/// section about the topic on another page, or a page about it without the words in the sentence.
constexpr std::size_t floor_percent = 33;

/// Thousandths of what is typical for the topic: two rare terms of its passages.
constexpr std::int64_t fed_floor = 200;
/// Of the weight of the best unit: on a page with nothing else of the topic they mean another one.
constexpr std::size_t fed_floor_percent = 20;

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
    if (weights_[unit] == 0) return true;
    if (open_ || known_[unit]) return false;
    if (fed_[unit] >= fed_floor) return weights_[unit] * 100 < best * fed_floor_percent;
    return weights_[unit] * 100 < best * floor_percent || !covers(unit) || !touches(unit);
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
  std::vector<Said> said;
  std::vector<const Said*> all;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    said.push_back(said_of(units_[i].text, units_[i].heading + " " + units_[i].columns));
  }
  for (const Said& one : said) all.push_back(&one);
  const auto rare = rare_terms(all);
  std::set<std::size_t> found;
  const auto add_around = [&](std::size_t unit) {
    const std::size_t end = std::min(units_.size(), unit + around + 1);
    for (std::size_t i = unit - std::min(unit, around); i < end; ++i) {
      const bool near = units_[i].section == units_[unit].section;
      if (near && !said[i].figures.empty()) found.insert(i);
    }
  };
  for (std::size_t later = 0; later < units_.size(); ++later) {
    if (units_[later].is_row) continue;
    for (const std::size_t unit : units) {
      if (dates_[units_[later].page] <= dates_[units_[unit].page]) continue;
      if (!disagree(said[later], said[unit]) || !is_about(said[later], said[unit], rare)) continue;
      found.insert(later);
      if (takes_back(said[later], said[unit])) add_around(later);
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
  for (const std::size_t unit : units) words_of[units_[unit].page] += units_[unit].words;
  std::vector<std::pair<std::int64_t, std::size_t>> ranked;
  for (const auto& [page, count] : words_of) {
    const std::int64_t own = share({by_page_, page});
    ranked.emplace_back(-(about_[page] && !open_ ? own + 1000 : own), page);
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
    const std::size_t claim = weights_[unit] * weights_[unit] * units_[unit].words;
    claims[units_[unit].page] += claim;
    all_claims += claim;
  }
  for (auto& [page, claim] : claims) claim = left * claim / std::max<std::size_t>(1, all_claims);
  std::set<std::size_t> taken;
  std::map<std::size_t, std::size_t> of_section;  // how many are taken
  for (const bool by_page : {true, false}) {
    while (true) {
      std::size_t best = units_.size();
      std::size_t most = 0;
      for (const std::size_t unit : relevant) {
        const std::size_t words = units_[unit].words;
        if (words > left || (by_page && words > claims[units_[unit].page])) continue;
        const std::size_t worth = 1000 * value(unit) / (3 + of_section[units_[unit].section]);
        if (worth <= most || taken.contains(unit)) continue;
        best = unit;
        most = worth;
      }
      if (best == units_.size()) break;
      taken.insert(best);
      ++of_section[units_[best].section];
      left -= units_[best].words;
      std::size_t& own = claims[units_[best].page];
      own -= std::min(own, units_[best].words);
    }
  }
  return taken;
}

std::vector<std::size_t> Evidence::chosen(const std::vector<std::size_t>& all) const {
  const std::size_t words = room(all);
  auto taken = pick(on_best_pages(all, words * choice), words);
  const auto corrected = corrections({taken.begin(), taken.end()});
  taken.insert(corrected.begin(), corrected.end());  // these are few, and get room of their own
  return {taken.begin(), taken.end()};
}

}  // namespace research
