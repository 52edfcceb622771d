#include "memo/cells.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "memo/markdown.hpp"
#include "memo/named_units.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

/// The cell of a row that a figure stands in, up to the figure: `as told in May `.
std::string_view name_of_cell(const Quantity& one) {
  const auto head = std::string_view{one.passage->text}.substr(0, one.amount.begin);
  const auto before = head.rfind("; ");
  if (before != npos) return head.substr(before + 2);
  const auto name = head.find(": ");
  return name == npos ? head : head.substr(name + 2);
}

bool is_of_the_past(std::string_view column) {
  static const Signs signs{{"told", "said", "slide", "deck", "letter", "prospectus", "stated",
                            "old", "before", "previous", "previously", "earlier", "former",
                            "formerly", "so far", "until now", "as published"}};
  return signs.in_text(WordIndex{column});
}

/// `2024` of `2024` and `fy2024`; empty for other words.
std::string year_of_word(std::string_view word) {
  if (word.starts_with("fy")) word.remove_prefix(2);
  const bool is_one = word.size() == 4 && (word.starts_with("19") || word.starts_with("20")) &&
                      word.find_first_not_of("0123456789") == npos;
  return is_one ? std::string{word} : std::string{};
}

std::vector<std::string> words_and_year(std::string_view column, std::string& year) {
  auto words = lower_words(column);
  std::erase_if(words, [&](const std::string& word) {
    const auto found = year_of_word(word);
    if (!found.empty()) year = found;
    return !found.empty();
  });
  return words;
}

/// `price 2024` and `price 2025`.
bool are_years_of_one(std::string_view before, std::string_view after) {
  std::string first;
  std::string second;
  const bool same = words_and_year(before, first) == words_and_year(after, second);
  return same && !first.empty() && first < second;
}

bool are_then_and_now(const Quantity& then, const Quantity& now) {
  const auto before = name_of_cell(then);
  const auto after = name_of_cell(now);
  const bool told = is_of_the_past(before) && !is_of_the_past(after);
  return then.passage == now.passage && then.amount.unit == now.amount.unit &&
         then.amount.value != now.amount.value && (told || are_years_of_one(before, after));
}

/// The year that a cell is of, if its column is called by nothing else.
std::string year_of_column(const Quantity& cell) {
  std::string year;
  return words_and_year(name_of_cell(cell), year).empty() ? year : std::string{};
}

/// The year of a figure, or the only one of its sentence.
std::string year_said(const Quantity& one) {
  if (!one.year.empty()) return one.year;
  std::set<std::string> years;
  for (const auto& word : lower_words(one.passage->text)) {
    if (auto year = year_of_word(word); !year.empty()) years.insert(std::move(year));
  }
  return years.size() == 1 ? *years.begin() : std::string{};
}

std::string name_of_row(const Quantity& cell) {
  return cell.passage->text.substr(0, cell.passage->text.find(": "));
}

/// Words without `total`, and one for what a company earns by selling.
std::vector<std::string> words_of_row(std::string_view text) {
  auto words = lower_words(text);
  std::erase_if(words, [](const auto& word) { return word == "total" || word == "our"; });
  for (auto& word : words) {
    if (word == "turnover" || word == "sales") word = "revenue";
  }
  return words;
}

/// Whether a sentence names what a row is about, and nothing narrower: `revenue of 2024`, but not
/// `licence revenue` or `revenue from licences`.
bool names_row(const std::string& sentence, const std::string& row) {
  static const std::set<std::string> wide{
      "the", "our",   "its",  "of",    "in",     "for",    "with",    "on",     "and",
      "but", "total", "full", "whole", "annual", "yearly", "audited", "actual", "final"};
  static const std::set<std::string> narrow{"from", "per", "by", "with", "without"};
  const auto name = words_of_row(row);
  const auto words = words_of_row(sentence);
  const auto found = std::ranges::search(words, name);
  if (name.empty() || found.empty()) return false;
  const bool first = found.begin() == words.begin();
  const std::string before = first ? std::string{} : *(found.begin() - 1);
  const bool whole = first || wide.contains(before) || !year_of_word(before).empty();
  if (!whole || found.end() == words.end()) return whole;
  const bool of_figure = *found.end() == "of" && found.end() + 1 != words.end() &&
                         std::isalpha(static_cast<unsigned char>((found.end() + 1)->front())) == 0;
  return !narrow.contains(*found.end()) && (*found.end() != "of" || of_figure);
}

/// The figure of a cell, with the unit that the caption gives: `Sales, EUR thousand`.
Amount amount_with_caption(const Quantity& cell) {
  if (!cell.amount.unit.empty()) return cell.amount;
  std::string_view rest = cell.passage->heading;
  while (!rest.empty()) {
    const auto part = trim(rest.substr(0, rest.find_first_of(",;")));
    rest.remove_prefix(std::min(rest.size(), rest.find_first_of(",;")));
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    const auto named = with_unit_of_name("x (" + std::string{part} + ")", cell.amount.value);
    const auto amounts = amounts_in(named.value);
    if (amounts.size() == 1 && !amounts[0].unit.empty()) return amounts[0];
  }
  return cell.amount;
}

bool are_near(const Quantity& one, const Quantity& other, double most) {
  constexpr double rounding = 1.02;
  const double times = ratio(one, other);
  return times > rounding && times < most;
}

/// Whether a figure of a table in thousands or millions, which does not say so, is near.
bool are_near_in_scale(const Quantity& said, Quantity cell) {
  constexpr double little = 1.5;
  if (said.amount.unit == "%" || !has_scale(said) || has_scale(cell)) return false;
  const std::string bare = cell.amount.value;
  return std::ranges::any_of(std::array{" thousand", " million"}, [&](const char* scale) {
    cell.amount.value = bare + scale;
    return are_near(said, cell, little);
  });
}

bool is_last_cell(const Quantity& cell) {
  return cell.passage->text.find("; ", cell.amount.end) == std::string::npos;
}

}  // namespace

bool are_of_one_row(const Quantity& said, const Quantity& cell) {
  constexpr double much = 2.6;
  const auto year = year_of_column(cell);
  if (said.plan || said.former || year.empty() || year_said(said) != year) return false;
  if (!names_row(said.passage->text, name_of_row(cell))) return false;
  Quantity whole = cell;
  whole.amount = amount_with_caption(cell);
  if (said.amount.unit == whole.amount.unit) return are_near(said, whole, much);
  return whole.amount.unit.empty() && are_near_in_scale(said, whole);
}

bool are_of_two_tables(const Quantity& earlier, const Quantity& later) {
  constexpr double much = 2.6;
  const auto year = year_of_column(earlier);
  if (year.empty() || year_of_column(later) != year) return false;
  if (words_of_row(name_of_row(earlier)) != words_of_row(name_of_row(later))) return false;
  Quantity first = earlier;
  Quantity second = later;
  first.amount = amount_with_caption(earlier);
  second.amount = amount_with_caption(later);
  if (first.amount.unit == second.amount.unit) return are_near(first, second, much);
  return are_near_in_scale(first, second) || are_near_in_scale(second, first);
}

bool are_later_staff(const Quantity& said, const Quantity& cell) {
  constexpr double much = 2.6;
  static const Stems staff{"staff", "employe", "headcount", "peopl", "personnel"};
  const auto name = terms(name_of_row(cell));
  const bool row = !name.empty() && std::ranges::all_of(name, [&](const auto& stem) {
    return staff.contains(stem);
  });
  const bool ours = is_first_person(said.passage->text) || said.sentence.contains("employe") ||
                    said.sentence.contains("staff");
  return row && ours && said.staff && !said.plan && said.year.empty() && !said.former &&
         !year_of_column(cell).empty() && is_last_cell(cell) && are_near(said, cell, much);
}

std::vector<Revised> revised_in(const std::vector<Quantity>& cells) {
  std::vector<Revised> found;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (are_then_and_now(cells[i - 1], cells[i])) found.push_back({&cells[i - 1], &cells[i]});
  }
  return found;
}

bool is_about_row(const Quantity& earlier, const Quantity& cell) {
  const auto& text = cell.passage->text;
  Stems name;
  for (auto& stem : terms(text.substr(0, text.find(": ")))) name.insert(std::move(stem));
  const bool named = !name.empty() && shared(name, earlier.sentence) == name;
  return named || shared(earlier.sentence, cell.around).size() > 1;
}

}  // namespace memo
