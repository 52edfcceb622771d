#include "research/evidence.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "research/related.hpp"
#include "research/text.hpp"

namespace research {
namespace {

/// What a page about the topic has of it at least, in thousandths, whatever its words are.
constexpr std::int64_t about_share = 500;

/// Of the topic's words, the rare ones counting more, as many have to stand in a section or title.
constexpr std::int64_t cover_percent = 50;

/// Numbers and names: what is worth to be quoted before what surrounds it.
std::size_t facts_in(const Unit& unit) {
  std::size_t facts = unit.is_sentence ? 0 : 2;  // an item or a row is one by itself
  bool inside = false;
  bool first = true;
  for (const char c : unit.text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word && !inside) {
      const bool digit = c >= '0' && c <= '9';
      const bool capital = c >= 'A' && c <= 'Z';
      if (digit || (capital && !first)) ++facts;
      first = false;
    }
    inside = word || c == ',' || c == '.';
    if (!word && c == '.') first = true;
  }
  return facts;
}

/// What the writers did or think, rather than what is so.
bool speaks_of_itself(const Unit& unit) {
  const auto all = words(unit.text);
  return std::ranges::any_of(all, [](const std::string& word) {
    return word == "we" || word == "our" || word == "us" || word == "my" || word == "i";
  });
}

/// 0 when the page has no date.
int year_of(const Page& page) {
  int year = 0;
  std::from_chars(page.date.data(), page.date.data() + std::min<std::size_t>(4, page.date.size()),
                  year);
  return year;
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

}  // namespace

Evidence::Evidence(const Scrape& scrape, const std::string& topic)
    : units_{units_of(scrape)}, open_{topic.empty()} {
  const std::string& about = open_ ? scrape.title : topic;
  for (const Page& page : scrape.pages) {
    page_words_.push_back(words_of(page));
    dates_.push_back(page.date);
    newest_ = std::max(newest_, year_of(page));
  }
  for (const Page& page : scrape.pages) {
    year_.push_back(year_of(page) > 0 ? year_of(page) : newest_);
  }
  read(scrape);
  read_topic(about);
  for (const Page& page : scrape.pages) {
    named_.push_back(std::max(named_in(page.title), named_in(as_words(page.path))));
    tagged_.push_back(is_tagged(page.tags));
    paths_.push_back(page.path);
  }
  weigh();
}

/// Makes the three indexes: a title counts three times for its page and once for its sections, a
/// heading twice for its section and once for its page.
void Evidence::read(const Scrape& scrape) {
  std::vector<Terms> of_page;
  std::vector<Terms> of_section;
  for (const Page& page : scrape.pages) {
    append(of_page.emplace_back(), terms(page.title), 3);
    for (const std::string& tag : page.tags) append(of_page.back(), terms(tag));
  }
  for (const Unit& unit : units_) {
    const auto heading = terms(unit.heading);
    if (of_section.size() <= unit.section) {
      of_section.resize(unit.section + 1);
      append(of_section.back(), heading, 2);
      append(of_section.back(), terms(scrape.pages[unit.page].title));
      append(of_page[unit.page], heading);
    }
    auto own = terms(unit.text);
    append(of_page[unit.page], own);
    append(of_section[unit.section], own);
    append(own, terms(unit.columns));
    by_unit_.add(own);
    append(own, heading);
    terms_.push_back(std::move(own));
  }
  for (const Terms& section : of_section) by_section_.add(section);
  for (const Terms& page : of_page) by_page_.add(page);
}

void Evidence::weigh() {
  std::vector<std::int64_t> of_page;
  for (std::size_t page = 0; page < by_page_.size(); ++page) {
    of_page.push_back(share({by_page_, page}));
  }
  find_about(of_page);
  feed();
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const std::int64_t own = std::max(share({by_unit_, i}), std::min<std::int64_t>(1000, fed_[i]));
    const std::int64_t page = of_page[units_[i].page];
    const std::int64_t weight =
        30 * own + 25 * share({by_section_, units_[i].section}) +
        45 * (about_[units_[i].page] && !open_ ? std::max(page, about_share) : page);
    weights_.push_back(static_cast<std::size_t>(weight / 100) + (open_ ? 1 : 0));
    values_.push_back(valued(i));
  }
}

std::size_t Evidence::valued(std::size_t unit) const {
  const Unit& one = units_[unit];
  const std::size_t facts = std::min<std::size_t>(4, facts_in(one));
  const std::size_t percent = one.text.ends_with('!') || speaks_of_itself(one) ? 70 : 100;
  const auto years = static_cast<std::size_t>(std::min(10, newest_ - year_[one.page]));
  return weights_[unit] * (100 + 15 * facts) * percent * (100 - 5 * years) / 10'000 /
         (25 + one.words);
}

/// Percent of the topic, the rare words counting more, of which `holds` is true.
std::int64_t Evidence::part_of_topic(
    const std::function<bool(const std::string& term)>& holds) const {
  std::int64_t all = 0;
  std::int64_t held = 0;
  for (const std::string& term : query_) {
    const std::int64_t rarity = by_section_.rarity(term);
    all += rarity;
    held += holds(term) ? rarity : 0;
  }
  return all == 0 ? 0 : 100 * held / all;
}

void Evidence::read_topic(const std::string& topic) {
  std::set<std::string> met;
  for (const std::string& word : words(topic)) {
    if (word.size() < 2 || is_stop_word(word) || !met.insert(stem(word)).second) continue;
    const auto family = related_to(word);
    related_.insert(related_.end(), family.begin(), family.end());
    const auto stands = [&](const std::string& term) { return by_page_.holding(term) > 0; };
    if (stands(stem(word))) {
      query_.push_back(stem(word));
    } else if (std::ranges::none_of(family, stands)) {
      silent_.push_back(word);
    }
  }
  std::erase_if(related_, [&](const auto& term) { return met.contains(term); });
  if (open_) silent_.clear();
}

/// Thousandths of what a document about nothing but the topic would reach. A related word counts
/// half.
std::int64_t Evidence::share(const Level& level) const {
  const std::int64_t best = level.index.best_score(query_.empty() ? related_ : query_);
  if (best == 0) return 0;
  const std::int64_t score =
      level.index.score(level.document, query_) + level.index.score(level.document, related_) / 2;
  return 1000 * score / best;
}

/// Whether the section of a unit has enough of the topic: a page on something else shares a word of
/// it now and then.
bool Evidence::covers(std::size_t unit) const {
  return part_of_topic([&](const std::string& term) {
           return by_section_.count(units_[unit].section, term) > 0;
         }) >= cover_percent;
}

/// Whether a unit itself has a word of the topic, a related one, or one that is typical for it.
bool Evidence::touches(std::size_t unit) const {
  const auto holds = [&](const std::string& term) { return by_unit_.count(unit, term) > 0; };
  return std::ranges::any_of(query_, holds) || std::ranges::any_of(related_, holds) ||
         fed_[unit] >= 100;
}

}  // namespace research
