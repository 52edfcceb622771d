#include "research/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "research/html_text.hpp"
#include "research/text.hpp"

namespace research {
namespace {

constexpr double same_page = 1;            ///< sections of one page stay together
constexpr std::size_t longest_label = 80;  ///< bytes
constexpr std::size_t most_label_words = 12;

/// A group of sections with its terms: how often, times how rare.
struct Group {
  std::vector<std::size_t> units;
  std::map<std::string, double> terms;
  std::set<std::size_t> pages;
};

double similarity(const Group& a, const Group& b) {
  const auto length = [](const Group& group) {
    double sum = 0;
    for (const auto& [term, weight] : group.terms) sum += weight * weight;
    return std::sqrt(sum);
  };
  double product = 0;
  for (const auto& [term, weight] : a.terms) {
    const auto found = b.terms.find(term);
    if (found != b.terms.end()) product += weight * found->second;
  }
  const bool together =
      std::ranges::any_of(a.pages, [&](std::size_t page) { return b.pages.contains(page); });
  return product / std::max(1.0, length(a) * length(b)) + (together ? same_page : 0);
}

/// The smallest group goes to the one that is most like it, until few enough are left. Taking the
/// smallest keeps a cluster from swallowing all others, as single and average links do here.
void merge(std::vector<Group>& groups, std::size_t limit) {
  while (groups.size() > limit) {
    const auto smallest =
        std::ranges::min_element(groups, {}, [](const Group& group) { return group.units.size(); });
    std::swap(*smallest, groups.back());
    const Group from = std::move(groups.back());
    groups.pop_back();
    const auto to = std::ranges::max_element(
        groups, {}, [&](const Group& group) { return similarity(from, group); });
    to->units.insert(to->units.end(), from.units.begin(), from.units.end());
    to->pages.insert(from.pages.begin(), from.pages.end());
    for (const auto& [term, weight] : from.terms) to->terms[term] += weight;
  }
}

/// The words as they are in the text, capitals and all; lower case where something is between them.
std::string as_written(const std::string& text, const std::string& phrase) {
  const auto at = lower(text).find(phrase);
  return at == std::string::npos ? phrase : text.substr(at, phrase.size());
}

/// A title as a label: without what a site puts behind a bar, and, if it is long, without what a
/// writer puts behind a colon.
std::string label_from(std::string text) {
  const auto fits = [&] {
    return text.size() <= longest_label && words(text).size() <= most_label_words;
  };
  text = text.substr(0, text.find(" | "));
  for (const char* mark : {" \u2013 ", " \u2014 ", " - ", ": "}) {
    if (!fits()) text = text.substr(0, text.find(mark));
  }
  while (!text.empty() && (text.back() == '.' || text.back() == ':')) text.pop_back();
  return fits() ? text : std::string{};
}

/// The title of the page that has the most to say; empty if it names no topic.
std::string label_of(const Scrape& scrape, const Evidence& evidence, const Group& group) {
  std::map<std::string, std::size_t> sums;
  for (const std::size_t unit : group.units) {
    const Unit& one = evidence.units()[unit];
    const Page& page = scrape.pages[one.page];
    if (!is_start(scrape, page)) sums[label_from(page.title)] += evidence.weight(unit) * one.words;
  }
  sums.erase("");
  const auto best = std::ranges::max_element(sums, {}, [](const auto& one) { return one.second; });
  return best == sums.end() ? "" : best->first;
}

}  // namespace

std::vector<std::string> phrases_of(const std::vector<std::string>& texts,
                                    const ::text::Index& index, std::size_t limit) {
  std::map<std::string, std::pair<std::int64_t, std::string>>
      found;  // stems: count, first spelling
  for (const std::string& text : texts) {
    const auto all = words(text);
    std::set<std::string> own;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto telling = [&](const std::string& word) {
        return word.size() > 2 && !is_stop_word(word) && (word[0] < '0' || word[0] > '9');
      };
      if (!telling(all[i - 1]) || !telling(all[i])) continue;
      const std::string stems = stem(all[i - 1]) + " " + stem(all[i]);
      if (!own.insert(stems).second) continue;
      auto& [count, spelling] = found[stems];
      ++count;
      if (spelling.empty()) spelling = as_written(text, all[i - 1] + " " + all[i]);
    }
  }
  std::vector<std::pair<std::int64_t, std::string>> ranked;
  for (const auto& [stems, entry] : found) {
    const auto gap = stems.find(' ');
    const std::int64_t rarity =
        index.rarity(stems.substr(0, gap)) + index.rarity(stems.substr(gap + 1));
    if (entry.first > 1) ranked.emplace_back(-entry.first * rarity, entry.second);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> phrases;
  for (auto& [worth, phrase] : ranked) {
    if (phrases.size() < limit) phrases.push_back(std::move(phrase));
  }
  return phrases;
}

std::vector<Cluster> clusters_of(const Scrape& scrape, const Evidence& evidence,
                                 const std::vector<std::size_t>& units, std::size_t limit) {
  std::map<std::size_t, Group> by_section;
  for (const std::size_t unit : units) {
    Group& group = by_section[evidence.units()[unit].section];
    group.units.push_back(unit);
    group.pages.insert(evidence.units()[unit].page);
    for (const std::string& term : evidence.terms_of(unit)) {
      group.terms[term] += static_cast<double>(evidence.index().rarity(term));
    }
  }
  std::vector<Group> groups;
  for (auto& [section, group] : by_section) groups.push_back(std::move(group));
  merge(groups, limit);
  const auto weight = [&](const Group& group) {
    std::size_t sum = 0;
    for (const std::size_t unit : group.units) sum += evidence.weight(unit);
    return sum / group.units.size();
  };
  std::ranges::stable_sort(groups,
                           [&](const Group& a, const Group& b) { return weight(a) > weight(b); });
  std::vector<Cluster> clusters;
  for (Group& group : groups) {
    std::string label = label_of(scrape, evidence, group);
    auto same = std::ranges::find(clusters, label, &Cluster::label);
    if (label.empty()) same = clusters.begin();
    if (label.empty()) label = "More on the topic";
    if (same == clusters.end()) {
      clusters.push_back({std::move(label), std::move(group.units)});
    } else {  // two groups that are called the same are one
      same->units.insert(same->units.end(), group.units.begin(), group.units.end());
    }
  }
  for (Cluster& cluster : clusters) {
    std::ranges::sort(cluster.units, {}, [&](std::size_t unit) {
      return std::ranges::find(units, unit) - units.begin();
    });
  }
  return clusters;
}

}  // namespace research
