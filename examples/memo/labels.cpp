#include "memo/labels.hpp"

#include <algorithm>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/spelled.hpp"

namespace memo {
namespace {

/// `Prices. A year costs …`: up to three words in front of the sentences, the first no number.
Labelled run_in_title(std::string_view raw) {
  constexpr std::size_t longest = 30;
  const auto end = raw.find(". ");
  if (end == npos || end < 4 || end > longest || end + 2 >= raw.size()) return {{}, raw};
  const auto label = raw.substr(0, end);
  const bool plain_words = std::ranges::all_of(label.substr(1), [](char c) {
    return c == ' ' || std::islower(static_cast<unsigned char>(c)) != 0;
  });
  const auto next = static_cast<unsigned char>(raw[end + 2]);
  const bool sentence = next >= 0x80 || std::isupper(next) != 0;
  const bool title = sentence && std::isupper(static_cast<unsigned char>(label[0])) != 0 &&
                     plain_words && std::ranges::count(label, ' ') < 3 &&
                     !small_number(to_lower(label.substr(0, label.find(' '))));
  return title ? Labelled{label, trim(raw.substr(end + 1))} : Labelled{{}, raw};
}

}  // namespace

Labelled parted(std::string_view raw) {
  constexpr std::size_t longest_label = 60;
  constexpr std::size_t longest_question = 120;
  const std::string_view mark = raw.starts_with("**") ? "**" : "*";
  if (!raw.starts_with(mark)) return run_in_title(raw);
  const auto end = raw.find(mark, mark.size());
  if (end == npos || end > longest_question) return {{}, raw};
  const auto label = raw.substr(mark.size(), end - mark.size());
  const auto rest = trim(raw.substr(end + mark.size()));
  if (label.ends_with('?')) return rest.empty() ? Labelled{{}, raw} : Labelled{label, rest};
  if (end > longest_label) return {{}, raw};
  if (label.ends_with(':') || label.ends_with('.')) {
    return {label.substr(0, label.size() - 1), rest};
  }
  if (rest.starts_with(':')) return {label, trim(rest.substr(1))};
  return rest.starts_with("- ") ? Labelled{label, trim(rest.substr(2))} : Labelled{{}, raw};
}

bool is_short(std::string_view label) {
  constexpr std::size_t longest = 40;  // bytes
  return label.ends_with(':') && label.size() <= longest && label.find(". ") == npos;
}

std::string label_of(const std::string& words) {
  if (words.empty()) return {};
  return words + (words.ends_with('?') ? " —" : ":");
}

std::string name_and_value(std::string_view line) {
  constexpr std::size_t longest_name = 30;
  constexpr std::string_view gap = "   ";
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  const auto end = line.find(gap);
  const bool named = end != npos && end > 1 && end <= longest_name &&
                     std::isupper(static_cast<unsigned char>(line[0])) != 0 &&
                     std::string_view{".:,;|"}.find(line[end - 1]) == npos;
  const auto value = named ? trim(line.substr(end)) : std::string_view{};
  const bool two = !value.empty() && value.find(gap) == npos && value.find(' ') != npos;
  return two ? std::string{line.substr(0, end)} + ": " + std::string{value} : std::string{};
}

}  // namespace memo
