#include "memo/quantities.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "memo/limits.hpp"
#include "memo/markdown.hpp"
#include "memo/persons.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"
#include "memo/written.hpp"

namespace memo {
namespace {

bool has_digit(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos;
}

/// Words that say nothing of what a figure is.
bool says_nothing(const std::string& stem) {
  static const Stems common{"million", "billion", "crore", "lakh", "percent", "cent", "per",
                            "eur",     "usd",     "gbp",   "year", "month",   "now",  "one"};
  return stem.size() < 3 || has_digit(stem) || common.contains(stem) || number_of(stem) > 0;
}

Stems stems_in(std::string_view text) {
  Stems stems;
  for (auto& stem : terms(text)) {
    if (!says_nothing(stem)) stems.insert(std::move(stem));
  }
  return stems;
}

/// The words of `text` around a figure up to the next comma or `and`. A colon ends a label, which
/// belongs to its figure, or a long introduction, which does not.
std::string_view clause_of(std::string_view text, const Amount& amount) {
  static constexpr std::array<std::string_view, 6> ends{", ", "; ", " (", ") ", " and ", " but "};
  constexpr std::size_t longest_label = 40;  // bytes
  std::size_t begin = 0;
  std::size_t end = text.size();
  for (const auto mark : ends) {
    const auto before = text.substr(0, amount.begin).rfind(mark);
    if (before != npos) begin = std::max(begin, before + mark.size());
    end = std::min(end, text.find(mark, amount.end));
  }
  const auto colon = text.substr(0, amount.begin).rfind(": ");
  if (colon != npos && colon > begin + longest_label) begin = colon + 2;
  return text.substr(begin, end - begin);
}

/// `2023` of `63 million in 2023`, or the only year of the clause that is no beginning (`since
/// 2023`).
std::string year_of(std::string_view text, std::string_view clause, const Amount& amount) {
  constexpr std::size_t close = 12;  // bytes
  std::set<std::string> years;
  for (const auto& found : amounts_in(text)) {
    const bool behind = found.begin > amount.end && found.begin - amount.end < close;
    if (!is_year(found) || !behind) continue;
    const auto between = text.substr(amount.end, found.begin - amount.end);
    if (between.find_first_of(",;") == npos) return found.value;
  }
  for (const auto& found : amounts_in(clause)) {
    const auto head = clause.substr(0, found.begin);
    const bool since = has_sign(head.substr(head.find_last_of(",;") + 1), "since");
    if (is_year(found) && !since) years.insert(found.value);
  }
  return years.size() == 1 ? *years.begin() : std::string{};
}

/// Whether a figure ends a range: `from €3 for a cup to €9 for a pot`.
bool ends_range(std::string_view clause, std::string_view text, const Amount& amount) {
  static const Signs changes{{"rise", "rose", "grew", "grow", "went", "fell", "fall", "up", "down",
                              "raised", "cut", "came", "sank", "dropped", "increased"}};
  if (changes.in_text(WordIndex{clause})) return false;
  const auto begin = static_cast<std::size_t>(clause.data() - text.data());
  return std::ranges::any_of(amounts_in(text), [&](const Amount& first) {
    return first.begin >= begin && first.end < amount.begin && first.unit == amount.unit &&
           is_former(text, first);
  });
}

/// `sale` of ` of our sales`: what a share is a part of.
std::string whole_in(const std::vector<std::string>& words) {
  static const Stems marks{"the", "our", "all", "their", "its", "his", "her", "my", "your", "a"};
  if (words.empty() || words[0] != "of") return {};
  const auto named = std::find_if(words.begin() + 1, words.end(),
                                  [](const auto& word) { return !marks.contains(word); });
  return named == words.end() || has_digit(*named) ? std::string{} : stem_of(*named);
}

bool is_small_word(const std::string& word) {
  static const Stems small{"a",  "an",  "the", "of", "in",   "on",   "at",   "to",  "by", "per",
                           "or", "and", "for", "as", "with", "from", "each", "are", "is", "was"};
  return small.contains(word);
}

/// `visit` of ` visits`, `day` of ` working days`.
std::string noun_in(const std::vector<std::string>& words) {
  const auto next = words.size() > 1 ? stem_of(words[1]) : std::string{};
  const bool kind_of_time = is_time(next) && next != words[1];
  return kind_of_time ? next : stem_of(words[0]);
}

/// `year` of ` a year`, ` per bed and year`, ` of rent a year` and ` for the whole year`.
std::string per_in(const std::vector<std::string>& words) {
  static const Stems marks{"a", "an", "per", "each", "whole"};
  constexpr std::size_t reach = 3;
  for (std::size_t i = 0; i < std::min(reach, words.size()) && i + 1 < words.size(); ++i) {
    auto stem = stem_of(words[i + 1]);
    if (marks.contains(words[i]) && (i == 0 || is_time(stem))) return stem;
  }
  return {};
}

/// Whether the statement around a figure, up to a semicolon, is of what is yet to come.
bool is_plan(std::string_view text, const Amount& amount) {
  static const Signs plans{{"target", "plan", "expect", "forecast", "goal", "aim", "intend", "will",
                            "hope", "project*", "want", "mean to", "by the end of"}};
  const auto before = text.substr(0, amount.begin).rfind("; ");
  const auto begin = before == npos ? 0 : before;
  return plans.in_text(WordIndex{text.substr(begin, text.find("; ", amount.end) - begin)});
}

/// Names inside a sentence: words with a capital, but for the first.
Stems names_inside(std::string_view sentence) {
  Stems names;
  for (auto at = sentence.find(' '); at != npos; at = sentence.find(' ', at + 1)) {
    const auto word = sentence.substr(at + 1, sentence.find_first_of(" ,.;:", at + 1) - at - 1);
    if (word.size() > 3 && std::isupper(static_cast<unsigned char>(word[0])) != 0) {
      names.emplace(word);
    }
  }
  return names;
}

/// `build` of `the number of buildings: it is 12`.
std::string noun_of_number(std::string_view head) {
  constexpr std::string_view phrase = "number of ";
  constexpr std::size_t reach = 120;  // bytes
  const auto at = head.rfind(phrase);
  if (at == npos || head.size() - at > reach || has_digit(head.substr(at))) return {};
  const auto words = lower_words(head.substr(at + phrase.size()));
  return words.empty() ? std::string{} : stem_of(words.front());
}

/// `There are 12 of us`, `we are now 12`, `12 employees`.
bool counts_staff(std::string_view head, std::string_view behind, const std::string& noun) {
  static const Stems staff{"peopl", "employe", "staff", "colleagu"};
  if (staff.contains(noun)) return true;
  static constexpr std::array<std::string_view, 10> heads{
      "we are ",         "we're ",        "we are now ",       "people are ",
      "people are now ", "headcount is ", "headcount is now ", "headcount stands at ",
      "staff ",          "we employ "};
  const auto lower = to_lower(head);
  const bool ends =
      behind.empty() || behind.find_first_of(".,;:") == 0 || behind.starts_with(" now");
  const bool we = std::ranges::any_of(heads, [&](auto one) { return lower.ends_with(one); });
  return behind.starts_with(" of us") || (ends && we);
}

std::vector<std::string> words_behind(std::string_view text, const Amount& amount) {
  const auto behind = text.substr(amount.end);
  return lower_words(behind.substr(0, behind.find_first_of(",;.(")));
}

/// What a figure counts, by the words behind it.
std::string noun_of(std::string_view text, const Amount& amount) {
  const auto words = words_behind(text, amount);
  const bool bare = amount.unit.empty() && !words.empty() && text[amount.end] == ' ';
  return bare && !is_small_word(words[0]) && !has_digit(words[0]) ? noun_in(words) : std::string{};
}

Stems figures_named(std::string_view text) {
  auto amounts = amounts_in(text);
  add_written(text, amounts);
  Stems names;
  for (const auto& amount : amounts) names.insert(named_as(amount, noun_of(text, amount)));
  return names;
}

void add(std::vector<Quantity>& out, const Passage& passage, const Amount& amount) {
  const std::string_view text = passage.text;
  const auto behind = text.substr(amount.end);
  const auto words = words_behind(text, amount);
  const auto clause = clause_of(text, amount);
  if (ends_range(clause, text, amount)) return;
  Quantity found;
  found.passage = &passage;
  found.amount = amount;
  found.per = per_in(words);
  if (amount.unit != "year") found.year = year_of(text, clause, amount);
  found.noun = noun_of(text, amount);
  const bool named_before = !out.empty() && out.back().passage == &passage;
  found.part = behind.starts_with(" of them") || behind.starts_with(" of whom");
  if (found.part && named_before) found.noun = out.back().noun;
  found.plan = amount.unit == "year" || is_plan(text, amount);
  const auto head = text.substr(0, amount.begin);
  found.staff = amount.unit.empty() && counts_staff(head, behind, found.noun);
  const bool replaced = is_replaced(text, amount);
  if (replaced && found.noun.empty() && named_before) found.noun = out.back().noun;
  if (replaced && named_before && amount.unit.empty()) found.amount.unit = out.back().amount.unit;
  const bool asked = text.find("? — ", amount.end) != npos;
  found.former = (is_former(text, amount) && !is_minimum(text, amount)) || replaced || asked;
  found.near = stems_in(clause);
  found.sentence = stems_in(text);
  if (amount.unit == "%") found.whole = whole_in(words);
  found.names = names_inside(text);
  if (amount.unit.empty() && found.noun.empty()) {
    found.noun = noun_of_number(head);
    found.number_of = !found.noun.empty();
  }
  out.push_back(std::move(found));
}

/// What stands before `text` in its paragraph.
std::string words_before(std::string_view body, std::string_view text) {
  constexpr std::size_t reach = 160;  // bytes
  const auto at = body.find(text);
  if (at == npos || at == 0) return {};
  const auto line = body.rfind('\n', at - 1);
  const auto begin = std::max(line == npos ? 0 : line + 1, at - std::min(at, reach));
  return std::string{body.substr(begin, at - begin)};
}

/// Of a row of a table with several columns only a value behind its name counts.
std::size_t end_of_figures(const Passage& passage) {
  constexpr std::size_t longest_name = 40;
  const std::string_view text = passage.text;
  const auto name = text.find(": ");
  const auto cell = text.find("; ");
  if (cell == npos || name >= longest_name) return text.size();
  const auto first = text.substr(name + 2, cell - name - 2);
  const bool value = std::isdigit(static_cast<unsigned char>(first[0])) != 0;
  const auto year = first.substr(0, first.find(' '));
  const bool column =
      year.size() == 4 && year.size() < first.size() && is_year({0, 4, "", std::string{year}});
  return value && !column ? cell : 0;
}

/// Adds the figures of a passage from `begin` to `end`.
void add_between(std::vector<Quantity>& out, const Corpus& corpus, const Passage& passage,
                 std::size_t begin, std::size_t end) {
  if (passage.refused || names_person(sentences(passage.text).front())) return;  // years of work
  auto amounts = amounts_in(passage.text);
  add_written(passage.text, amounts);
  add_fractions(passage.text, amounts);
  const auto written_in = corpus.date(passage.source).substr(0, 4);
  for (auto& amount : amounts) {
    const bool ahead = is_year(amount) && !written_in.empty() && amount.value > written_in;
    if (ahead) amount.unit = "year";
  }
  std::erase_if(amounts, [&](const Amount& amount) {
    return amount.begin < begin || amount.begin >= end || is_year(amount) ||
           is_no_count(passage.text, amount);
  });
  if (amounts.empty()) return;
  const std::string above =
      passage.heading + ' ' + words_before(corpus.body(passage.source), passage.text);
  const Stems around = stems_in(passage.text + ' ' + above);
  const Stems figures = figures_named(above);
  const auto known = out.size();
  for (const auto& amount : amounts) add(out, passage, amount);
  for (auto i = known; i < out.size(); ++i) {
    out[i].around = around;
    out[i].above = figures;
  }
}

double size_of(const Amount& amount) {
  static const std::map<std::string, double> scales{
      {"thousand", 1e3}, {"lakh", 1e5}, {"million", 1e6}, {"crore", 1e7}, {"billion", 1e9}};
  const auto blank = amount.value.find(' ');
  const auto scale = blank == npos ? scales.end() : scales.find(amount.value.substr(blank + 1));
  return std::atof(amount.value.c_str()) * (scale == scales.end() ? 1 : scale->second);
}

/// What is corrected seldom becomes another order of magnitude.
bool are_far_apart(const Quantity& one, const Quantity& other) {
  constexpr double most = 8;
  return ratio(one, other) > most;
}

/// `Brot has cancelled its order of 12 ovens`, where the other passage does not name Brot.
bool is_anothers(const Quantity& one, const Quantity& other) {
  const std::string& owner = one.passage->owner;
  return !owner.empty() && other.passage->text.find(owner) == std::string::npos &&
         other.passage->heading.find(owner) == std::string::npos;
}

/// `Our competitor Brot has 140 ovens.`, or below such a heading.
bool is_of_a_rival(const Quantity& one) {
  if (one.passage->of_rival) return true;
  static const Stems marks{"competitor", "rival"};
  const auto heading = terms(one.passage->heading);
  return !shared(one.sentence, marks).empty() ||
         !shared({heading.begin(), heading.end()}, marks).empty();
}

/// `A fund leads with €3 million`: a part of a round.
bool is_a_contribution(const Quantity& one) {
  static constexpr std::array<std::string_view, 8> heads{
      "leads with ",   "lead with ", "come in with ", "comes in with ",
      "came in with ", "puts in ",   "put in ",       "matches with "};
  const auto before = to_lower(one.passage->text.substr(0, one.amount.begin));
  return !one.amount.unit.empty() &&
         std::ranges::any_of(heads, [&](const auto head) { return before.ends_with(head); });
}

}  // namespace

bool is_time(const std::string& stem) {
  static const Stems units{"second", "minut", "hour",    "day",   "week",
                           "month",  "year",  "quarter", "decad", "time"};
  return units.contains(stem);
}

std::string named_as(const Amount& amount, const std::string& noun) {
  return amount.unit + amount.value + ' ' + noun;
}

bool has_scale(const Quantity& one) { return one.amount.value.find(' ') != std::string::npos; }

bool are_of_others(const Quantity& one, const Quantity& other) {
  if (is_anothers(one, other) || is_anothers(other, one)) return true;
  if (is_of_a_rival(one) != is_of_a_rival(other)) return true;
  if (is_a_contribution(one) != is_a_contribution(other)) return true;
  const bool wholes = !one.whole.empty() && !other.whole.empty() &&
                      shared(one.near, other.near).empty() && !other.sentence.contains(one.whole) &&
                      !one.sentence.contains(other.whole);
  if (wholes) return true;
  return one.amount.unit == "%" && !one.names.empty() && !other.names.empty() &&
         shared(one.names, other.names).empty();
}

std::vector<Quantity> quantities_in(const Corpus& corpus) {
  std::vector<Quantity> out;
  for (const auto& passage : corpus.passages()) {
    add_between(out, corpus, passage, passage.lead, end_of_figures(passage));
  }
  return out;
}

std::vector<Quantity> quantities_in_cells(const Corpus& corpus) {
  std::vector<Quantity> out;
  for (const auto& passage : corpus.passages()) {
    const auto begin = end_of_figures(passage);
    const auto known = out.size();
    if (begin < passage.text.size()) {
      add_between(out, corpus, passage, begin, passage.text.size());
    }
    for (auto i = known; i < out.size(); ++i) out[i].near = out[i].sentence;
  }
  return out;
}

double ratio(const Quantity& one, const Quantity& other) {
  const auto [less, more] = std::minmax({size_of(one.amount), size_of(other.amount)});
  return less > 0 ? more / less : std::numeric_limits<double>::max();
}

bool are_comparable(const Quantity& one, const Quantity& other) {
  if (are_far_apart(one, other) || one.part != other.part) return false;
  if (one.amount.unit != other.amount.unit) return false;
  if (!one.per.empty() && !other.per.empty() && one.per != other.per) return false;
  if (!one.amount.unit.empty()) return true;
  if (has_scale(one) && has_scale(other)) return true;
  const auto counts = [](const Quantity& a, const Quantity& b) {
    return !a.noun.empty() && (a.noun == b.noun || (b.noun.empty() && b.near.contains(a.noun)));
  };
  return counts(one, other) || counts(other, one);
}

Rarity::Rarity(const Corpus& corpus) {
  for (const auto& passage : corpus.passages()) {
    if (passage.lead != 0) continue;
    for (const auto& stem : stems_in(passage.text)) ++passages_[stem];
  }
}

int Rarity::of(const std::string& stem) const {
  const auto found = passages_.find(stem);
  const int passages = found == passages_.end() ? 0 : found->second;
  return passages <= 4 ? most : passages <= 9 ? 2 : 1;
}

int Rarity::of(const Stems& stems) const {
  int sum = 0;
  for (const auto& stem : stems) sum += of(stem);
  return sum;
}

Stems shared(const Stems& one, const Stems& other) {
  Stems both;
  std::ranges::set_intersection(one, other, std::inserter(both, both.end()));
  return both;
}

}  // namespace memo
