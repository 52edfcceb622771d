// What a question takes off a column, or multiplies it by.
#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/query_basis.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Whether a column is called after what is spent: `Editing cost`.
bool is_spent(const Json& column) {
  return std::ranges::any_of(words_in(name_of(column)),
                             [](const auto& word) { return words().has("not taken", word); });
}

class Arithmetic {
 public:
  Arithmetic(const QueryBasis& asked, const std::vector<std::string>& names)
      : asked_(asked), names_(names) {}

  [[nodiscard]] std::optional<Query> made() const {
    static const std::regex price{
        R"(\b(?:times|multiplied by|at (?:its|their|the|that|each|his|her)\b))", std::regex::icase};
    std::smatch found;
    Query query;
    std::string text = asked_.clause().text;
    if (std::regex_search(text, found, price)) {
      const std::string factor = named_in(found.suffix().str().substr(0, 40), true);
      if (!factor.empty()) query.times = {factor};
      if (!factor.empty()) text = found.prefix();
    }
    static const std::regex profit{
        R"(\b(?:left over|profit|profits|profitable|break even|(?:mak|los)(?:e|es|ing) money|)"
        R"(made money|lost money|mak(?:e|es|ing) a loss)\b)",
        std::regex::icase};
    query.less = taken_off(text);
    if (query.less.empty() && std::regex_search(text, profit)) {
      query.less = only_spent();
      query.measures = rest_of(query.less);
      if (!query.measures.empty()) return query;
      query.less.clear();
    }
    if (query.less.empty() && query.times.empty()) return std::nullopt;
    for (const std::string& name : names_) {
      const bool is_factor = std::ranges::find(query.times, name) != query.times.end();
      if (name == query.less || is_factor || !asked_.is_amount(name)) continue;
      const bool is_alike = query.less.empty() || unit_of(name) == unit_of(query.less);
      if (is_alike || query.measures.empty()) query.measures.push_back(name);
      if (!is_alike || query.less.empty() || !is_spent(*asked_.column(query.less))) return query;
    }
    if (query.measures.empty()) query.measures = rest_of(query.less);
    return query.measures.empty() ? std::nullopt : std::optional{query};
  }

 private:
  [[nodiscard]] std::string unit_of(const std::string& name) const {
    return asked_.column(name)->value("unit", "");
  }

  /// The column that the text takes off; "": none.
  [[nodiscard]] std::string taken_off(const std::string& text) const {
    static const std::regex off{R"(\b(?:less|minus|after deducting|net of|not counting)\b)",
                                std::regex::icase};
    // `delivered less rejected` takes off, `use less heat` does not.
    static const std::regex fewer{
        R"(\b(?:us(?:e[sd]?|ing)|sell|sold|ma[kd]e|take|took|need(?:ed)?|spen[dt]|g[eo]t|ha[ds]|)"
        R"(have|is|are|was|were|do|did|does|much|far|any|even|no|or|with|for) $)",
        std::regex::icase};
    static const std::regex paid{
        R"(\b(?:once|after|when) ([\w ]{2,40}?) (?:is|are|was|were|has been|have been) )"
        R"((?:paid|covered|deducted|taken off|subtracted|met)\b|\b(?:after|after paying(?: for)?) )"
        R"((?:the |our |all )?(\w+(?: \w+)?))",
        std::regex::icase};
    std::smatch found;
    if (std::regex_search(text, found, off) && !std::regex_search(found.prefix().str(), fewer))
      return named_in(found.suffix().str().substr(0, 40), false);
    for (std::sregex_iterator at{text.begin(), text.end(), paid}, end; at != end; ++at) {
      const std::string name = spent_in((*at)[1].str() + (*at)[2].str());
      if (!name.empty()) return name;
    }
    return "";
  }

  /// The only column of what is spent; "": there is none, or several.
  [[nodiscard]] std::string only_spent() const {
    std::string only;
    for (const Json& one : asked_.table().at("columns")) {
      const std::string unit = one.value("unit", "");
      const bool is_money = is_number(one) && words().has("money", unit) && is_spent(one);
      if (!is_money || !asked_.is_amount(name_of(one))) continue;
      if (!only.empty()) return "";
      only = name_of(one);
    }
    return only;
  }

  /// The column of money that a text of a few words names.
  [[nodiscard]] std::string spent_in(const std::string& text) const {
    for (const Json& one : asked_.table().at("columns")) {
      const bool is_money = is_number(one) && words().has("money", one.value("unit", ""));
      if (is_money && asked_.is_amount(name_of(one)) &&
          is_named(words_in(name_of(one)), words_in(text)))
        return name_of(one);
    }
    return "";
  }

  /// What something is taken off, if it is not named: the amounts in the same unit that are not
  /// spent, or, of what is no cost, the first.
  [[nodiscard]] std::vector<std::string> rest_of(const std::string& less) const {
    std::vector<std::string> all;
    if (less.empty() || unit_of(less).empty()) return all;
    const bool is_cost = is_spent(*asked_.column(less));
    for (const Json& one : asked_.table().at("columns")) {
      const bool is_it = is_number(one) && name_of(one) != less &&
                         one.value("unit", "") == unit_of(less) &&
                         (!is_cost || (!is_spent(one) && asked_.is_amount(name_of(one))));
      if (!is_it) continue;
      all.push_back(name_of(one));
      if (!is_cost) break;
    }
    return all;
  }

  /// The first of the columns that the text names.
  [[nodiscard]] std::string named_in(const std::string& text, bool is_price) const {
    const std::vector<std::string> said = words_in(text);
    for (const std::string& name : names_) {
      if (is_price == asked_.is_amount(name)) continue;
      if (is_named(words_in(name), said)) return name;
    }
    return "";
  }

  const QueryBasis& asked_;
  const std::vector<std::string>& names_;
};

/// The first amount of money with a word of a list, and of those after it; nullptr: none.
/// @param like  of several, one that has another word in common with this column
const Json* money_called(const Json& table, const char* list, const Json* like) {
  const Json* first = nullptr;
  for (const Json& one : table.at("columns")) {
    const bool is_money =
        is_number(one) && words().has("money", one.value("unit", "")) && one.at("amount") == true;
    const std::vector<std::string> name = words_in(name_of(one));
    const auto is_it = [&](const std::string& word) { return words().has(list, word); };
    if (!is_money || std::ranges::none_of(name, is_it)) continue;
    if (first == nullptr) first = &one;
    if (like != nullptr && is_named(name, words_in(name_of(*like)))) return &one;
  }
  return first;
}

}  // namespace

std::optional<Query> owed_in(const QueryBasis& asked) {
  const bool is_owed = asked.matches(
      R"(\b(?:ow(?:e|es|ed|ing)|unpaid|arrears|behind with|(?:not|n't|n’t|never) (?:yet )?paid)\b)");
  if (!is_owed) return std::nullopt;
  const Json* due = money_called(asked.table(), "owed", nullptr);
  const Json* paid = due == nullptr ? nullptr : money_called(asked.table(), "settled", due);
  if (paid == nullptr || paid == due || paid->value("unit", "") != due->value("unit", ""))
    return std::nullopt;
  return Query{.measures = {name_of(*due)}, .less = name_of(*paid)};
}

std::optional<Query> arithmetic_of(const QueryBasis& asked, const std::vector<std::string>& names) {
  return Arithmetic{asked, names}.made();
}

}  // namespace insights
