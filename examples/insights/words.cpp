#include "insights/words.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

Words read(const char* file) {
  std::ifstream in{file};
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object())
    throw std::runtime_error(std::string{file} + " is not a JSON object of words");
  Words all;
  for (const auto& [name, value] : json.items()) {
    if (name == "units") {
      value.get_to(all.units);
    } else if (name == "unit names") {
      value.get_to(all.unit_names);
    } else if (name == "hundredths") {
      value.get_to(all.hundredths);
    } else if (name == "sizes") {
      value.get_to(all.sizes);
    } else if (name == "same") {
      value.get_to(all.same);
    } else if (name == "sayings") {
      value.get_to(all.sayings);
    } else if (name == "happenings") {
      value.get_to(all.happenings);
    } else if (name == "meanings") {
      for (const Json& one : value) {
        all.meanings.push_back(
            {one.at("said"), one.at("names"), one.at("units"), one.value("weak", false)});
      }
    } else if (name == "asks") {
      value.get_to(all.asks);
    } else {
      value.get_to(all.of[name]);
    }
  }
  return all;
}

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0 || c == '%';
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// In small letters, those of Western Europe without their accents: `temperature` of
/// `Température`.
std::string plain(std::string_view text) {
  // U+00C0 to U+00DF, and the small letters behind them; × and ÷ are none.
  static constexpr std::string_view letters = "aaaaaaaceeeeiiiidnooooo*ouuuuyts";
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool is_letter = text[i] == '\xC3' && next >= 0x80 && next < 0xC0;
    const char letter = is_letter ? letters[(next - 0x80) % letters.size()] : '*';
    all += letter == '*' ? lower(text[i]) : letter;
    i += letter == '*' ? 0 : 1;
  }
  return all;
}

/// Whether a word is the superlative of another: `fattest` of fat, `dustiest` of dust.
bool is_superlative_of(const std::string& word, const std::string& other) {
  if (!word.ends_with("est") || word.size() < 6) return false;
  std::string stem = word.substr(0, word.size() - 3);
  if (stem.back() == 'i' || stem.back() == stem[stem.size() - 2]) stem.pop_back();
  return stem == other;
}

}  // namespace

const Words& words() {
  static const Words all = read(INSIGHTS_WORDS);
  return all;
}

bool is_missing(std::string_view cell) {
  static constexpr std::size_t longest = 4;  // of words.json: null, none
  if (cell.size() > longest) return false;
  std::string small{cell};
  std::ranges::transform(small, small.begin(), lower);
  return words().has("missing", small);
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> all;
  std::string word;
  for (const char c : plain(text) + ' ') {
    if (in_word(c)) {
      word += c;
    } else if (!word.empty()) {
      all.push_back(std::move(word));
      word.clear();
    }
  }
  return all;
}

/// Whether one is the other with an s, and too short for a stem.
bool is_short_plural(const std::string& a, const std::string& b) {
  const std::string& shorter = a.size() < b.size() ? a : b;
  const std::string& longer = a.size() < b.size() ? b : a;
  return shorter.size() > 1 && shorter.size() < 4 && longer == shorter + "s" &&
         !words().has("stop", shorter);
}

bool is_same_word(const std::string& a, const std::string& b) {
  const bool is_plural = is_short_plural(a, b);
  return a == b || is_plural ||
         (a.size() > 3 && b.size() > 3 && text::stem_of(a) == text::stem_of(b));
}

bool speaks_of(const std::string& asked, const std::string& header) {
  if (asked == header || is_superlative_of(asked, header)) return true;
  const std::string& shorter = asked.size() < header.size() ? asked : header;
  const std::string& longer = asked.size() < header.size() ? header : asked;
  const bool is_plural = is_short_plural(asked, header);
  if (asked.size() > 3 && text::stem_of(asked) == text::stem_of(header)) return true;
  if (is_plural || (shorter.size() >= 4 && longer.starts_with(shorter))) return true;
  return std::ranges::any_of(words().same, [&](const std::set<std::string>& group) {
    return group.contains(asked) && group.contains(header);
  });
}

bool is_free_text(const std::map<std::string, std::size_t>& counts) {
  std::size_t all_words = 0;
  std::size_t once = 0;
  for (const auto& [value, count] : counts) {
    all_words += words_in(value).size();
    if (count == 1) ++once;
  }
  return once * 4 >= counts.size() && once > 1 && all_words > 2 * counts.size();
}

bool is_general(const std::string& word) {
  const Words& all = words();
  return std::ranges::any_of(std::vector{"stop", "general", "broad", "lasting", "counted"},
                             [&](const char* list) { return all.has(list, word); }) ||
         std::ranges::any_of(all.asks,
                             [&](const auto& kind) { return kind.second.contains(word); });
}

std::optional<double> in_unit(const std::string& from, const std::string& to) {
  if (from == to && !from.empty()) return 1;
  for (const auto& sizes : words().sizes) {
    const auto one = sizes.find(from);
    const auto other = sizes.find(to);
    if (one != sizes.end() && other != sizes.end()) return one->second / other->second;
  }
  return std::nullopt;
}

std::optional<std::pair<std::string, double>> number_wanted(const std::string& wanted) {
  for (const std::string_view how : {"exactly ", "above ", "below ", "at least ", "at most "}) {
    if (!wanted.starts_with(how)) continue;
    const std::string rest = wanted.substr(how.size());
    char* end = nullptr;
    const double number = std::strtod(rest.c_str(), &end);
    if (end == rest.c_str()) continue;
    return std::pair{std::string{how.substr(0, how.size() - 1)}, number};
  }
  return std::nullopt;
}

bool is_within(const std::pair<std::string, double>& limit, double number) {
  const auto& [how, value] = limit;
  if (how == "exactly") return number == value;
  if (how == "above") return number > value;
  if (how == "below") return number < value;
  return how == "at least" ? number >= value : number <= value;
}

std::vector<std::string> values_in(const std::string& wanted) {
  const bool is_any = wanted.starts_with(one_of);
  if (!is_any && !wanted.starts_with(all_but)) return {wanted};
  std::vector<std::string> all;
  std::size_t from = is_any ? one_of.size() : all_but.size();
  for (auto at = wanted.find(and_also, from); at != wanted.npos; at = wanted.find(and_also, from)) {
    all.push_back(wanted.substr(from, at - from));
    from = at + and_also.size();
  }
  all.push_back(wanted.substr(from));
  return all;
}

bool admits(const std::string& wanted, const std::string& value) {
  const std::vector<std::string> values = values_in(wanted);
  const bool is_one = std::ranges::find(values, value) != values.end();
  return is_one != wanted.starts_with(all_but);
}

bool is_one_value(const std::map<std::string, std::string>& where, const std::string& category) {
  const auto found = where.find(category);
  return found != where.end() && !found->second.starts_with(all_but) &&
         !found->second.starts_with(one_of) && !number_wanted(found->second);
}

std::string unit_of_price(const std::string& unit) {
  return unit.substr(0, unit.find_first_of("/ "));
}

std::string slug(std::string_view name) {
  std::string text;
  for (const char c : plain(name)) {
    if (in_word(c)) {
      text += c;
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  return text.ends_with('-') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace insights
