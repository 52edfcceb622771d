#include "memo/amounts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

constexpr std::size_t reach_after = 60;   // bytes between a measure and its figure
constexpr std::size_t reach_before = 25;  // the same, the figure in front

bool is_numeral(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

struct Name {
  std::string_view written;
  std::string_view meant;
};

constexpr std::array<Name, 72> currencies{
    {{"€", "€"},        {"$", "$"},       {"£", "£"},       {"¥", "¥"},       {"₹", "₹"},
     {"₩", "₩"},        {"₺", "₺"},       {"EUR", "€"},     {"USD", "$"},     {"GBP", "£"},
     {"JPY", "¥"},      {"INR", "₹"},     {"Rs.", "₹"},     {"Rs", "₹"},      {"rupees", "₹"},
     {"CHF", "CHF"},    {"SEK", "SEK"},   {"NOK", "NOK"},   {"DKK", "DKK"},   {"ISK", "ISK"},
     {"PLN", "PLN"},    {"zł", "PLN"},    {"CZK", "CZK"},   {"Kč", "CZK"},    {"HUF", "HUF"},
     {"CAD", "CAD"},    {"AUD", "AUD"},   {"NZD", "NZD"},   {"BRL", "BRL"},   {"ZAR", "ZAR"},
     {"kr", "kr"},      {"euros", "€"},   {"euro", "€"},    {"dollars", "$"}, {"pounds", "£"},
     {"francs", "CHF"}, {"kroner", "kr"}, {"kronor", "kr"}, {"crowns", "kr"}, {"yen", "¥"},
     {"MXN", "MXN"},    {"COP", "COP"},   {"CLP", "CLP"},   {"ARS", "ARS"},   {"PEN", "PEN"},
     {"UYU", "UYU"},    {"CNY", "CNY"},   {"HKD", "HKD"},   {"TWD", "TWD"},   {"KRW", "KRW"},
     {"SGD", "SGD"},    {"MYR", "MYR"},   {"THB", "THB"},   {"IDR", "IDR"},   {"PHP", "PHP"},
     {"VND", "VND"},    {"PKR", "PKR"},   {"BDT", "BDT"},   {"LKR", "LKR"},   {"NPR", "NPR"},
     {"AED", "AED"},    {"SAR", "SAR"},   {"ILS", "ILS"},   {"TRY", "TRY"},   {"EGP", "EGP"},
     {"MAD", "MAD"},    {"TND", "TND"},   {"KES", "KES"},   {"TZS", "TZS"},   {"UGX", "UGX"},
     {"GHS", "GHS"},    {"NGN", "NGN"}}};

constexpr std::array<Name, 15> scales{{{" million", " million"},
                                       {" crore", " crore"},
                                       {" lakh", " lakh"},
                                       {" mn", " million"},
                                       {" billion", " billion"},
                                       {" thousand", " thousand"},
                                       {" percent", "%"},
                                       {" per cent", "%"},
                                       {" %", "%"},
                                       {"%", "%"},
                                       {"m", " million"},
                                       {"M", " million"},
                                       {"bn", " billion"},
                                       {"k", " thousand"},
                                       {"K", " thousand"}}};

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || !is_word(text[at]);
}

/// The currency in front of a figure, with the blank behind it.
Name unit_before(std::string_view text, std::size_t at) {
  const auto head = text.substr(0, at);
  for (const auto& [written, meant] : currencies) {
    for (const std::size_t blank : {0U, 1U}) {
      if (blank == 1 && !head.ends_with(' ')) continue;
      const auto before = head.substr(0, head.size() - blank);
      if (!before.ends_with(written)) continue;
      const std::size_t begin = before.size() - written.size();
      const bool sign = !is_word(written[0]);
      if (sign ? blank == 1 : begin > 0 && is_word(text[begin - 1])) continue;
      return {text.substr(begin, at - begin), meant};
    }
  }
  return {};
}

/// A scale or a per cent sign behind the digits.
Name word_after(std::string_view rest) {
  for (const auto& scale : scales) {
    if (!rest.starts_with(scale.written)) continue;
    const bool whole = scale.meant == "%" || ends_word(rest, scale.written.size());
    if (whole) return scale;
  }
  return {};
}

/// The currency behind a figure, with the blank in front of it.
Name unit_after(std::string_view rest) {
  const std::size_t blank = rest.starts_with(' ') ? 1 : 0;
  for (const auto& [written, meant] : currencies) {
    const auto there = rest.substr(blank);
    if (there.starts_with(written) && (!is_word(written[0]) || ends_word(there, written.size()))) {
      return {rest.substr(0, blank + written.size()), meant};
    }
  }
  return {};
}

/// Whether a currency stands between a year and the figure that it belongs to: `2024 €40`.
bool belongs_to_next(std::string_view number, std::string_view rest) {
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const bool year = number.size() == 4 && (number.starts_with("19") || number.starts_with("20"));
  return year && !rest.empty() && is_numeral(rest[0]);
}

/// Where `phrase` stands in `lower` as words; npos if it does not. It may end in the middle of one
/// if that is how it is written (`employee`).
std::size_t whole(std::string_view lower, std::string_view phrase) {
  auto at = lower.find(phrase);
  while (at != npos && at > 0 && is_word(phrase[0]) && is_word(lower[at - 1])) {
    at = lower.find(phrase, at + 1);
  }
  return at;
}

/// Whether what stands between a measure and a figure is another statement.
bool ends_statement(std::string_view between) { return between.find(';') != npos; }

/// The figure between two phrases: `valued at … before`.
std::optional<Amount> figure_between(std::string_view text, std::string_view before,
                                     std::string_view after) {
  const std::string lower = to_lower(text);
  const auto at = lower.find(before);
  if (at == std::string::npos) return std::nullopt;
  for (const auto& figure : amounts_in(text)) {
    const auto close = [](std::size_t from, std::size_t to) {
      return from <= to && to - from <= reach_before;
    };
    const auto next = lower.find(after, figure.end);
    if (close(at + before.size(), figure.begin) && close(figure.end, next)) return figure;
  }
  return std::nullopt;
}

}  // namespace

std::string_view currency_of(std::string_view word) noexcept {
  const auto found = std::ranges::find(currencies, word, &Name::written);
  return found == currencies.end() ? std::string_view{} : found->meant;
}

std::vector<Amount> amounts_in(std::string_view text) {
  std::vector<Amount> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_numeral(text[at]) || (at > 0 && is_word(text[at - 1]))) continue;
    auto end = text.find_first_not_of("0123456789.,", at);
    end = end == npos ? text.size() : end;
    while (!is_numeral(text[end - 1])) --end;
    const Name before = unit_before(text, at);
    const Name scale = word_after(text.substr(end));
    const std::size_t tail = end + scale.written.size();
    const bool share = scale.meant == "%";
    Name after = before.meant.empty() && !share ? unit_after(text.substr(tail)) : Name{};
    if (belongs_to_next(text.substr(at, tail - at), text.substr(tail + after.written.size()))) {
      after = {};
    }
    const std::string_view unit = share ? "%" : before.meant.empty() ? after.meant : before.meant;
    const std::string digits = numbers(text.substr(at, end - at)).front();
    found.push_back({at - before.written.size(), tail + after.written.size(), std::string{unit},
                     digits + (share ? "" : std::string{scale.meant})});
    at = end;
  }
  return found;
}

bool is_year(const Amount& figure) noexcept {
  return figure.unit.empty() && figure.value.size() == 4 &&
         (figure.value.starts_with("19") || figure.value.starts_with("20"));
}

bool is_former(std::string_view text, const Amount& figure) {
  const auto head = text.substr(0, figure.begin);
  return head.ends_with("from ") || head.ends_with("than ");
}

std::optional<Amount> amount_of(std::string_view text, std::string_view phrase) {
  constexpr std::string_view gap = " … ";
  if (const auto middle = phrase.find(gap); middle != npos) {
    return figure_between(text, phrase.substr(0, middle), phrase.substr(middle + gap.size()));
  }
  const std::string lower = to_lower(text);
  const auto at = whole(lower, phrase);
  if (at == std::string::npos) return std::nullopt;
  const auto end = at + phrase.size();
  const auto figures = amounts_in(text);
  for (const auto& figure : figures) {  // `£3 million pre-money`
    const bool beside =
        figure.end + 1 == at && (text[figure.end] == ' ' || text[figure.end] == '-');
    if (beside && !figure.unit.empty() && !is_former(text, figure)) return figure;
  }
  for (const auto& figure : figures) {
    if (figure.begin < end || is_former(text, figure)) continue;
    const auto between = text.substr(end, figure.begin - end);
    if (between.size() <= reach_after && !ends_statement(between)) return figure;
  }
  for (auto figure = figures.rbegin(); figure != figures.rend(); ++figure) {
    if (figure->end > at || at - figure->end > reach_before) continue;
    if (!ends_statement(text.substr(figure->end, at - figure->end))) return *figure;
  }
  return std::nullopt;
}

}  // namespace memo
