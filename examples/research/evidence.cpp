#include "research/evidence.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "research/dates.hpp"
#include "research/html_text.hpp"
#include "research/spreading.hpp"
#include "research/text.hpp"
#include "research/titles.hpp"
#include "research/topic.hpp"

namespace research {
namespace {

// Thousandths of how sure it is that a unit is about the topic if all of that is above it.
constexpr std::int64_t by_heading = 700;
constexpr std::int64_t by_title = 800;  ///< or by its path
constexpr std::int64_t by_tag = 500;

/// A page whose title has a word of the topic is about something else if it has less than two
/// fifths of the topic's words, the rare ones counting more: `Summer timetable` for `winter
/// timetable`.
constexpr std::int64_t enough_of_topic = 300;  ///< as Evidence::part_of_topic() counts

// What is added to the weights for values, in percent of the best: something for all, and more on
// pages that speak of the same things as those on the topic.
constexpr std::size_t base_percent = 3;
constexpr std::size_t likeness_percent = 35;

constexpr std::size_t typical_words = 60;  ///< a sentence twice as long is not worth half as much
/// Of the weight of the best unit: what bears less on the topic has no newer figures for it.
constexpr std::size_t least_bearing = 18;

/// Where all of the site is about the topic, what does not name it is about it, too.
constexpr std::size_t least_of_open = 300;

constexpr std::size_t outdated_percent = 75;  ///< of the value of what has a newer figure
constexpr std::size_t passed_percent = 60;    ///< of that of a plan whose day is past
constexpr std::size_t old_percent = 35;       ///< of that of a page that holds no longer
constexpr std::size_t start_percent = 30;     ///< the start page tells little of any one topic

/// Figures, in digits or words, and names.
struct Facts {
  std::size_t figures = 0;
  std::size_t names = 0;
};

Facts facts_in(const std::string& text) {
  Facts facts;
  std::string before;
  for (const std::string& word : words(text)) {
    const bool names = std::exchange(before, word) == "no";  // `order no. 7742`
    facts.figures += has_figure({word}) && !names ? 1U : 0U;
  }
  bool inside = false;
  bool first = true;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    const bool begins = word && !inside;
    if (begins && c >= 'A' && c <= 'Z' && !first) ++facts.names;
    first = begins ? false : first || c == '.' || c == '|';
    inside = word;
  }
  return facts;
}

/// How likely it is that a reader wants to know that, in percent of a sentence with a figure.
std::size_t worth_of(const Unit& unit, bool prose) {
  const Facts facts = facts_in(with_term(unit.text, unit.columns));
  const std::size_t names = 5 * std::min<std::size_t>(2, facts.names);
  if (facts.figures == 0) return (prose ? 75 : unit.is_sentence ? 60 : 75) + names;
  return 85 + 15 * std::min<std::size_t>(4, facts.figures) + names;
}

/// What the writers did or think, rather than what is so.
bool speaks_of_itself(const Unit& unit) {
  const auto all = words(unit.text);
  return std::ranges::any_of(all, [](const std::string& word) {
    return word == "we" || word == "our" || word == "us" || word == "my" || word == "i";
  });
}

/// Where each stands in the order of dates: 0 for the first, 100 for the last and for
/// those without a date.
std::vector<std::size_t> lateness_of(const std::vector<std::string>& dates) {
  std::set<std::string> order(dates.begin(), dates.end());
  order.erase("");
  std::vector<std::size_t> lateness;
  for (const std::string& date : dates) {
    const auto before = std::distance(order.begin(), order.lower_bound(date));
    const bool last = date.empty() || order.size() < 2;
    lateness.push_back(last ? 100 : 100 * static_cast<std::size_t>(before) / (order.size() - 1));
  }
  return lateness;
}

/// The words of a path: `open air rain` of `/open-air/rain/`.
std::string as_words(std::string path) {
  std::ranges::replace_if(
      path, [](char c) { return c == '/' || c == '-' || c == '_' || c == '.'; }, ' ');
  return path;
}

using Terms = std::vector<std::string>;

void append(Terms& terms, const Terms& more, int times = 1) {
  for (int i = 0; i < times; ++i) terms.insert(terms.end(), more.begin(), more.end());
}

/// Whether the topic is what the site or its start page is named after, and most pages have a word
/// of it: it tells none of them apart.
bool is_of_site(const Scrape& scrape, const std::string& topic) {
  constexpr std::size_t fewest_pages = 4;
  constexpr std::size_t mostly_topic = 500;
  Terms titles{scrape.title};
  for (const Page& page : scrape.pages) {
    if (is_start(scrape, page)) titles.push_back(page.title);
  }
  const bool named = std::ranges::any_of(titles, [&](const std::string& title) {
    return std::ranges::any_of(parts_of_title(title), [&](const std::string& part) {
      return closeness(part, topic) >= mostly_topic;
    });
  });
  if (!named || scrape.pages.size() < fewest_pages) return false;
  const Terms asked = topic_terms(topic);
  const auto has_some = [&](const Page& page) {
    std::string text = page.title;
    for (const Passage& one : page.passages) text += " " + one.heading + " " + one.text;
    const Terms said = topic_terms(text);
    return std::ranges::find_first_of(said, asked) != said.end();
  };
  const auto some = std::ranges::count_if(scrape.pages, has_some);
  return some * 2 > std::ssize(scrape.pages);
}

}  // namespace

Evidence::Evidence(const Scrape& scrape, const std::string& topic)
    : units_{units_of(scrape)}, topic_{topic}, open_{topic.empty() || is_of_site(scrape, topic)} {
  const std::string& about = topic.empty() ? scrape.title : topic;
  for (const Page& page : scrape.pages) {
    page_words_.push_back(words_of(page));
  }
  std::vector<std::string> dates;
  for (const Unit& unit : units_) dates.push_back(unit.date);
  lateness_ = lateness_of(dates);
  read(scrape);
  read_topic(about);
  weigh(scrape);
}

/// Makes the two indexes: a title counts once for its sections, a heading twice.
void Evidence::read(const Scrape& scrape) {
  std::vector<Terms> of_section;
  for (const Unit& unit : units_) {
    const auto heading = terms(unit.heading);
    if (of_section.size() <= unit.section) {
      of_section.resize(unit.section + 1);
      append(of_section.back(), heading, 2);
      append(of_section.back(), topic_terms(scrape.pages[unit.page].title));
    }
    const std::string text = with_term(unit.text, unit.columns);
    said_.push_back(said_of(text, unit.columns, unit.heading, scrape.pages[unit.page].title));
    if (Said& said = said_.back(); !unit.measure.empty() && !said.bare.empty()) {
      said.context.insert(unit.measure);
      said.figures[unit.measure].insert(said.bare.begin(), said.bare.end());
    }
    read_before(said_.size() - 1);
    auto own = terms(unit.text);
    append(of_section[unit.section], topic_terms(text));
    append(own, terms(unit.columns));
    by_unit_.add(own);
    append(own, heading);
    terms_.push_back(std::move(own));
  }
  for (const Terms& section : of_section) by_section_.add(section);
}

/// What a sentence is about may stand in the one before it: `There it is 11 per cent`.
void Evidence::read_before(std::size_t unit) {
  if (unit == 0 || units_[unit].passage != units_[unit - 1].passage) return;
  for (const std::string& word : said_[unit - 1].words) {
    if (!said_[unit].words.contains(word)) said_[unit].above.insert(word);
  }
}

void Evidence::weigh(const Scrape& scrape) {
  const Terms topic = topic_terms(topic_);
  std::vector<bool> is_silent;          // a page without a word of the topic
  std::vector<std::int64_t> above_all;  // what is not so by title, path and tags, in thousandths
  for (const Page& page : scrape.pages) {
    const std::string tags = fmt::format("{}", fmt::join(page.tags, " "));
    std::string all = fmt::format("{} {} {}", page.title, as_words(page.path), tags);
    for (const Passage& one : page.passages) all += " " + one.heading + " " + one.text;
    const auto named = std::max(part_of_topic(page.title), part_of_topic(as_words(page.path)));
    is_named_.push_back(named > 0);
    is_other_.push_back(named > 0 && part_of_topic(all) < enough_of_topic);
    const Terms said = topic_terms(all);
    is_silent.push_back(std::ranges::none_of(topic, [&](const std::string& term) {
      return std::ranges::find(said, term) != said.end();
    }));
    const auto title = is_other_.back() ? 0 : named;
    above_all.push_back((1'000'000 - by_title * title) *
                        (1'000'000 - by_tag * part_of_topic(tags)) / 1'000'000'000);
  }
  std::vector<std::int64_t> direct;  // in millionths
  for (const Unit& unit : units_) {
    const auto own = 1000 - part_of_topic(unit.text + " " + unit.columns + " " + unit.question);
    const auto heading = 1'000'000 - by_heading * part_of_topic(unit.heading);
    direct.push_back(1'000'000 - own * heading / 1000 * above_all[unit.page] / 1000);
  }
  find_prose();
  find_main(scrape);
  const std::size_t least = topic_.empty() ? 1 : least_of_open;
  const auto scores = spread(units_, terms_, by_unit_, direct);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const auto weight = static_cast<std::size_t>(scores[i] / 1000);
    const bool less =
        is_other_[units_[i].page] || (is_beside(units_[i]) && !has_figure(words(units_[i].text)));
    weights_.push_back(open_ && (topic.empty() || !is_silent[units_[i].page]) ? weight + least
                       : less                                                 ? weight / 2
                                                                              : weight);
  }
  const auto alike = likeness(units_, terms_, weights_);
  const std::size_t best = weights_.empty() ? 0 : *std::ranges::max_element(weights_);
  std::map<std::size_t, std::size_t> of_page;  // the best weights
  std::map<std::size_t, std::size_t> of_section;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    of_page[units_[i].page] = std::max(of_page[units_[i].page], weights_[i]);
    of_section[units_[i].section] = std::max(of_section[units_[i].section], weights_[i]);
  }
  std::set<std::size_t> old;
  for (std::size_t i = 0; i < scrape.pages.size(); ++i) {
    if (holds_no_longer(scrape.pages[i])) old.insert(i);
  }
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const std::size_t page = units_[i].page;
    const std::size_t part =
        1000 * of_section[units_[i].section] / std::max<std::size_t>(1, of_page[page]);
    const std::size_t like = best * likeness_percent * alike[i] / 100'000 * part / 1000;
    bearings_.push_back(weights_[i] + best * base_percent / 100 + like);
    const bool little = !is_main_[page] && is_start(scrape, scrape.pages[page]) &&
                        part_of_topic(units_[i].text) < 1000;
    const std::size_t start = little ? start_percent : 100;
    // A page on another thing of the same kind is like those on the topic in all but that.
    const std::size_t bearing = bearings_[i] - (is_other_[page] ? like / 2 : 0);
    values_.push_back(bearing * start * worth_in_place(i) / 10'000);
    values_.back() = values_.back() * place_percent(i) / 100;
    if (old.contains(page)) values_.back() = values_.back() * old_percent / 100;
  }
  find_newer();
}

/// What a later page says instead is worth as much, and then the earlier figure is worth less.
void Evidence::find_newer() {
  const std::size_t best = weights_.empty() ? 0 : *std::ranges::max_element(weights_);
  std::vector<Origin> origins;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const double bearing =
        static_cast<double>(bearings_[i]) / static_cast<double>(std::max<std::size_t>(1, best));
    origins.push_back({units_[i].date, std::min(1.0, bearing)});
  }
  const Revisions revisions{said_, origins, topic_terms(topic_)};
  std::string latest;
  for (const Unit& unit : units_) latest = std::max(latest, unit.date);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (has_passed(i, latest)) values_[i] = values_[i] * passed_percent / 100;
  }
  const auto values = values_;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    auto& newer = newer_.emplace_back();
    if (bearings_[i] * 100 >= best * least_bearing) newer = revisions.of(i);
    std::erase_if(newer, [&](std::size_t unit) { return !units_[unit].frame.empty(); });
    const auto is_sure = [&](std::size_t unit) {
      return said_[unit].tells_end || !said_[unit].denied.empty();
    };
    for (const std::size_t unit : newer) values_[unit] = std::max(values_[unit], values[i]);
    if (std::ranges::any_of(newer, is_sure)) {
      values_[i] = std::min(values_[i], values[i] * outdated_percent / 100);
    }
  }
}

/// Whether it tells of a plan, or of an end, whose day had come before the latest page was written:
/// it says what was to be, and not what came of it.
bool Evidence::has_passed(std::size_t unit, const std::string& latest) const {
  const std::string& date = units_[unit].date;
  const auto days = said_[unit].figures.find("date");
  const bool ahead = said_[unit].plans || said_[unit].names_end;
  if (!ahead || date.empty() || days == said_[unit].figures.end()) return false;
  return std::ranges::all_of(days->second, [&](const std::string& day) {
    return !day.starts_with("0000") && day > date && day < latest;
  });
}

/// A definition of something else, or the answer to a question other than the topic.
bool Evidence::is_beside(const Unit& unit) const {
  return is_definition(unit.text, unit.columns) && !asked_.empty() &&
         (unit.columns.ends_with('?') || part_of_topic(with_term(unit.text, unit.columns)) == 0);
}

/// Finds long pages on which few sentences have a figure: there it is not what a reader looks for.
void Evidence::find_prose() {
  constexpr std::size_t fewest = 30;
  std::vector<std::size_t> all(page_words_.size());
  std::vector<std::size_t> figures(page_words_.size());
  for (const Unit& unit : units_) {
    if (!unit.is_sentence) continue;
    ++all[unit.page];
    figures[unit.page] += has_figure(words(unit.text)) ? 1U : 0U;
  }
  for (std::size_t page = 0; page < all.size(); ++page) {
    is_prose_.push_back(all[page] >= fewest && figures[page] * 3 < all[page]);
  }
}

/// Finds the pages whose titles name the topic best.
void Evidence::find_main(const Scrape& scrape) {
  constexpr std::size_t least = 300;
  std::size_t best = least;
  for (const Page& page : scrape.pages) best = std::max(best, closeness(page.title, topic_));
  for (const Page& page : scrape.pages) is_main_.push_back(closeness(page.title, topic_) == best);
  std::size_t start = 0;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (i > 0 && units_[i].page != units_[i - 1].page) start = i;
    place_.push_back(i - start);
  }
}

/// A long page that has the topic as its title says most of it, and at its beginning what it is.
std::size_t Evidence::place_percent(std::size_t unit) const {
  constexpr std::size_t opening = 8;
  const Unit& one = units_[unit];
  if (!is_main_[one.page] || !is_prose_[one.page]) return 100;
  const bool opens = place_[unit] < opening && one.is_sentence;
  return opens && part_of_topic(with_term(one.text, one.columns)) > 0 ? 160 : 100;
}

std::size_t Evidence::prominence(std::size_t unit) const {
  const std::size_t percent = is_other_[units_[unit].page] ? 25 : 100;
  return weights_[unit] * values_[unit] * (typical_words + units_[unit].words) * percent /
         1'000'000;
}

/// Whether it has no word in common with any other sentence.
bool Evidence::is_aside(std::size_t unit) const {
  return std::ranges::none_of(
      terms(with_term(units_[unit].text, units_[unit].columns)), [&](const std::string& term) {
        return !is_number(term) && by_unit_.rarity(term) < by_unit_.rarest();
      });
}

/// What it is worth to quote a unit if it bears on the topic: more on a later page, less in the
/// writers' own voice.
std::size_t Evidence::worth_in_place(std::size_t unit) const {
  const Unit& one = units_[unit];
  const std::size_t percent = is_aside(unit)                                     ? 50
                              : is_beside(one)                                   ? 60
                              : one.text.ends_with('!') || speaks_of_itself(one) ? 80
                                                                                 : 100;
  return worth_of(one, is_prose_[one.page] && is_main_[one.page]) * percent *
         (100 + lateness_[unit]) / (typical_words + one.words);
}

/// Thousandths of the topic that a text has, the rare words counting more; half of the words are
/// worth less than half of all.
std::int64_t Evidence::part_of_topic(const std::string& text) const {
  if (has_word(text, initials_)) return 1000;
  const Terms of_text = topic_terms(text);
  const std::set<std::string> held(of_text.begin(), of_text.end());
  std::int64_t all = 0;
  std::int64_t found = 0;
  for (const Asked& one : asked_) {
    all += one.rarity;
    found += held.contains(one.term) ? one.rarity : 0;
  }
  const std::int64_t part = all == 0 ? 0 : 1000 * found / all;
  return part * (1000 + part) / 2000;
}

void Evidence::read_topic(const std::string& topic) {
  std::set<std::string> met;
  for (const std::string& word : words(topic)) {
    if (topic_terms(word).empty() || !met.insert(stem(word)).second) continue;
    const std::int64_t rarity = by_section_.rarity(stem(word));
    if (rarity == 0) {
      silent_.push_back(word);
    } else {
      asked_.push_back({stem(word), rarity});
    }
  }
  if (open_) silent_.clear();
  // Initials count if a page says what they stand for.
  const std::string initials = initials_of(topic);
  const auto explains = [&](const Unit& unit) {
    return has_word(unit.text, initials) && part_of_topic(unit.text) == 1000;
  };
  if (std::ranges::any_of(units_, explains)) initials_ = initials;
}

}  // namespace research
