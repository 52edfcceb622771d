// Which of the evidence a report quotes.
#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "research/agreement.hpp"
#include "research/evidence.hpp"
#include "research/html_text.hpp"
#include "research/text.hpp"

namespace research {
namespace {

// Of the weight of the best unit. What has less stands on a page that shares a word with the topic,
// not more. Without a figure a sentence has to bear more on the topic to be missed.
constexpr std::size_t floor_percent = 45;
constexpr std::size_t item_floor_percent = 35;
constexpr std::size_t figure_floor_percent = 25;

constexpr std::size_t most_words = 1800;   ///< that a report quotes: read in ten minutes
constexpr std::size_t share_percent = 75;  ///< of the pages that it cites

/// Of the value of what is all that its page says on the topic: it brings a source of its own.
constexpr std::size_t alone_percent = 80;

/// What has less than this part of the value of one of the best is not worth a reader's time,
/// however much room there is.
constexpr std::size_t least_percent = 15;
constexpr std::size_t among_best = 8;

/// More in a section that only touches the topic: its units have on average less than this part of
/// the best weight. What names all of the topic is to the point there, too.
constexpr std::size_t touching_percent = 25;
constexpr std::size_t section_percent = 21;

constexpr std::size_t most_rows = 8;        ///< of a table that is quoted as a whole
constexpr std::size_t most_row_words = 15;  ///< of its rows, on average: longer ones stand alone

/// Of a page that takes a figure back, so many sentences before and after it are about that, too.
constexpr std::size_t around = 4;

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

/// Below such a heading each thing is about something else.
bool is_of_many_things(const std::string& heading) {
  static const std::set<std::string_view> headings{"any other business", "other business",
                                                   "miscellaneous", "various"};
  return headings.contains(lower(heading));
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
    if (units_[unit].leads_on) return true;
    const bool answer = units_[unit].heading.ends_with('?');  // to this question and no other
    const bool beside = !asked_.empty() && is_of_many_things(units_[unit].heading) &&
                        part_of_topic(with_term(units_[unit].text, units_[unit].columns)) == 0;
    const bool other_entry = is_entry(unit) && part_of_topic(units_[unit].text) == 0;
    const std::size_t bearing = figure && !answer ? bearings_[unit] : weights_[unit];
    return weights_[unit] == 0 || beside || other_entry || bearing * 100 < best * floor;
  });
  std::map<std::size_t, std::size_t> on_page;
  for (const std::size_t unit : order) ++on_page[units_[unit].page];
  const auto worth = [&](std::size_t unit) {
    return value(unit) * (on_page[units_[unit].page] == 1 ? alone_percent : 100);
  };
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return worth(a) > worth(b); });
  constexpr std::size_t most = 400;
  std::vector<std::size_t> found;
  std::vector<std::set<std::string>> said;
  std::set<std::string> frames;
  for (const std::size_t unit : order) {
    if (found.size() == most) break;
    const std::string& frame = units_[unit].frame;
    if (!frame.empty() && !frames.insert(frame).second) continue;
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
  for (const std::size_t unit : units) {
    found.insert(newer_[unit].begin(), newer_[unit].end());
  }
  const auto add_around = [&](std::size_t unit) {
    const std::size_t end = std::min(units_.size(), unit + around + 1);
    for (std::size_t i = unit - std::min(unit, around); i < end; ++i) {
      const bool near = units_[i].section == units_[unit].section;
      const bool figure = !said_[i].figures.empty() || !said_[i].bare.empty();
      if (near && figure) found.insert(i);
    }
  };
  for (std::size_t later = 0; later < units_.size(); ++later) {
    if (units_[later].is_row) continue;
    for (const std::size_t unit : units) {
      if (units_[later].date <= units_[unit].date) continue;
      if (!takes_back(said_[later], said_[unit])) continue;
      found.insert(later);
      add_around(later);
    }
  }
  return {found.begin(), found.end()};
}

/// Whether a row of a table of dates (`Sat 14 June | Open day`) is read by itself: the table stands
/// on a page that is not named after the topic, and only some of its rows name it.
bool Evidence::is_entry(std::size_t unit) const {
  const Unit& one = units_[unit];
  const auto is_dated = [](const Unit& row) {
    return said_of(row.text.substr(0, row.text.find(" | "))).figures.contains("date");
  };
  const bool open = asked_.empty() || open_ || is_named_[one.page];
  if (open || !research::is_row(one.text, one.columns) || !is_dated(one)) return false;
  if (part_of_topic(one.heading) > 0) return false;
  return std::ranges::any_of(units_, [&](const Unit& row) {
    return row.section == one.section && row.columns == one.columns && part_of_topic(row.text) > 0;
  });
}

/// How many words a report may quote that cites the pages these units are on.
std::size_t Evidence::room(const std::vector<std::size_t>& units) const {
  std::set<std::size_t> pages;
  for (const std::size_t unit : units) pages.insert(units_[unit].page);
  std::size_t words = 0;
  for (const std::size_t page : pages) words += page_words_[page];
  return std::min(most_words, words * share_percent / 100);
}

/// The unit with what says who `they` are, or the whole of a short table that it is a row of: half
/// a table misleads.
std::vector<std::size_t> Evidence::whole(std::size_t unit) const {
  std::vector<std::size_t> rows{unit};
  for (auto before = units_[unit].before; before; before = units_[*before].before) {
    rows.push_back(*before);
  }
  if (!units_[unit].is_row || is_entry(unit)) return rows;
  const auto is_of_table = [&](std::size_t other) {
    return units_[other].is_row && units_[other].section == units_[unit].section &&
           units_[other].columns == units_[unit].columns;
  };
  for (std::size_t at = unit; at > 0 && is_of_table(at - 1); --at) rows.push_back(at - 1);
  for (std::size_t at = unit + 1; at < units_.size() && is_of_table(at); ++at) rows.push_back(at);
  std::size_t words = 0;
  for (const std::size_t row : rows) words += units_[row].words;
  if (rows.size() > most_rows || words > rows.size() * most_row_words) rows = {unit};
  return rows;
}

/// How much of the value of one of the best a unit needs.
std::size_t Evidence::least_percent_of(std::size_t unit) const {
  const Unit& one = units_[unit];
  if (part_of_topic(one.text + " " + one.columns + " " + one.question) == 1000) {
    return least_percent;
  }
  std::size_t sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].section != one.section) continue;
    sum += weights_[i];
    ++count;
  }
  const bool touches = sum * 100 < std::ranges::max(weights_) * section_percent * count;
  return touches ? touching_percent : least_percent;
}

std::vector<std::vector<std::size_t>> Evidence::chosen(const std::vector<std::size_t>& all) const {
  const std::size_t most = room(all);
  const std::size_t good = all.empty() ? 0 : value(all[std::min(all.size(), among_best) - 1]);
  std::size_t words = 0;
  std::set<std::size_t> taken;
  std::vector<std::vector<std::size_t>> chosen;
  for (const std::size_t unit : all) {
    if (!open_ && value(unit) * 100 < good * least_percent_of(unit)) continue;
    std::vector<std::size_t> more = whole(unit);
    const auto corrected = corrections(more);
    more.insert(more.end(), corrected.begin(), corrected.end());
    std::erase_if(more, [&](std::size_t one) { return taken.contains(one); });
    std::ranges::sort(more);
    more.erase(std::unique(more.begin(), more.end()), more.end());
    std::size_t sum = words;
    for (const std::size_t one : more) sum += units_[one].words;
    if (more.empty() || sum > most) continue;
    words = sum;
    taken.insert(more.begin(), more.end());
    chosen.push_back(std::move(more));
  }
  return chosen;
}

}  // namespace research
