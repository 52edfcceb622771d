#include "insights/account.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "insights/bounds.hpp"
#include "insights/meaning.hpp"
#include "insights/moves.hpp"
#include "insights/said_times.hpp"
#include "insights/unread.hpp"
#include "insights/unused.hpp"
#include "insights/used.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// A number, or a name with one, as it stands in a text, and where.
struct Number {
  std::string text;
  std::size_t at;
};

std::vector<Number> numbers_of(const std::string& text) {
  static const std::regex number{R"([A-Za-z]*\d[A-Za-z0-9]*(?:[.,:'/-]\d+)*)"};
  std::vector<Number> all;
  for (std::sregex_iterator at{text.begin(), text.end(), number}, end; at != end; ++at)
    all.push_back({at->str(), static_cast<std::size_t>(at->position())});
  return all;
}

class Accounting {
 public:
  Accounting(const Clause& clause, const Json& table, const std::vector<Json>& tables,
             const Evidence& evidence)
      : clause_(clause),
        table_(table),
        tables_(tables),
        used_(evidence, tables),
        text_(used_.has_time() ? without_events(clause.text) : clause.text),
        asked_(words_in(text_)),
        plain_(words_in(with_plain_times(text_, table))),
        of_rows_(names_of_rows(words_in(table.value("table", "")), asked_)),
        for_figures_(words_for_figures(clause, table)) {}

  Account account() {
    numbers();
    limits();
    for (std::size_t i = 0; i < asked_.size(); ++i) word(i);
    return std::move(account_);
  }

 private:
  /// Where the tables have a word: in the name of a column, or in its values.
  struct Known {
    const Json* column = nullptr;
    bool is_value = false;
  };

  [[nodiscard]] bool is_said(const std::string& word) const {
    const auto is_it = [&](const Left& one) { return one.word == word; };
    return std::ranges::any_of(account_.leading, is_it) ||
           std::ranges::any_of(account_.others, is_it);
  }
  void lead(const std::string& word) {
    if (!is_said(word)) account_.leading.push_back({word, known_as(word)});
  }

  /// Numbers and names with a number, of which nothing was asked.
  void numbers() {
    static const std::regex span{
        R"(^ (?:\w+ )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b)"};
    const std::string text = without_exceptions(text_);
    const std::string limit = limit_not_known(clause_.text);
    for (const Number& one : numbers_of(text)) {
      if (limit.find(one.text) != limit.npos) continue;
      const std::string rest = text.substr(one.at + one.text.size());
      const bool is_span = used_.has_time() && std::regex_search(rest, span);
      if (!is_span && !is_number_used(one.text)) lead(one.text);
    }
  }

  [[nodiscard]] bool is_number_used(std::string number) const {
    const std::vector<std::string> parts = words_in(number);
    if (std::ranges::all_of(parts, [&](const auto& part) { return used_.names(part); }))
      return true;
    const bool is_name = std::isalpha(static_cast<unsigned char>(number.front())) != 0;
    const Known known = is_name && parts.size() == 1 ? known_in_table(parts[0]) : Known{};
    if (known.is_value && is_settled(known, parts[0], 0)) return true;
    if (is_name) return used_.has_time() && (number.front() == 'Q' || number.front() == 'q');
    const auto is_number = [&](const std::string& text) {
      return used_.has_number(std::strtod(text.c_str(), nullptr));
    };
    if (std::ranges::all_of(parts, is_number)) return true;
    std::erase(number, ',');
    return is_number(number);
  }

  /// Limits in words: `more than once`, `in the top ten`.
  void limits() {
    static const std::regex limit{
        R"(\b((?:more|less|fewer) than (?:once|twice|one|two|three|half)|)"
        R"(at least (?:once|twice|a (?:second|third)(?: time)?|one|two|three)|)"
        R"(top (?:three|five|ten|twenty)|(?:once|twice|(?:three|four|five) times) or more)\b)",
        std::regex::icase};
    std::smatch found;
    if (!used_.has_limit() && std::regex_search(text_, found, limit)) lead(found[1]);
    static const std::regex negated{R"(\bnot (?:to|from|in|at|for|with|by) )", std::regex::icase};
    if (!used_.leaves_out() && std::regex_search(text_, negated)) lead("not");
  }

  /// Whether a word stands for the rows, or for the figures of a table whose only column does not
  /// say what it counts.
  [[nodiscard]] bool is_of_rows(const std::string& word) const {
    const auto is_it = [&](const std::string& one) { return is_same_word(one, word); };
    return of_rows_.contains(word) || std::ranges::any_of(for_figures_, is_it) ||
           std::ranges::any_of(words_in(table_.value("table", "")), is_it);
  }

  void word(std::size_t i) {
    const std::string& word = asked_[i];
    if (word.find_first_of("0123456789") != word.npos || words().has("stop", word)) return;
    if (std::ranges::find(plain_, word) == plain_.end()) return;
    const bool is_counted = is_counted_at(asked_, i);
    if (is_of_rows(word)) {
      if (is_counted && asked_[i - 1] == "many" && !used_.counts_rows() && !used_.names(word))
        account_.leading.push_back({word, "the rows, which are not counted"});
      return;
    }
    if (used_.names(word)) return;
    const bool is_unit = words().unit_names.contains(word) && word.size() > 1;
    static const std::set<std::string> lasting{"gap", "ends", "open", "runs", "often"};
    if (is_unit && is_counted && !used_.has_limit() && !used_.tells(lasting)) return lead(word);
    if (is_plain_word(word) || words().has("light", word) || words().has("takings", word)) return;
    if (clause_.about.periods && is_of_moves(word)) return;
    const Known known = known_in_table(word);
    if (known.column != nullptr && is_settled(known, word, i)) return;
    const bool is_new = is_unknown(tables_, word) || is_of_no_column(word);
    const bool is_beside = is_counted || is_setting_at(asked_, i) || is_second(word);
    if (known.column == nullptr && (!is_new || is_beside)) return;
    const bool is_of_rows_only = used_.is_of_rows_only() && clause_.about.where.empty();
    if (known.column != nullptr || is_of_rows_only || is_name(word) || is_compared(i))
      return lead(word);
    if (!is_said(word)) account_.others.push_back({word});
  }

  /// Whether nothing depends on a word that the table knows: a group that is listed is told, and a
  /// category that nobody asks for is no more than what the rows are of: `do customers pay later`.
  [[nodiscard]] bool is_settled(const Known& known, const std::string& word, std::size_t i) const {
    if (known.is_value) return used_.lists(word, name_of(*known.column), is_one_of_two(known, i));
    static const std::set<std::string> asking{"which", "what", "each",     "every",
                                              "per",   "by",   "different"};
    const bool is_asked = i > 0 && asking.contains(asked_[i - 1]);
    const bool is_number_asked = is_counted_at(asked_, i) && !used_.counts_rows();
    return !is_number(*known.column) && !is_asked && !is_number_asked;
  }

  /// Whether values of one column are set against each other.
  [[nodiscard]] bool is_one_of_two(const Known& known, std::size_t at) const {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const bool is_near = i + 1 >= at && i <= at + 1;
      if (is_near || is_plain_word(asked_[i])) continue;
      const Known other = known_in_table(asked_[i]);
      if (other.is_value && other.column == known.column) return true;
    }
    return false;
  }

  [[nodiscard]] Known known_in_table(const std::string& word) const {
    const bool is_short = word.size() < 3 && text_.find(upper(word)) == text_.npos;
    if (is_short || word.size() < 2) return {};
    const auto has = [&](const std::string& text) {
      return std::ranges::any_of(naming(words_in(text)),
                                 [&](const auto& one) { return is_same_word(word, one); });
    };
    for (const Json& column : table_.at("columns")) {
      if (!column.contains("counts") && !column.contains("between") && has(name_of(column)))
        return {&column, false};
    }
    for (const Json& column : table_.at("columns")) {
      if (is_of_notes(name_of(column))) continue;
      for (const Json& value : column.value("values", Json::array())) {
        if (has(value.get<std::string>())) return {&column, true};
      }
    }
    return {};
  }

  static std::string upper(std::string word) {
    for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return word;
  }

  static bool is_of_notes(const std::string& header) {
    static const std::set<std::string> notes{"remark", "note",     "comment",
                                             "notes",  "comments", "remarks"};
    return std::ranges::any_of(words_in(header),
                               [&](const std::string& word) { return notes.contains(word); });
  }

  [[nodiscard]] std::string known_as(const std::string& word) const {
    const Known known = known_in_table(word);
    if (known.column == nullptr) return "";
    return fmt::format("{} {}", known.is_value ? "a word of" : "column", name_of(*known.column));
  }

  /// Whether a word is a comparative of which no column is: `wetter`, where nothing measures water.
  [[nodiscard]] bool is_of_no_column(const std::string& word) const {
    return is_comparative({word}) && !is_plain_word(word) && !words().has("lasting", word) &&
           std::ranges::all_of(tables_, [&](const Json& table) {
             return meant_columns(table.at("columns"), {word}).empty() &&
                    meant_categories(table, {word}, true).empty();
           });
  }

  /// Whether a word has a capital and does not begin a sentence.
  [[nodiscard]] bool is_name(const std::string& word) const {
    static const std::regex name{R"([^.?!:"(] +([A-Z][A-Za-z]{2,})\b)"};
    const std::string& text = text_;
    for (std::sregex_iterator at{text.begin(), text.end(), name}, end; at != end; ++at) {
      if (words_in((*at)[1].str()).front() == word) return true;
    }
    return false;
  }

  /// Whether something is said to be, or not to be, like it: `morse`, of `is morse better than
  /// talking`.
  [[nodiscard]] bool is_compared(std::size_t i) const {
    const auto than = std::ranges::find(asked_, "than");
    const bool is_two = asked_.end() - than > 1 && !is_plain_word(*(than + 1));
    if (i == 0 || !is_two) return false;
    return asked_[i - 1] == "than" || (i == 1 && words().has("verbs", asked_[0]));
  }

  /// Whether it is the second part of a compound with a hyphen, which says little alone: `outs`, of
  /// `call-outs`.
  [[nodiscard]] bool is_second(const std::string& word) const {
    static const std::regex compound{"[A-Za-z]-([A-Za-z]+)"};
    const std::string& text = text_;
    for (std::sregex_iterator at{text.begin(), text.end(), compound}, end; at != end; ++at) {
      if (words_in((*at)[1].str()).front() == word) return true;
    }
    return false;
  }

  const Clause& clause_;
  const Json& table_;
  const std::vector<Json>& tables_;
  const Used used_;
  const std::string text_;  ///< without what is told of the time that is compared
  const std::vector<std::string> asked_;
  const std::vector<std::string> plain_;  ///< without what says a time: `before Christmas`
  const std::set<std::string> of_rows_;
  const std::vector<std::string> for_figures_;
  Account account_;
};

}  // namespace

Account account_of(const Clause& clause, const Json& table, const std::vector<Json>& tables,
                   const Evidence& evidence) {
  if (clause.about.is_broad) return {};
  return Accounting{clause, table, tables, evidence}.account();
}

}  // namespace insights
