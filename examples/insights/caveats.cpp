#include "insights/caveats.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>  // how std::optional<Json> is converted

#include "insights/account.hpp"
#include "insights/bounds.hpp"
#include "insights/cells.hpp"
#include "insights/clauses.hpp"
#include "insights/direct.hpp"
#include "insights/evidence.hpp"
#include "insights/hours.hpp"
#include "insights/meaning.hpp"
#include "insights/routing.hpp"
#include "insights/takings.hpp"
#include "insights/unread.hpp"
#include "insights/unused.hpp"
#include "insights/used.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr const char* not_as_asked = " What follows does not answer the question as it was asked.";

std::string quoted(const std::vector<std::string>& words) {
  return fmt::format("\"{}\"", fmt::join(words, "\", \""));
}

/// `A`, `A and B`, `A, B and C`
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::vector<std::string> first{names.begin(), names.end() - 1};
  return fmt::format("{} and {}", fmt::join(first, ", "), names.back());
}

class Telling {
 public:
  Telling(const Json& input, const Selection& told)
      : input_(input), told_(told), prompt_(input.at("prompt").get<std::string>()) {
    const Json& table = input.at("context").at("table");
    tables_.push_back(table);
    for (const Json& other : table.value("beside", Json::array())) tables_.push_back(other);
    std::vector<std::vector<Clause>> all;
    for (const Json& one : tables_) all.push_back(clauses_of(prompt_, one));
    const std::vector<std::size_t> of_clause = tables_of(all, tables_);
    for (std::size_t i = 0; i < of_clause.size(); ++i) {
      const Clause& clause = all[of_clause[i]][i];
      if (clause.asks) parts_.push_back({clause, &tables_[of_clause[i]], i});
    }
    direct_ = direct_calls_of_clauses(prompt_, tables_[0],
                                      [this](const Json& call) { return result_of(call); });
  }

  Caveats caveats() const {
    Caveats found;
    for (const std::string& one :
         {not_used(), not_found(), counted(), not_computed(), not_limited(), all_left_out(),
          not_in_time(), not_taken(), left_open(), also_void(), dated()}) {
      if (!one.empty()) found.all.push_back(one);
    }
    found.is_other =
        parts_.size() == 1 && !found.all.empty() && found.all.front().ends_with(not_as_asked);
    return found;
  }

 private:
  struct Part {
    Clause clause;
    const Json* table;  ///< that it is about
    std::size_t at;     ///< of the clauses
  };

  /// Whether one of the findings says the word.
  [[nodiscard]] bool is_told(const std::string& word) const {
    return std::ranges::any_of(told_.told, [&](const Finding& one) {
      return std::ranges::any_of(words_in(one.text),
                                 [&](const std::string& other) { return speaks_of(word, other); });
    });
  }

  /// What the question asks for, or restricts it to, and no table has.
  [[nodiscard]] std::string not_found() const {
    std::vector<std::string> found = not_found_words();
    const bool is_who = std::erase_if(found, is_of_people) > 0;
    std::vector<std::string> texts;
    if (!found.empty())
      texts.push_back(fmt::format("Not found in the data: no column and no value is called {}.",
                                  quoted(found)));
    for (const Part& part : parts_) {
      const bool is_counted = std::ranges::any_of(
          words_for_rows(part.clause, *part.table, tables_),
          [&](const auto& word) { return std::ranges::find(found, word) != found.end(); });
      if (!is_counted) continue;
      texts.push_back(
          fmt::format("The rows of {} are counted.", part.table->at("table").get<std::string>()));
      break;
    }
    if (is_who && !may_hold_people())
      texts.emplace_back("The data does not say who: no column holds people.");
    return fmt::format("{}", fmt::join(texts, " "));
  }

  /// Whether a column may be one of people, as its name ends: Hirer, Tenant, Foreman.
  [[nodiscard]] bool may_hold_people() const {
    static const std::regex doer{R"(.{2,}(?:er|or|ee|ant|ist|man)s?)"};
    return std::ranges::any_of(tables_, [](const Json& table) {
      return std::ranges::any_of(table.at("columns"), [](const Json& column) {
        const std::vector<std::string> name = words_in(insights::name_of(column));
        return !is_number(column) && !name.empty() && std::regex_match(name.back(), doer);
      });
    });
  }

  static bool is_of_people(const std::string& word) { return word == "who" || word == "whose"; }

  [[nodiscard]] std::vector<std::string> not_found_words() const {
    std::vector<std::string> found = interest_of(prompt_, tables_[0]).unread;
    for (std::size_t i = 1; i < tables_.size(); ++i) {
      const std::vector<std::string> theirs = interest_of(prompt_, tables_[i]).unread;
      std::erase_if(found, [&](const std::string& word) {
        return std::ranges::find(theirs, word) == theirs.end();
      });
    }
    std::erase_if(found, [](const std::string& word) { return words().has("plain", word); });
    for (const Part& part : parts_) {
      if (part.clause.about.is_broad) continue;
      for (const std::string& word : unknown_things(tables_, part.clause.words)) {
        const bool is_outcome = words().has("failures", word) || words().has("successes", word);
        if (is_outcome && !part.clause.about.where.empty()) continue;
        const bool is_new = std::ranges::find(found, word) == found.end();
        if (is_new && !is_told(word)) found.push_back(word);
      }
    }
    for (const Part& part : parts_) {
      for (const std::string& word : part.clause.words) {
        if (is_without_column(part.clause, word)) found.push_back(word);
      }
      for (const std::string& word : words_for_figures(part.clause, *part.table))
        std::erase(found, word);
      if (found.empty()) break;
      const Evidence evidence = evidence_of(part);
      std::erase_if(found, [&](const std::string& word) {
        return !is_of_people(word) && insights::is_used(word, evidence, tables_);
      });
    }
    return found;
  }

  /// Whether a clause asks for a place on a scale, as `how old`, of which no column is; for the end
  /// of one, as `quickest`, and names no column besides; or who it is, and no column is of people.
  [[nodiscard]] bool is_without_column(const Clause& clause, const std::string& word) const {
    if (clause.about.is_broad) return false;
    if (is_of_people(word))
      return word == clause.words.front() && clause.about.named.empty() &&
             clause.about.where.empty() && is_in_no_table(word);
    if (is_degree(clause, word)) return is_in_no_table(word);
    const auto& asks = words().asks;
    const bool is_of_times = asks.at("pattern").contains(word) || asks.at("quiet").contains(word);
    return is_superlative({word}) && !is_of_times && !words().has("extremes", word) &&
           clause.about.said.empty() && is_in_no_table(word);
  }

  /// Whether it is asked how something is, of an adjective that a column may be of: `how old`.
  [[nodiscard]] static bool is_degree(const Clause& clause, const std::string& word) {
    return clause.words.size() > 1 && clause.words[0] == "how" && clause.words[1] == word &&
           words().has("degrees", word);
  }

  /// Whether no column of any table is meant by the word.
  [[nodiscard]] bool is_in_no_table(const std::string& word) const {
    return std::ranges::all_of(tables_, [&](const Json& table) {
      return meant_columns(table.at("columns"), {word}).empty() &&
             meant_categories(table, {word}, true).empty();
    });
  }

  /// A season or `last year`, which is no time that can be read.
  [[nodiscard]] std::string not_in_time() const {
    const bool is_read = std::ranges::any_of(parts_, [](const Part& part) {
      return !part.clause.about.from.empty() || part.clause.about.periods;
    });
    const std::string time = is_read ? "" : time_not_read(prompt_, input_.at("context"), tables_);
    if (time.empty()) return "";
    return fmt::format(
        "\"{}\" is not read as a time: name its months or its year, as in \"from June to August\" "
        "or \"in 2024\".",
        time);
  }

  /// Words that led to nothing, where a clause is answered all the same.
  [[nodiscard]] std::string not_used() const {
    if (told_.is_vague) return "";
    const std::vector<std::string> missing = not_found_words();
    const std::vector<std::string> open = open_clauses();
    std::vector<std::string> leading;
    std::vector<std::string> others;
    std::set<std::string> said{missing.begin(), missing.end()};
    const auto add = [&](std::vector<std::string>& list, const std::vector<Left>& all) {
      for (const Left& one : all) {
        if (!said.insert(one.word).second) continue;
        list.push_back(fmt::format("\"{}\"", one.word));
        if (!one.known.empty()) list.back() += fmt::format(" ({})", one.known);
      }
    };
    for (const Part& part : parts_) {
      if (std::ranges::find(open, part.clause.text) != open.end()) continue;
      // Of rows that are looked up all cells are told.
      if (!part.clause.about.looked_up.empty()) continue;
      const Account account = account_of(part.clause, *part.table, tables_, evidence_of(part));
      add(leading, account.leading);
      add(others, account.others);
    }
    const bool is_other = !leading.empty();
    leading.insert(leading.end(), others.begin(), others.end());
    if (leading.empty()) return "";
    const std::string text = fmt::format("Not used: {}.", fmt::join(leading, ", "));
    if (!is_other) return text;
    const bool is_all = told_.is_broad && std::ranges::none_of(parts_, [](const Part& part) {
                          return part.clause.about.is_broad;
                        });
    return text + (is_all ? " Nothing else in the question names a column or a "
                            "value; this is what stands out."
                          : not_as_asked);
  }

  [[nodiscard]] Evidence evidence_of(const Part& part) const {
    return insights::evidence_of(part.at, direct_, input_.at("exchanges"), told_);
  }

  /// That no row is left, where a question leaves out all values of a category.
  [[nodiscard]] std::string all_left_out() const {
    for (const Part& part : parts_) {
      for (const std::string& name : part.clause.about.left_out) {
        const Json& columns = part.table->at("columns");
        const auto column = std::ranges::find(columns, name, insights::name_of);
        if (column == columns.end() || column->contains("more_values")) continue;
        const std::string& wanted = part.clause.about.where.at(name);
        const bool is_left = std::ranges::any_of(column->at("values"), [&](const Json& value) {
          return admits(wanted, value.get<std::string>());
        });
        if (!is_left)
          return fmt::format("No row is left: {} has no other value than {}.", name,
                             listed(values_in(wanted)));
      }
    }
    return "";
  }

  /// What the table itself says of its cells.
  [[nodiscard]] std::string counted() const {
    for (const Part& part : parts_) {
      const std::string text = counted_cells(part.clause, *part.table);
      if (!text.empty()) return text;
    }
    return "";
  }

  /// What no tool can tell from any table.
  [[nodiscard]] std::string not_computed() const {
    for (const Part& part : parts_) {
      for (const std::string& word : part.clause.words) {
        if (words().has("overlaps", word))
          return fmt::format(
              "Not answered: what is \"{}\". Nothing here tells which rows overlap in time and "
              "exceed what there is room for; what follows is about something else.",
              word);
        if (words().has("future", word))
          return fmt::format(
              "Not answered: \"{}\". Nothing here tells what is to come; what "
              "follows is about what has been.",
              word);
      }
    }
    return "";
  }

  /// A limit in the question that is no limit of the answer.
  [[nodiscard]] std::string not_limited() const {
    for (const Part& part : parts_) {
      const std::string text = limit_not_known(part.clause.text);
      if (!text.empty())
        return fmt::format(
            "Not used: the limit in \"{}\". Say \"above\" or \"below\" it; what follows is about "
            "all readings.",
            text);
    }
    return "";
  }

  /// What was earned, where only prices are there.
  [[nodiscard]] std::string not_taken() const {
    for (const Part& part : parts_) {
      const Clause& clause = part.clause;
      if (!clause.about.names_columns || !asks_for_takings(clause.words)) continue;
      std::vector<std::string> prices;
      for (const Json& column : part.table->at("columns")) {
        if (!clause.about.said.contains(insights::name_of(column))) continue;
        if (!is_price(column)) return "";
        prices.push_back(
            fmt::format("{} ({})", insights::name_of(column), column.value("unit", "")));
      }
      const std::vector<std::string> said(clause.about.said.begin(), clause.about.said.end());
      if (prices.empty() || takings(clause.words, said, *part.table)) continue;
      return fmt::format(
          "Not computed: what was taken in all. The nearest is {}, which is a price.",
          listed(prices));
    }
    return "";
  }

  /// The parts of a question in several parts that nothing answers.
  [[nodiscard]] std::string left_open() const {
    const std::vector<std::string> open = open_clauses();
    return open.empty() ? "" : fmt::format("Not answered: {}.", quoted(open));
  }

  [[nodiscard]] std::vector<std::string> open_clauses() const {
    if (parts_.size() < 2 || told_.is_broad) return {};
    std::vector<std::string> open;
    for (const Part& part : parts_) {
      const Clause& clause = part.clause;
      const std::vector<std::string> things = things_of(interest_of(clause.text, *part.table));
      const bool is_of_before = clause.is_short() || clause.says("pointing");
      const auto answers = [&](const DirectCall& one) {
        const bool is_it = !one.is_total || !things.empty() || is_of_before || clause.about.counts;
        return one.clause == part.at && is_it && says(one.call);
      };
      const auto is_said = [&](const std::string& word) { return is_told(word); };
      if (clause.about.is_broad || clause.is_short() ||
          is_told_besides(clause, part.at, direct_, told_) ||
          std::ranges::any_of(things, is_said) || std::ranges::any_of(direct_, answers))
        continue;
      open.push_back(clause.text);
    }
    return open;
  }

  /// The words of the columns, categories and values that are named.
  static std::vector<std::string> things_of(const Interest& about) {
    std::vector<std::string> all;
    const auto add = [&](const std::string& name) {
      for (std::string& word : naming(words_in(name))) all.push_back(std::move(word));
    };
    for (const std::string& name : about.said) add(name);
    for (const std::string& name : about.named) add(name);
    for (const auto& [category, value] : about.where) add(value);
    return all;
  }

  [[nodiscard]] std::optional<Json> result_of(const Json& call) const {
    for (const Json& exchange : input_.at("exchanges")) {
      for (const Json& made : exchange.value("calls", Json::array())) {
        if (made.at("tool") == call.at("tool") && made.at("arguments") == call.at("arguments"))
          return made.at("result");
      }
    }
    return std::nullopt;
  }

  /// Whether a call's result says something.
  [[nodiscard]] bool says(const Json& call) const {
    const auto result = result_of(call);
    return !result || !findings_of(call.at("tool").get<std::string>(), *result).empty();
  }

  /// Of which dates the times are, where a table has several.
  [[nodiscard]] std::string dated() const {
    for (const Part& part : parts_) {
      const Json& table = *part.table;
      const Interest& about = part.clause.about;
      const bool is_of_time = !about.from.empty() || about.periods ||
                              about.asks.contains("months") || about.asks.contains("weeks") ||
                              about.asks.contains("days") || about.asks.contains("weekdays") ||
                              !span_in(part.clause.text, true).empty();
      if (!table.contains("time") || !is_of_time || about.is_broad) continue;
      const std::vector<std::string> others = other_dates(table);
      if (others.empty()) continue;
      return fmt::format("Days and months are those of {}, not of {}.",
                         table.at("time").get<std::string>(), listed(others));
    }
    return "";
  }

  /// That rows are counted of which nothing came, where it is asked what came in.
  [[nodiscard]] std::string also_void() const {
    for (const Part& part : parts_) {
      if (!asks_for_takings(part.clause.words)) continue;
      for (const Json& column : part.table->at("columns")) {
        std::vector<std::string> found;
        for (const Json& value : column.value("values", Json::array())) {
          const std::vector<std::string> theirs = words_in(value.get<std::string>());
          const bool is_it =
              std::ranges::any_of(
                  theirs, [](const std::string& word) { return words().has("void", word); }) ||
              is_said(theirs, {"no", "show"});
          if (is_it) found.push_back(value);
        }
        const std::string name = insights::name_of(column);
        if (found.empty() || column.contains("free") || part.clause.about.where.contains(name))
          continue;
        return fmt::format("All rows are counted, also those with {} {}.", name, listed(found));
      }
    }
    return "";
  }

  const Json& input_;
  const Selection& told_;
  const std::string prompt_;
  std::vector<Json> tables_;
  std::vector<Part> parts_;
  std::vector<DirectCall> direct_;
};

}  // namespace

Caveats caveats_of(const Json& input, const Selection& told) {
  return Telling{input, told}.caveats();
}

}  // namespace insights
