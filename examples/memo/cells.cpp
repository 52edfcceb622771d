#include "memo/cells.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "memo/markdown.hpp"
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

std::vector<std::string> words_and_year(std::string_view column, std::string& year) {
  auto words = lower_words(column);
  std::erase_if(words, [&](const std::string& word) {
    const bool is_one = word.size() == 4 && (word.starts_with("19") || word.starts_with("20")) &&
                        word.find_first_not_of("0123456789") == npos;
    if (is_one) year = word;
    return is_one;
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

}  // namespace

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
