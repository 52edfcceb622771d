#include "memo/amounts.hpp"

#include <cctype>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

constexpr std::size_t reach_after = 60;   // bytes between a measure and its figure
constexpr std::size_t reach_before = 25;  // the same, the figure in front

bool is_numeral(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string unit_before(std::string_view text, std::size_t at) {
  for (const std::string_view sign : {"€", "$", "£"}) {
    if (text.substr(0, at).ends_with(sign)) return std::string{sign};
  }
  return {};
}

/// A scale or a per cent sign behind the digits.
std::string_view word_after(std::string_view rest) {
  for (const std::string_view word : {" million", " billion", " thousand", "%"}) {
    if (rest.starts_with(word)) return word;
  }
  return {};
}

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

std::vector<Amount> amounts_in(std::string_view text) {
  std::vector<Amount> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_numeral(text[at]) || (at > 0 && is_word(text[at - 1]))) continue;
    auto end = text.find_first_not_of("0123456789.,", at);
    end = end == npos ? text.size() : end;
    while (!is_numeral(text[end - 1])) --end;
    const auto word = word_after(text.substr(end));
    const std::string currency = unit_before(text, at);
    found.push_back({at - currency.size(), end + word.size(), word == "%" ? "%" : currency,
                     numbers(text.substr(at, end - at)).front() + std::string{word}});
    at = end;
  }
  return found;
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
  const auto at = lower.find(phrase);
  if (at == std::string::npos) return std::nullopt;
  const auto end = at + phrase.size();
  const auto figures = amounts_in(text);
  for (const auto& figure : figures) {
    const bool near = figure.begin >= end && figure.begin - end <= reach_after;
    if (near && !is_former(text, figure)) return figure;
  }
  for (const auto& figure : figures) {
    if (figure.end <= at && at - figure.end <= reach_before) return figure;
  }
  return std::nullopt;
}

}  // namespace memo
