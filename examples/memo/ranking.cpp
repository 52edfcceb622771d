#include "memo/ranking.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "memo/amounts.hpp"
#include "memo/changes.hpp"
#include "memo/labels.hpp"
#include "memo/markdown.hpp"
#include "memo/others.hpp"
#include "memo/persons.hpp"
#include "memo/prose.hpp"
#include "memo/table.hpp"

namespace memo {
namespace {

constexpr std::size_t longest_pair = 420;  // bytes

int year_of(std::string_view path) { return std::atoi(date_of(path).substr(0, 4).c_str()); }

using Texts = std::map<std::string, std::string, std::less<>>;

std::string_view found_in(const Texts& known, std::string_view path) {
  const auto found = known.find(path);
  return found == known.end() ? std::string_view{} : std::string_view{found->second};
}

/// Whether the label is what the sentence is about: `Sites: we are at 44`, `Rent: £900 a month.`
bool goes_on_from(const std::string& label, const std::string& sentence) {
  if (!is_short(label)) return false;
  const bool small = std::islower(static_cast<unsigned char>(sentence[0])) != 0;
  const auto amounts = amounts_in(sentence);
  const bool bare = !amounts.empty() && amounts[0].begin == 0 && !amounts[0].unit.empty();
  const bool figure = begins_with_figure(sentence) && (bare || !stands_alone(sentence));
  const std::string whole = label + ' ' + sentence;
  return (small || figure) &&
         (stands_alone(whole) || (whole.ends_with('.') && (figure || tells_briefly(whole))));
}

/// Whether the first of a block's sentences needs its label or, of an answer, the question. `No.`
/// is then joined to the sentence behind it.
bool leans_on_label(const Block& block, std::vector<std::string>& all) {
  if (block.label.empty()) return false;
  const bool asked = block.label.find('?') != npos;
  const bool yes_or_no = all[0] == "Yes." || all[0] == "No.";
  if (asked && yes_or_no && all.size() > 1 && follows_on(all[1])) {
    all[0] += ' ' + all[1];
    all.erase(all.begin() + 1);
    return true;
  }
  if (asked && begins_with_figure(all[0]) && all[0].ends_with('.')) return true;
  if (asked) return follows_on(all[0]) || (!yes_or_no && answers_briefly(all[0]));
  return follows_on(all[0]) || goes_on_from(block.label, all[0]);
}

/// Whether a text tells of a proposal, and that it came to nothing.
bool is_refused(std::string_view text) {
  const WordIndex words{text};
  return signs_of_a_proposal().in_text(words) && signs_of_a_refusal().in_text(words);
}

/// `It was proposed to sell the mill. The price was good. Not agreed.` is one statement.
std::vector<std::string> with_refusals(std::vector<std::string> all) {
  constexpr std::size_t reach = 2;  // sentences
  for (std::size_t i = 0; i < all.size(); ++i) {
    const WordIndex words{all[i]};
    if (!signs_of_a_proposal().in_text(words) || signs_of_a_refusal().in_text(words)) continue;
    for (std::size_t j = i + 1; j < all.size() && j <= i + reach; ++j) {
      if (!signs_of_a_refusal().in_text(WordIndex{all[j]})) continue;
      for (std::size_t k = i + 1; k <= j; ++k) all[i] += ' ' + all[k];
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      all.erase(first, first + static_cast<std::ptrdiff_t>(j - i));
      break;
    }
  }
  return all;
}

}  // namespace

Corpus::Corpus(const Sources& sources, std::string_view company) {
  for (const auto& source : sources) {
    newest_year_ = std::max(newest_year_, year_of(source.path));
    bodies_.emplace(source.path, body_of(source));
    dates_.emplace(source.path, date_of(source));
    if (date(source.path).empty()) years_.emplace(source.path, year_named(source.path));
    const auto first = passages_.size();
    add(source);
    if (company.empty() || !is_talk_outside(source)) continue;
    for (auto i = first; i < passages_.size(); ++i) {
      passages_[i].outside = passages_[i].text.find(company) == std::string::npos;
    }
  }
  mark_rivals(passages_, sources, company);
}

void Corpus::add(const Source& source) {
  if (!is_records(source)) {
    for (const auto& block : blocks(source.text)) {
      const bool words = block.kind == Block::Kind::paragraph || block.kind == Block::Kind::item;
      if (words) add(source, block);
    }
  }
  for (const auto& table : raw_tables_in(source)) add(source, table);
}

/// The rows as statements, and the sentences in long cells.
void Corpus::add(const Source& source, const Table& table) {
  const auto statements = row_statements(table);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!statements[i].empty()) add({source.path, table.caption, statements[i], 0, 0, {}});
    for (std::size_t c = 1; c < table.rows[i].size(); ++c) {
      for (auto& sentence : sentences(table.rows[i][c])) {
        if (stands_alone(sentence)) add({source.path, table.columns[c], sentence, 0, 0, {}});
      }
    }
  }
}

void Corpus::add(const Source& source, const Block& block) {
  if (is_of_paper(block.label)) return;
  auto all = with_refusals(sentences(block.text));
  if (const auto named = block.label + ' ' + all[0]; names_person(named)) all[0] = named;
  if (names_person(all[0])) return add_people(source, block, all);
  if (const auto fragment = fragment_of(block); tells_briefly(fragment)) {
    return add({source.path, block.heading, fragment, 0, 0, {}});
  }
  const bool leans = leans_on_label(block, all);
  if (leans) all[0] = block.label + ' ' + all[0];
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!stands_alone(all[i]) && !(leans && i == 0)) continue;
    add({source.path, block.heading, all[i], 0, 0, {}});
    if (i + 1 == all.size() || !follows_on(all[i + 1])) continue;
    const std::string pair = all[i] + ' ' + all[i + 1];
    if (pair.size() < longest_pair) add({source.path, block.heading, pair, all[i].size(), 0, {}});
  }
}

/// Each name with a role, and what is said behind it, of the same person.
void Corpus::add_people(const Source& source, const Block& block,
                        const std::vector<std::string>& all) {
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t lead = all[i].size();
    std::string said = all[i];
    for (++i; i < all.size() && !names_person(all[i]); ++i) {
      if (said.size() + all[i].size() < longest_pair) said += ' ' + all[i];
    }
    const bool alone = said.size() == lead;
    add({source.path, block.heading, std::move(said), alone ? 0 : lead, 0, {}});
  }
}

void Corpus::add(Passage passage) {
  passage.order = passages_.size();
  passage.refused = is_refused(passage.text);
  indexes_.push_back({WordIndex{passage.text}, WordIndex{passage.heading}});
  passages_.push_back(std::move(passage));
}

std::int64_t Corpus::weight(const Passage& passage) const {
  const int year = year_of(passage.source);
  std::int64_t percent = year == 0 ? 110 : std::max(50, 100 - 7 * (newest_year_ - year));
  if (is_first_person(passage.text)) percent = percent * 85 / 100;
  return percent;
}

bool Corpus::holds(std::string_view path, std::string_view quote) const {
  const auto in = [&](std::string_view words) {
    return !words.empty() && body(path).find(words) != std::string_view::npos;
  };
  return in(quote) || in(plain(quote));
}

std::string Corpus::source_of(std::string_view quote, std::string_view preferred) const {
  if (holds(preferred, quote)) return std::string{preferred};
  for (const auto& [path, body] : bodies_) {
    if (holds(path, quote)) return path;
  }
  return {};
}

std::string Corpus::heading_of(std::string_view path, std::string_view text) const {
  const auto found = std::ranges::find_if(passages_, [&](const Passage& passage) {
    return passage.source == path && passage.text == text;
  });
  return found == passages_.end() ? std::string{} : found->heading;
}

std::string_view Corpus::date(std::string_view path) const { return found_in(dates_, path); }

std::string_view Corpus::year(std::string_view path) const { return found_in(years_, path); }

std::pair<std::string_view, std::string_view> Corpus::dates(std::string_view earlier,
                                                            std::string_view later) const {
  const auto dated = [&](std::string_view path, std::string_view other) {
    const auto own = date(path);
    const bool decides =
        date(other).empty() ? !year(other).empty() : year(path) > date(other).substr(0, 4);
    return own.empty() && decides ? year(path) : own;
  };
  return {dated(earlier, later), dated(later, earlier)};
}

std::string_view Corpus::body(std::string_view path) const { return found_in(bodies_, path); }

}  // namespace memo
