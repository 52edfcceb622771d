#include "memo/written.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/spelled.hpp"

namespace memo {
namespace {

/// `thirds` gives 3; 0 for no part.
int part_named(std::string_view word) {
  static const std::map<std::string_view, int> parts{{"third", 3},    {"thirds", 3}, {"quarter", 4},
                                                     {"quarters", 4}, {"fifth", 5},  {"fifths", 5},
                                                     {"tenth", 10},   {"tenths", 10}};
  const auto found = parts.find(word);
  return found == parts.end() ? 0 : found->second;
}

struct Word {
  std::size_t begin;
  std::string_view text;

  [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};

std::vector<Word> words_of(std::string_view lower) {
  std::vector<Word> words;
  for (auto at = lower.find_first_not_of(" ,.;:!?()"); at != npos;) {
    const auto end = std::min(lower.size(), lower.find_first_of(" ,.;:!?()", at));
    words.push_back({at, lower.substr(at, end - at)});
    at = lower.find_first_not_of(" ,.;:!?()", end);
  }
  return words;
}

}  // namespace

int number_of(std::string_view word) {
  const auto whole = spelled_at(tokens_of(word), 0);
  return whole && whole->value < 100 ? static_cast<int>(whole->value) : 0;
}

void add_written(std::string_view text, std::vector<Amount>& found) {
  const std::string lower = to_lower(text);
  for (std::size_t at = 0; at < lower.size();) {
    const auto end = std::min(lower.size(), lower.find_first_of(" ,.;:!?()", at));
    const int number = number_of(std::string_view{lower}.substr(at, end - at));
    const auto behind = std::string_view{lower}.substr(end);
    std::string_view share;
    for (const std::string_view written : {" per cent", " percent"}) {
      if (behind.starts_with(written)) share = written;
    }
    const bool rest = std::string_view{lower}.substr(0, at).ends_with("hundred and ");
    const std::string_view scale = behind.starts_with(" thousand") ? " thousand" : "";
    if (number > 1 && !rest) {
      found.push_back({at, end + share.size() + scale.size(), share.empty() ? "" : "%",
                       std::to_string(number) + (scale.empty() ? "" : "000")});
    }
    at = end + 1;
  }
}

void add_fractions(std::string_view text, std::vector<Amount>& found) {
  const std::string lower = to_lower(text);
  const auto words = words_of(lower);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const int part = words[i].text == "a" ? 1 : number_of(words[i].text);
    const bool out_of = words[i + 1].text == "out" && words[i + 2].text == "of";
    const std::size_t last = out_of && i + 3 < words.size() ? i + 3 : i + 2;
    int whole = 0;
    if (words[i + 2].text == "of") whole = part_named(words[i + 1].text);
    if (out_of || words[i + 1].text == "in") whole = number_of(words[last].text);
    if (part < 1 || whole <= part || whole > 20) continue;
    const auto begin = words[i].begin;
    const auto end = words[last].end();
    std::erase_if(found, [&](const Amount& one) { return one.begin >= begin && one.end <= end; });
    found.push_back({begin, end, "%", std::to_string(100 * part / whole)});
  }
}

}  // namespace memo
