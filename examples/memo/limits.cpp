#include "memo/limits.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/quantities.hpp"
#include "memo/spelled.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

bool is_month(std::string_view word) { return is_month_stem(stem_of(to_lower(word))); }

/// Whether a month follows: `3 May`.
bool is_day(std::string_view tail) {
  const auto words = lower_words(tail.substr(0, 12));
  return tail.starts_with(' ') && !words.empty() && is_month(words[0]);
}

/// `May 14, 2021` and `May 14`: the day of a date.
bool is_day_behind(std::string_view head, std::string_view tail) {
  if (!head.ends_with(' ')) return false;
  head.remove_suffix(1);
  const auto month = head.substr(head.rfind(' ') + 1);
  const bool year = tail.starts_with(", 20") || tail.starts_with(", 19");
  return is_month(month) && (year || tail.empty() || tail.starts_with('.'));
}

/// `33 minutes` of `6 hours and 33 minutes`: the rest of one quantity.
bool is_rest(std::string_view head, std::string_view tail) {
  const auto words = lower_words(head);
  const auto next = lower_words(tail.substr(0, 12));
  if (next.empty() || !is_time(stem_of(next[0])) || words.size() < 2) return false;
  const std::size_t last = words.size() - (words.back() == "and" ? 2 : 1);
  return last > 0 && is_time(stem_of(words[last])) &&
         (words[last - 1].find_first_of("0123456789") != npos ||
          spelled_at(tokens_of(words[last - 1]), 0));
}

/// `1 in 28`, `one in 28`: a share, not a count.
bool is_one_in(std::string_view head) {
  const auto words = lower_words(head.substr(head.size() - std::min<std::size_t>(12, head.size())));
  return head.ends_with(" in ") && words.size() > 1 &&
         (words[words.size() - 2] == "1" || words[words.size() - 2] == "one");
}

/// `Four weeks ago`: when something was.
bool is_ago(std::string_view tail) {
  const auto words = lower_words(tail.substr(0, 24));
  return words.size() > 1 && is_time(stem_of(words[0])) && words[1] == "ago";
}

/// `8 to 10`, where both are no money: neither is a count.
bool is_in_range(std::string_view text, const Amount& amount) {
  constexpr std::string_view mark = " to ";
  const auto head = text.substr(0, amount.begin);
  const auto tail = text.substr(amount.end);
  const auto before = head.substr(0, head.size() - std::min(mark.size(), head.size()));
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const bool begins =
      tail.starts_with(mark) && tail.size() > mark.size() && digit(tail[mark.size()]);
  const bool ends = head.ends_with(mark) && !before.empty() && digit(before.back());
  const bool changes = head.ends_with(" from ") || before.rfind(" from ") != npos;
  const bool share = amount.unit == "%" && ends;  // `12 to 18%`
  return (share || (amount.unit.empty() && (begins || ends))) && !changes;
}

/// `15th`, `4G`.
bool is_ordinal_or_name(std::string_view tail) {
  if (tail.empty()) return false;
  const auto letters = tail.substr(0, 2);
  return letters == "st" || letters == "nd" || letters == "rd" || letters == "th" ||
         std::isupper(static_cast<unsigned char>(tail[0])) != 0;
}

/// `we have put our share up to `, which is no limit.
bool tells_of_a_rise(std::string_view head) {
  static const Signs rises{{"put our", "put the", "brought", "lifted", "go", "goes", "went",
                            "moved", "crept", "climbed"}};
  return rises.in_text(WordIndex{head.substr(head.find_last_of(".;,") + 1)});
}

/// `€4 million instead of €5 million`: the second is replaced by the first.
bool is_taken_back(std::string_view text, const Amount& amount) {
  static const Signs signs{{"instead of", "rather than", "not", "not the", "short of", "than the",
                            "earlier it was", "before it was", "previously", "formerly"}};
  constexpr std::size_t longest = 24;
  const auto figures = amounts_in(text.substr(0, amount.begin));
  if (figures.empty()) return false;
  const auto between = text.substr(figures.back().end, amount.begin - figures.back().end);
  return between.size() <= longest && between.find_first_of(".;") == npos &&
         signs.in_text(WordIndex{between});
}

}  // namespace

bool is_month_stem(const std::string& stem) {
  static const std::set<std::string> months{"januari", "februari", "march",  "april",
                                            "may",     "june",     "juli",   "august",
                                            "septemb", "octob",    "novemb", "decemb"};
  return months.contains(stem);
}

bool is_replaced(std::string_view text, const Amount& amount) {
  constexpr std::size_t reach = 40;  // bytes
  const auto head = to_lower(text.substr(0, amount.begin));
  const auto behind = text.substr(amount.end, reach);
  const auto clause = behind.substr(0, behind.find_first_of(",;.?"));
  return is_taken_back(text, amount) || behind.starts_with(" until ") ||
         behind.starts_with(" as we ") || clause.find(" used to be") != npos ||
         head.ends_with("used to be ") || head.ends_with("before that it was ") ||
         head.ends_with("earlier it was ");
}

bool is_minimum(std::string_view text, const Amount& amount) {
  static const Signs changes{{"up",        "down",    "rise",    "rose",    "risen",
                              "grew",      "grown",   "went",    "fell",    "fallen",
                              "change*",   "raised",  "cut",     "came",    "dropped",
                              "increase*", "lowered", "reduced", "instead", "moved"}};
  const auto head = text.substr(0, amount.begin);
  const bool second = text.substr(amount.end).find(" to ") != npos;
  return !amount.unit.empty() && head.ends_with("from ") && !second &&
         !changes.in_text(WordIndex{head});
}

bool is_no_count(std::string_view text, const Amount& amount) {
  const auto head = to_lower(text.substr(0, amount.begin));
  const auto tail = text.substr(amount.end);
  for (const std::string_view limit : {"at least ", "at most ", "up to ", "over ", "under "}) {
    if (head.ends_with(limit)) return limit != "up to " || !tells_of_a_rise(head);
  }
  for (const std::string_view difference : {" more than", " less than", " fewer than"}) {
    if (tail.starts_with(difference)) return true;
  }
  const auto word = text.substr(0, amount.begin)
                        .rfind(' ', amount.begin - std::min<std::size_t>(amount.begin, 2));
  const bool period =
      head.ends_with(' ') && head.size() > 1 &&
      std::isdigit(static_cast<unsigned char>(head[head.size() - 2])) != 0;  // `FY2024 12`
  const bool name = amount.unit.empty() && !period && word != npos && word > 0 &&
                    text[word - 1] != '.' &&
                    std::isupper(static_cast<unsigned char>(text[word + 1])) != 0 &&
                    !is_month(text.substr(word + 1, amount.begin - word - 2));
  const bool whole = amount.value.find('.') == npos;
  const bool of_time = is_day(tail) ||
                       (whole && is_day_behind(text.substr(0, amount.begin), tail)) ||
                       is_rest(text.substr(0, amount.begin), tail) || is_ago(tail);
  return name || of_time || is_one_in(text.substr(0, amount.begin)) || is_ordinal_or_name(tail) ||
         tail.starts_with('-') || is_in_range(text, amount);
}

}  // namespace memo
