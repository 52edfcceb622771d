// Which pages and passages are about the topic although they do not repeat its words.
#include <algorithm>
#include <set>

#include "research/evidence.hpp"
#include "research/feedback.hpp"
#include "research/text.hpp"

namespace research {
namespace {

/// Of the score of the best page. From here a page with a word of the topic in its title is about
/// the topic as a whole, as is one with `name_percent` of it there: what it says counts although a
/// sentence, or the section that it is in, has none of the words.
constexpr std::int64_t about_percent = 60;
constexpr std::int64_t name_percent = 50;
/// Of the score of the best page, for a page that has a word of the topic as its tag.
constexpr std::int64_t tagged_percent = 50;

}  // namespace

std::int64_t Evidence::named_in(const std::string& name) const {
  const auto of_name = terms(name);
  return part_of_topic(
      [&](const std::string& term) { return std::ranges::find(of_name, term) != of_name.end(); });
}

/// Whether a page has a tag that is nothing but words of the topic.
bool Evidence::is_tagged(const std::vector<std::string>& tags) const {
  return std::ranges::any_of(tags, [&](const std::string& tag) {
    const auto of_tag = terms(tag);
    return !of_tag.empty() && std::ranges::all_of(of_tag, [&](const std::string& term) {
      return std::ranges::find(query_, term) != query_.end();
    });
  });
}

/// A page is about the topic when its title or its tags say so, and so is what lies below it.
void Evidence::find_about(const std::vector<std::int64_t>& of_page) {
  const std::int64_t best = of_page.empty() ? 0 : *std::ranges::max_element(of_page);
  const auto tagged = std::ranges::count(tagged_, true);
  for (std::size_t page = 0; page < of_page.size(); ++page) {
    const bool much = named_[page] > 0 && of_page[page] * 100 >= best * about_percent;
    const bool by_tag = tagged_[page] && tagged * 2 <= std::ssize(tagged_) &&
                        of_page[page] * 100 >= best * tagged_percent;
    about_.push_back(much || (by_tag && !open_) || named_[page] >= name_percent);
  }
  const std::vector<bool> named = about_;
  for (std::size_t page = 0; page < of_page.size(); ++page) {
    for (std::size_t above = 0; above < of_page.size(); ++above) {
      const std::string& path = paths_[above];
      const bool below =
          path.size() > 1 && path.ends_with('/') && page != above && paths_[page].starts_with(path);
      if (below && named[above] && named_[above] >= name_percent) about_[page] = true;
    }
  }
}

/// The units whose page or heading names the topic.
std::vector<bool> Evidence::known() const {
  std::vector<bool> known;
  for (const Unit& unit : units_) {
    known.push_back(about_[unit.page] || named_in(unit.heading) >= name_percent);
  }
  return known;
}

/// How much of what is typical for the topic each unit has, with what stands around it.
void Evidence::feed() {
  known_ = known();
  const Feedback feedback{by_unit_, terms_, known_};
  std::vector<std::int64_t> own;
  std::vector<std::pair<std::int64_t, std::int64_t>> of_section;  // sum, count
  for (std::size_t i = 0; i < units_.size(); ++i) {
    own.push_back(feedback.score(terms_[i]));
    if (of_section.size() <= units_[i].section) of_section.resize(units_[i].section + 1);
    of_section[units_[i].section].first += own[i];
    of_section[units_[i].section].second += 1;
  }
  const std::int64_t rarest = std::max<std::int64_t>(1, by_unit_.rarest());
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const auto [sum, count] = of_section[units_[i].section];
    const std::int64_t around = count > 1 ? (sum - own[i]) / (count - 1) : 0;
    fed_.push_back(open_ ? 0 : 1000 * (own[i] + std::min(own[i], around)) / (4 * rarest));
  }
}

}  // namespace research
