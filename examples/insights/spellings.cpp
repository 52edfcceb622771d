#include "insights/spellings.hpp"

#include <algorithm>
#include <map>

#include "insights/words.hpp"

namespace insights {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Without capitals, spaces and marks, but for those between two digits: `1-2` is not 12.
std::string folded(const std::string& text) {
  const std::string name = slug(text);
  std::string all;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_mark = name[i] == '-' && !(is_digit(name[i - 1]) && is_digit(name[i + 1]));
    if (!is_mark) all += name[i];
  }
  return all.empty() ? text : all;
}

/// Whether two letters that stand together are swapped: `Crad`.
bool has_letters_swapped(std::string a, const std::string& b) {
  const auto differ = std::ranges::mismatch(a, b);
  if (a.size() != b.size() || a.end() - differ.in1 < 2) return false;
  std::iter_swap(differ.in1, differ.in1 + 1);
  return a == b;
}

/// Whether one letter of one is left out, put in or replaced in the other.
bool is_one_letter_apart(const std::string& a, const std::string& b) {
  if (a.size() > b.size()) return is_one_letter_apart(b, a);
  if (b.size() - a.size() > 1) return false;
  const auto differ = std::ranges::mismatch(a, b);
  const auto rest = differ.in2 == b.end() ? differ.in2 : differ.in2 + 1;
  const auto from = a.size() == b.size() && differ.in1 != a.end() ? differ.in1 + 1 : differ.in1;
  return std::equal(from, a.end(), rest, b.end());
}

/// Whether a word is another without its vowels, or some of its other letters: `tkt`.
bool is_abbreviated(const std::string& shorter, const std::string& longer) {
  constexpr std::size_t shortest = 3;
  if (shorter.size() < shortest || shorter.find_first_of("aeiou0123456789") != shorter.npos)
    return false;
  if (shorter.front() != longer.front() || shorter.back() != longer.back()) return false;
  std::size_t at = 0;
  for (const char c : longer) at += at < shorter.size() && shorter[at] == c ? 1U : 0U;
  return at == shorter.size() && shorter.size() < longer.size();
}

/// Whether one word is abbreviated and all others are the same: `lost tkt`.
bool has_abbreviation(const std::string& shorter, const std::string& longer) {
  const std::vector<std::string> a = words_in(shorter);
  const std::vector<std::string> b = words_in(longer);
  if (a.size() < 2 || a.size() != b.size()) return false;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!is_abbreviated(a[i], b[i])) return false;
    ++differ;
  }
  return differ == 1;
}

/// Whether each word begins one of the other's, in order: `Miller Trans`, `g. pig`.
bool is_shortened(const std::string& shorter, const std::string& longer) {
  const std::vector<std::string> a = words_in(shorter);
  const std::vector<std::string> b = words_in(longer);
  if (a.size() < 2 || a.size() != b.size()) return false;
  bool has_same = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!b[i].starts_with(a[i])) return false;
    has_same = has_same || a[i] == b[i];
  }
  return has_same;
}

/// Whether one has a letter twice that the other has once: `drry`.
bool has_letter_doubled(const std::string& a, const std::string& b) {
  if (a.size() < b.size()) return has_letter_doubled(b, a);
  constexpr std::size_t shortest = 3;
  if (a.size() != b.size() + 1 || b.size() < shortest) return false;
  const auto differ = std::ranges::mismatch(a, b);
  return differ.in1 != a.begin() && *differ.in1 == *(differ.in1 - 1) && !is_digit(*differ.in1) &&
         std::equal(differ.in1 + 1, a.end(), differ.in2, b.end());
}

/// Whether one is the other's plural: `Coin`, `Coins`.
bool is_plural(const std::string& a, const std::string& b) {
  constexpr std::size_t shortest = 4;
  return std::min(a.size(), b.size()) >= shortest && (a + "s" == b || b + "s" == a);
}

bool has_digit(const std::string& text) { return std::ranges::any_of(text, is_digit); }

/// Whether what is so rare is a slip for what is so common.
bool is_slip(const std::string& rare, std::size_t count, const std::string& common,
             std::size_t more) {
  constexpr std::size_t long_enough = 5;
  const std::string a = slug(rare);
  const std::string b = slug(common);
  if (count < more &&
      (is_plural(a, b) || has_letter_doubled(a, b) || has_abbreviation(rare, common)))
    return true;
  if (has_digit(rare)) return false;
  if (count * 10 < more && has_letters_swapped(a, b)) return true;
  if (count * 20 >= more) return false;
  if (is_shortened(rare, common)) return true;
  return rare.size() >= long_enough && is_one_letter_apart(a, b);
}

/// What each value counts as that is not spelt as most are.
std::map<std::string, std::string> likes_of(const std::vector<std::string>& words) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& word : words) {
    if (!word.empty()) ++counts[word];
  }
  std::map<std::string, std::string> common;  // by what is left without capitals and marks
  std::map<std::string, std::size_t> folds;
  for (const auto& [word, count] : counts) {
    const std::string fold = folded(word);
    const auto [at, is_new] = common.emplace(fold, word);
    if (!is_new && count > counts[at->second]) at->second = word;
    folds[fold] += count;
  }
  std::map<std::string, std::string> likes;
  for (const auto& [word, count] : counts) {
    const std::string fold = folded(word);
    std::string like = common[fold];
    for (const auto& [other, more] : folds) {
      if (other != fold && is_slip(like, folds[fold], common[other], more)) {
        like = common[other];
        break;
      }
    }
    if (like != word) likes.emplace(word, like);
  }
  return likes;
}

}  // namespace

bool is_spelt_alike(const std::string& a, const std::string& b) { return folded(a) == folded(b); }

void settle_spellings(Table& table) {
  for (Column& column : table.columns) {
    if (column.kind != Column::Kind::category) continue;
    const std::map<std::string, std::string> likes = likes_of(column.words);
    if (likes.empty()) continue;
    column.spelt.resize(column.words.size());
    for (std::size_t row = 0; row < column.words.size(); ++row) {
      const auto like = likes.find(column.words[row]);
      if (like == likes.end()) continue;
      if (column.spelt[row].empty()) column.spelt[row] = column.words[row];
      column.words[row] = like->second;
    }
  }
}

std::vector<Respelt> respelt(const Column& column, const std::vector<std::size_t>& rows) {
  std::map<std::string, Respelt> all;
  for (const std::size_t row : rows) {
    if (column.spelt.empty() || column.spelt[row].empty()) continue;
    Respelt& one =
        all.try_emplace(column.spelt[row], Respelt{column.spelt[row], column.words[row], 0, row})
            .first->second;
    ++one.count;
  }
  std::vector<Respelt> list;
  for (const auto& [value, one] : all) list.push_back(one);
  return list;
}

}  // namespace insights
