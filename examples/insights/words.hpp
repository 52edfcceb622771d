/// @file
/// What words of a header and of a question mean: general vocabulary, read from words.json, which
/// holds nothing of a data set.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace insights {

/// What words of a question say of a column without its name: `heavy` is about weight, or about
/// what is in kilograms.
struct Meaning {
  std::set<std::string> said;
  std::set<std::string> names;  ///< of columns
  std::set<std::string> units;  ///< where no column has one of the names; money is any currency
  bool is_weak = false;         ///< only where the question has no other meaning: `take`
};

struct Words {
  std::map<std::string, std::string> units;          ///< at the end of a header: kwh, kWh
  std::map<std::string, std::string> unit_names;     ///< in a question: kilograms, kg
  std::map<std::string, std::string> hundredths;     ///< of money: p, £
  std::map<std::string, std::set<std::string>> of;   ///< other lists, by name
  std::vector<std::map<std::string, double>> sizes;  ///< of units of one kind: t, 1e6; kg, 1000
  std::vector<std::set<std::string>> same;           ///< words for much the same thing
  std::vector<std::set<std::string>> happenings;     ///< words for what happens on a date
  std::vector<std::set<std::string>> sayings;        ///< words in a row for much the same thing
  std::vector<Meaning> meanings;
  std::map<std::string, std::set<std::string>> asks;  ///< words that ask for a kind of finding

  [[nodiscard]] bool has(const char* list, const std::string& word) const {
    return of.at(list).contains(word);
  }
};

/// @throws std::runtime_error  the file cannot be read
[[nodiscard]] const Words& words();

/// Whether a cell says that there is no value: it is empty, `NA`, `n/a` and the like.
[[nodiscard]] bool is_missing(std::string_view cell);

/// The words of a text in lower case: letters and digits; `cell_temp (°C)` gives cell, temp, °c.
[[nodiscard]] std::vector<std::string> words_in(std::string_view text);

/// Whether two words are the same, or have the same stem.
[[nodiscard]] bool is_same_word(const std::string& a, const std::string& b);

/// Whether a word of a question speaks of a word of a header: the same, one the beginning of the
/// other (at least four letters), of the same stem, or in the same list of words.same.
[[nodiscard]] bool speaks_of(const std::string& asked, const std::string& header);

/// Whether these are remarks: several words each, and many of them there only once.
/// @param counts  how often each is there
[[nodiscard]] bool is_free_text(const std::map<std::string, std::size_t>& counts);

/// Whether a word says nothing of what is asked about: it is part of any question.
[[nodiscard]] bool is_general(const std::string& word);

/// How many of the unit `to` one of `from` is: 60 minutes are an hour; nullopt when they are not
/// of one kind.
[[nodiscard]] std::optional<double> in_unit(const std::string& from, const std::string& to);

/// Where values are left out, the rows are restricted to `all but` them.
inline constexpr std::string_view all_but = "all but ";
/// Where several are admitted, they are restricted to `any of` them.
inline constexpr std::string_view one_of = "any of ";
/// Rows are restricted to a number of a column by `exactly`, it, and its unit; see number_wanted().
inline constexpr std::string_view exactly = "exactly ";
/// What stands between several.
inline constexpr std::string_view and_also = " | ";
/// What weekdays are left out under, as if they were a category.
inline constexpr std::string_view weekday_key = "weekday";

/// How the numbers of a column are restricted, and to which number: `above 15 mm`, `at least 2`,
/// `exactly 3 kg`; nullopt: they are not, it is a value of a category.
[[nodiscard]] std::optional<std::pair<std::string, double>> number_wanted(
    const std::string& wanted);

/// Whether a number is as number_wanted() says.
[[nodiscard]] bool is_within(const std::pair<std::string, double>& limit, double number);

/// The values that rows are restricted to, or that are left out.
[[nodiscard]] std::vector<std::string> values_in(const std::string& wanted);

/// Whether rows that are restricted so have the value.
[[nodiscard]] bool admits(const std::string& wanted, const std::string& value);

/// Whether rows are restricted to one value of a category.
[[nodiscard]] bool is_one_value(const std::map<std::string, std::string>& where,
                                const std::string& category);

/// What something is so much of for each: `£` of `£/kg` and `£ each`.
[[nodiscard]] std::string unit_of_price(const std::string& unit);

/// `new-york` for `New York`: what names of files have in common with names of systems.
[[nodiscard]] std::string slug(std::string_view name);

}  // namespace insights
