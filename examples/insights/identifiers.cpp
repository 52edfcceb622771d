#include "insights/identifiers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/shapes.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_shapes = 5;  ///< of codes that begin with the same letters

bool has_any(const std::vector<std::string>& header, const char* list) {
  return std::ranges::any_of(header,
                             [&](const std::string& word) { return words().has(list, word); });
}

bool is_digit_at(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter_at(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// `wh9` of `WH1160`; loosely `a9`.
std::string shape_of(const std::string& text, bool is_loose) {
  std::string shape;
  for (char c : text) {
    if (is_digit_at(c)) {
      c = '9';
    } else if (is_letter_at(c)) {
      c = is_loose ? 'a' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const bool is_run = c == '9' || (is_loose && c == 'a');
    if (!is_run || shape.empty() || shape.back() != c) shape += c;
  }
  return shape;
}

/// The word or the two words that a number stands behind, if they name it: `job`, `order no.`.
bool is_called_before(const std::string& before, const std::vector<std::string>& names) {
  static const std::set<std::string> numbers{"no", "nr", "number", "num", "called", "id"};
  std::vector<std::string> said = words_in(before);
  while (!said.empty() && numbers.contains(said.back())) said.pop_back();
  return !said.empty() && std::ranges::any_of(names, [&](const std::string& name) {
    return is_same_word(said.back(), name);
  });
}

/// Whether a number goes on a list of them: `batches 150 and 151`.
bool goes_on(const std::string& between) {
  static const std::regex next{R"(^(?:,| and| or|, and|, or) $)", std::regex::icase};
  return std::regex_match(between, next);
}

/// What a prompt may call the numbers of a column: its header's words, and what the rows are.
std::vector<std::string> names_of(const Json& identifier, const Json& table) {
  std::vector<std::string> names = words_in(identifier.at("name").get<std::string>());
  std::erase_if(names, [](const std::string& word) { return words().has("identifiers", word); });
  if (names.empty()) names = words_in(table.at("table").get<std::string>());
  return names;
}

/// The text as the column writes it: in capitals, if all of it is.
std::string written(std::string text, const Json& identifier) {
  if (!identifier.value("capitals", false)) return text;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

class Identifying {
 public:
  Identifying(Interest& about, const Json& table, const std::string& prompt)
      : about_(about), table_(table), prompt_(prompt), rest_(prompt) {}

  std::string find() {
    for (const Json& one : table_.value("identifiers", Json::array())) find(one);
    return rest_;
  }

 private:
  void find(const Json& identifier) {
    static const std::regex code{R"([A-Za-z0-9][A-Za-z0-9/._-]*)"};
    const auto shapes = identifier.at("shapes").get<std::set<std::string>>();
    const bool is_loose = identifier.value("loose", false);
    const std::vector<std::string> names = names_of(identifier, table_);
    std::vector<std::string> found;
    std::optional<std::size_t> end;  // of the one before
    for (std::sregex_iterator at{prompt_.begin(), prompt_.end(), code}, none; at != none; ++at) {
      std::string text = at->str();
      while (text.back() == '.' || text.back() == '-' || text.back() == '/') text.pop_back();
      const auto from = static_cast<std::size_t>(at->position());
      if (text.find_first_of("0123456789") == text.npos ||
          !shapes.contains(shape_of(text, is_loose)))
        continue;
      const bool is_next = end && goes_on(prompt_.substr(*end, from - *end));
      const bool is_it = (is_alone(text) && !is_loose) || is_next ||
                         is_called_before(prompt_.substr(0, from), names);
      if (!is_it || is_quantity(from + text.size())) continue;
      found.push_back(written(text, identifier));
      end = from + text.size();
      rest_.replace(from, text.size(), std::string(text.size(), ' '));
    }
    if (!found.empty()) take(identifier, found);
  }

  /// Whether it needs no word before it: letters and at least two digits.
  static bool is_alone(const std::string& text) {
    return std::ranges::any_of(text, is_letter_at) && std::ranges::count_if(text, is_digit_at) > 1;
  }

  /// Whether a unit follows: `batch 2 weeks later`.
  [[nodiscard]] bool is_quantity(std::size_t end) const {
    static const std::regex next{R"(^ ?([A-Za-z%]+))"};
    std::smatch unit;
    const std::string behind = prompt_.substr(end);
    return std::regex_search(behind, unit, next) &&
           (words().unit_names.contains(
                words_in(unit[1].str()).empty() ? "" : words_in(unit[1].str()).front()) ||
            words().has("times", unit[1].str()));
  }

  void take(const Json& identifier, const std::vector<std::string>& found) {
    const auto name = identifier.at("name").get<std::string>();
    about_.looked_up[name] = found;
    if (!identifier.value("category", false)) return;
    about_.named.insert(name);
    std::string wanted = found.front();
    if (found.size() > 1) {
      wanted = one_of;
      for (const std::string& one : found)
        wanted += (one == found.front() ? "" : std::string{and_also}) + one;
    }
    about_.where[name] = wanted;
  }

  Interest& about_;
  const Json& table_;
  const std::string& prompt_;
  std::string rest_;
};

}  // namespace

bool is_called_number(const std::vector<std::string>& header) {
  return has_any(header, "numbered") && !has_any(header, "amounts") && !has_any(header, "levels");
}

bool are_numbers_of(const std::vector<std::string>& header, const std::set<double>& numbers,
                    std::size_t rows) {
  constexpr std::size_t fewest = 20;
  constexpr double sparse = 3;  // so many times fewer than there may be between first and last
  if (numbers.size() < fewest || numbers.size() >= rows || *numbers.begin() < 1) return false;
  const bool is_number_of = header.size() > 1 && has_any(header, "identifiers");
  if ((!is_number_of && !is_called_number(header)) || names_things(header)) return false;
  return *numbers.rbegin() - *numbers.begin() < sparse * static_cast<double>(numbers.size());
}

bool are_things(std::size_t values, std::size_t rows) { return values * 3 <= rows * 2; }

Json identifier_entries(const Table& table) {
  Json entries = Json::array();
  for (const std::string& name : table.identifiers) {
    const auto at = std::ranges::find(table.header, name);
    if (at == table.header.end()) continue;
    const auto place = static_cast<std::size_t>(at - table.header.begin());
    std::set<std::string> close;
    std::set<std::string> loose;
    bool has_small = false;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string cell = table.cells_in(row)[place];
      if (is_missing(cell)) continue;
      close.insert(shape_of(cell, false));
      loose.insert(shape_of(cell, true));
      has_small =
          has_small || std::ranges::any_of(cell, [](char c) { return c >= 'a' && c <= 'z'; });
    }
    const bool is_loose = close.size() > most_shapes;
    if (close.empty() || loose.size() > most_shapes) continue;
    Json entry{{"name", name}, {"shapes", is_loose ? loose : close}};
    if (is_loose) entry["loose"] = true;
    if (!has_small) entry["capitals"] = true;
    if (table.find(name) != nullptr) entry["category"] = true;
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string find_identifiers(Interest& about, const Json& table, const std::string& prompt) {
  return Identifying{about, table, prompt}.find();
}

}  // namespace insights
