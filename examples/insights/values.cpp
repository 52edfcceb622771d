#include "insights/values.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/choices.hpp"
#include "insights/hours.hpp"
#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/parts.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {

using Json = nlohmann::json;

std::vector<std::string> naming(std::vector<std::string> theirs) {
  std::erase_if(theirs, [](const std::string& word) {
    return word.size() < 2 || word == "mean" || words().has("stop", word) ||
           words().has("highest", word) || words().has("lowest", word);
  });
  return theirs;
}

std::set<std::string> naming_words(const std::vector<std::string>& theirs,
                                   const std::vector<std::string>& asked) {
  std::set<std::string> found;
  for (const std::string& word : asked) {
    if (words().has("stop", word)) continue;
    // A month is asked about for itself: it does not speak of a monthly rent.
    const bool is_time = words().has("times", word);
    if (std::ranges::any_of(theirs, [&](const auto& other) {
          return is_time ? word == other : speaks_of(word, other);
        })) {
      found.insert(word);
    }
  }
  return found;
}

bool is_named(const std::vector<std::string>& theirs, const std::vector<std::string>& asked) {
  return !naming_words(naming(theirs), asked).empty();
}

bool is_said(const std::vector<std::string>& asked, const std::vector<std::string>& phrase) {
  if (phrase.empty()) return false;
  const auto at =
      std::search(asked.begin(), asked.end(), phrase.begin(), phrase.end(), is_same_word);
  // What follows `have to` is a verb, and so is `done` of `how many has he done`.
  static const std::set<std::string> having{"has", "have", "had"};
  const bool is_behind_two = phrase.size() == 1 && at != asked.end() && at - asked.begin() > 1;
  const bool is_verb =
      is_behind_two && ((*(at - 1) == "to" && words().has("verbs", *(at - 2))) ||
                        (having.contains(*(at - 2)) && words().has("pronouns", *(at - 1))));
  return at != asked.end() && !is_verb;
}

namespace {

using Saying = std::vector<std::vector<std::string>>;

/// The groups of phrases for much the same thing of which the prompt has one. A phrase that a date
/// is called by is said of the date: `returned`.
std::vector<Saying> sayings_in(const std::vector<std::string>& asked, const Json& columns) {
  const auto is_date = [&](const std::vector<std::string>& phrase) {
    return std::ranges::any_of(columns, [&](const Json& column) {
      const auto dates = column.value("between", std::vector<std::string>{});
      return std::ranges::any_of(
          dates, [&](const std::string& date) { return is_said(words_in(date), phrase); });
    });
  };
  std::vector<Saying> found;
  for (const std::set<std::string>& group : words().sayings) {
    Saying saying;
    for (const std::string& phrase : group) saying.push_back(words_in(phrase));
    const auto says = [&](const auto& phrase) { return is_said(asked, phrase); };
    if (std::ranges::none_of(saying, says)) continue;
    std::erase_if(saying, is_date);
    if (std::ranges::any_of(saying, says)) found.push_back(std::move(saying));
  }
  return found;
}

/// What is asked for in words, and in other words for much the same.
struct Said {
  std::vector<std::string> words;
  std::vector<Saying> sayings;
};

/// Whether the prompt names the value, by its words or by others for much the same thing.
bool is_meant(const Said& asked, const std::vector<std::string>& value) {
  return is_said(asked.words, value) ||
         std::ranges::any_of(asked.sayings, [&](const Saying& saying) {
           return std::ranges::any_of(saying, [&](const auto& phrase) {
             return is_said(value, phrase) && !words().has("titles", value.front());
           });
         });
}

/// Whether the prompt has, within a sentence, a name that only this one of the values has: `Miller`
/// of `Miller Street`.
bool has_name_of(const std::string& prompt, const std::string& value, const Json& values,
                 const std::set<std::string>& taken) {
  std::istringstream parts{value};
  for (std::string part; parts >> part;) {
    const bool is_name = part.size() >= 4 && part[0] >= 'A' && part[0] <= 'Z';
    if (!is_name || part == value || taken.contains(words_in(part).front())) continue;
    const auto has = [&](const Json& other) {
      return other.get<std::string>().find(part) != std::string::npos;
    };
    if (std::count_if(values.begin(), values.end(), has) != 1) continue;
    const auto at = prompt.find(" " + part);
    const std::size_t behind = at + 1 + part.size();
    const bool ends =
        behind >= prompt.size() || std::isalnum(static_cast<unsigned char>(prompt[behind])) == 0;
    if (at != prompt.npos && ends) return true;
  }
  return false;
}

/// Whether the prompt has a word that in this table, its name included, only this value has:
/// `buyers` of `back to the buyer`. It must be one of three words at most: a remark is not named by
/// one of many.
bool has_word_of(const std::vector<std::string>& asked, const std::string& value, const Json& table,
                 const std::set<std::string>& taken) {
  constexpr std::size_t shortest = 5;
  const Json& columns = table.at("columns");
  std::vector<std::string> parts = words_in(value);
  std::erase_if(parts, [](const std::string& part) { return words().has("stop", part); });
  if (parts.size() < 2 || parts.size() > 3) return false;
  std::erase_if(parts, [&](const std::string& part) {
    return part.size() < shortest || taken.contains(part) || is_general(part) ||
           words().has("occasions", part) ||
           std::ranges::none_of(asked,
                                [&](const std::string& word) { return is_same_word(word, part); });
  });
  if (parts.empty()) return false;
  std::vector<std::string> others = words_in(table.value("table", ""));
  for (const Json& column : columns) {
    for (std::string& word : words_in(name_of(column))) others.push_back(std::move(word));
    for (const Json& other : column.value("values", Json::array())) {
      if (other == value) continue;
      for (std::string& word : words_in(other.get<std::string>()))
        others.push_back(std::move(word));
    }
  }
  return std::ranges::any_of(parts, [&](const std::string& part) {
    return std::ranges::none_of(others,
                                [&](const std::string& word) { return is_same_word(word, part); });
  });
}

/// The words of the prompt that may name a category: not those of a value of another one (`no
/// driver`), and not what is done by those whom the category names (`we drive`).
std::vector<std::string> words_for(const Json& column, const Json& columns,
                                   const std::vector<std::string>& asked) {
  std::vector<bool> is_free(asked.size(), true);
  for (const Json& other : columns) {
    if (other == column) continue;
    for (const Json& value : other.value("values", Json::array())) {
      const std::vector<std::string> theirs = words_in(value.get<std::string>());
      if (theirs.size() < 2) continue;
      const auto at =
          std::search(asked.begin(), asked.end(), theirs.begin(), theirs.end(), is_same_word);
      if (at == asked.end()) continue;
      std::fill_n(is_free.begin() + (at - asked.begin()), theirs.size(), false);
    }
  }
  const std::vector<std::string> header = words_in(name_of(column));
  std::vector<std::string> found;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool is_verb = std::ranges::any_of(
        header, [&](const std::string& word) { return is_of_doer(word, {asked[i]}); });
    if (is_free[i] && !is_verb) found.push_back(asked[i]);
  }
  return found;
}

/// A letter and a digit: `L7`.
bool is_label(const std::string& text) {
  return text.size() == 2 && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::isdigit(static_cast<unsigned char>(text[1])) != 0;
}

/// The words of the values of several words that the prompt says as they are: a part of another
/// value is not meant by them.
std::set<std::string> words_of_said(const Json& columns, const std::vector<std::string>& asked) {
  std::set<std::string> taken;
  for (const Json& column : columns) {
    for (const Json& value : column.value("values", Json::array())) {
      const std::vector<std::string> theirs = words_in(value.get<std::string>());
      if (theirs.size() > 1 && is_said(asked, theirs)) taken.insert(theirs.begin(), theirs.end());
    }
  }
  return taken;
}

/// What a prompt leaves out: `except the cancelled ones`.
const std::regex& exception() {
  static const std::regex pattern{
      R"((?:\b(?:not counting|except(?: for)?|excluding|leaving out|leave out|ignoring|ignore|)"
      R"(apart from|other than|all but) |\bwithout (?:counting |(?=the [^,;.?]* ones\b)))[^,;.?]*)",
      std::regex::icase};
  return pattern;
}

/// That rows are restricted to all but these.
std::string all_but_these(const std::vector<std::string>& values) {
  return fmt::format("{}{}", all_but, fmt::join(values, and_also));
}

/// The prompt with `except` where `without` leaves something out: behind a comma, or in what asks
/// how much there is. Elsewhere it asks for gaps: `days without rain`.
std::string with_exceptions(const std::string& prompt) {
  static const std::regex aside{
      R"((, ?|\bhow much\b[^,;.?]* |\b(?:altogether|in all|in total) )without )",
      std::regex::icase};
  return std::regex_replace(prompt, aside, "$1except ");
}

/// `without Sundays`
const std::regex& weekday_exception() {
  static const std::regex pattern{R"(\bwithout (?:the |any )?(?:\w+days?|weekends?)\b[^,;.?]*)",
                                  std::regex::icase};
  return pattern;
}

/// The weekdays that a prompt leaves out.
std::vector<std::string> weekdays_left_out(const std::string& prompt) {
  std::vector<std::string> found;
  std::smatch match;
  if (!std::regex_search(prompt, match, exception()) &&
      !std::regex_search(prompt, match, weekday_exception()))
    return found;
  const std::vector<std::string> said = words_in(match.str());
  for (int at = 0; at < 7; ++at) {
    const std::string name = place_name(Cycle::weekday, at);
    const auto is_it = [&](const std::string& word) {
      return is_same_word(word, words_in(name)[0]) || (at > 4 && word.starts_with("weekend"));
    };
    if (std::ranges::any_of(said, is_it)) found.push_back(name);
  }
  return found;
}

/// That rows are restricted to these.
std::string any_of_these(const std::vector<std::string>& values) {
  return fmt::format("{}{}", one_of, fmt::join(values, and_also));
}

/// Whether several values are said to be one: `either died or lost`.
bool is_either(const std::vector<std::string>& asked, const std::vector<std::string>& values) {
  return values.size() > 1 && std::ranges::find(asked, "either") != asked.end();
}

/// Values that one word says are not told apart where something else is: `which instructor has the
/// most cancelled`.
void take_alike(Interest& about, const std::map<std::string, std::string>& alike,
                const std::string& prompt) {
  for (const auto& [name, values] : alike) {
    const bool is_by =
        !span_in(prompt, true).empty() || std::ranges::any_of(about.named, [&](const auto& other) {
          return other != name && !about.where.contains(other) && !alike.contains(other);
        });
    if (!is_by) continue;
    about.where[name] = values;
    about.compared.erase(name);
  }
}

/// The weekdays that are left out, or that are set against each other.
void find_weekdays(Interest& about, const Json& table, const std::string& prompt) {
  const std::string key{weekday_key};
  if (!table.contains("time") || about.where.contains(key)) return;
  if (const auto out = weekdays_left_out(prompt); !out.empty()) {
    about.where[key] = all_but_these(out);
    about.left_out.insert(key);
  } else if (const auto apart = weekdays_set_out(prompt); !apart.empty()) {
    about.where[key] = any_of_these(apart);
  }
}

/// Whether `not` stands before the value wherever it is said: `not cancelled`.
bool is_denied(const std::vector<std::string>& asked, const std::vector<std::string>& value) {
  bool is_it = false;
  for (std::size_t i = 0; i + value.size() <= asked.size(); ++i) {
    const auto at = asked.begin() + static_cast<std::ptrdiff_t>(i);
    if (!std::equal(value.begin(), value.end(), at)) continue;
    if (i == 0 || (*(at - 1) != "not" && *(at - 1) != "never" && *(at - 1) != "t")) return false;
    is_it = true;
  }
  return is_it;
}

/// The prompt with `not` right before what it denies: `could not be fixed`.
std::string with_denials(const std::string& prompt) {
  static const std::regex apart{
      R"((\b(?:not|never)|n(?:'|’)t) (?:yet )?(?:be|been|being|get|got) )", std::regex::icase};
  return std::regex_replace(prompt, apart, "$1 ");
}

/// Whether `which` or the like stands before the column's name, which alone may be a verb: `which
/// show`.
bool is_asked_for(const std::vector<std::string>& asked, const std::vector<std::string>& name) {
  static const std::set<std::string> before{"which", "what", "each", "every", "per", "by"};
  for (std::size_t i = 1; i < asked.size(); ++i) {
    if (name.size() == 1 && before.contains(asked[i - 1]) && is_same_word(asked[i], name[0]))
      return true;
  }
  return false;
}

}  // namespace

std::string without_exceptions(const std::string& prompt) {
  const std::string text = with_exceptions(prompt);
  return std::regex_replace(std::regex_replace(text, exception(), " "), weekday_exception(), " ");
}

void find_values(Interest& about, const Json& table, const std::string& question) {
  const Json& columns = table.at("columns");
  const std::string prompt = with_denials(with_exceptions(question));
  const std::vector<std::string> asked = words_in(prompt);
  const std::string rest = std::regex_replace(prompt, exception(), " ");
  const std::vector<std::string> asked_rest = words_in(rest);
  const Said all_said{asked, sayings_in(asked, columns)};
  const Said rest_said{asked_rest, sayings_in(asked_rest, columns)};
  const std::set<std::string> taken = words_of_said(columns, asked);
  // `bookings` are rows, where a value is Booking as well.
  const std::vector<std::string> rows = words_in(table.value("table", ""));
  const auto names_rows = [&](const std::string& value) {
    const std::vector<std::string> theirs = words_in(value);
    return theirs.size() == 1 &&
           std::ranges::any_of(rows,
                               [&](const auto& row) { return is_same_word(row, theirs[0]); }) &&
           prompt.find(" " + value) == prompt.npos;
  };
  // `balance` is the column of figures, where a remark says just that.
  const auto names_figures = [&](const std::string& value) {
    return std::ranges::any_of(columns, [&](const Json& column) {
      return is_number(column) && !column.contains("counts") &&
             words_in(name_of(column)) == words_in(value);
    });
  };
  // `entries` are rows, too, where a value is Entry.
  const auto is_in_general = [&](const std::string& value) {
    const std::vector<std::string> theirs = words_in(value);
    return theirs.size() == 1 && std::ranges::find(asked, theirs[0]) == asked.end() &&
           std::ranges::any_of(asked, [&](const std::string& word) {
             return words().has("rows", word) && is_same_word(word, theirs[0]);
           });
  };
  const auto is_denied_value = [&](const std::string& value) {
    return is_denied(asked, words_in(value));
  };
  std::map<std::string, std::string> alike;
  for (const Json& column : columns) {
    if (is_number(column)) continue;
    std::vector<std::string> said;
    std::vector<std::string> left_out;
    // A remark is no value that a question would name, where it names anything else, unless it
    // says all of it.
    const bool is_free = column.contains("free") && (about.names_columns || !about.named.empty());
    for (const Json& value : column.at("values")) {
      const auto text = value.get<std::string>();
      // What is short says nothing alone: it is `line 7` that is meant, though `L7` is enough.
      const bool is_plain =
          text == "yes" || text == "no" || (text.size() < 3 && !is_label(text)) ||
          words().has("particles", words_in(text).size() == 1 ? words_in(text)[0] : "");
      std::vector<std::string> full = words_in(name_of(column));
      full.erase(full.begin(), full.end() - (full.empty() ? 0 : 1));
      for (std::string& word : words_in(text)) full.push_back(std::move(word));
      const auto is_in = [&](const std::string& part, const Said& says) {
        if (is_plain) return is_said(says.words, full);
        if (is_free) return is_said(says.words, words_in(text));
        return std::ranges::any_of(
                   names_of_value(text),
                   [&](const std::string& name) { return is_meant(says, words_in(name)); }) ||
               has_name_of(part, text, column.at("values"), taken) ||
               has_word_of(says.words, text, table, taken);
      };
      const bool is_same = !said.empty() && words_in(said.back()) == words_in(text);
      if (is_same || names_figures(text) || names_rows(text) || is_in_general(text) ||
          !is_in(prompt, all_said))
        continue;
      const bool is_left_out = !is_in(rest, rest_said) || is_denied_value(text);
      (is_left_out ? left_out : said).push_back(text);
    }
    leave_out_parts(said);
    leave_out_parts(left_out);
    keep_fully_said(said, asked);
    const std::string name = name_of(column);
    if (said.empty() && left_out.empty()) {
      if (std::string value = meant_outcome(column, asked); !value.empty())
        said.push_back(std::move(value));
    }
    if (said.empty() && !left_out.empty()) about.where[name] = all_but_these(left_out);
    if (said.empty() && !left_out.empty() && std::ranges::none_of(left_out, is_denied_value))
      about.left_out.insert(name);
    const bool is_column = is_named(words_in(name), words_for(column, columns, asked)) ||
                           is_within(column, asked) || is_asked_for(asked, words_in(name));
    if (said.empty() && left_out.empty() && is_column) {
      if (const std::string flag = meant_flag(column, asked); !flag.empty()) said.push_back(flag);
    }
    if (said.size() == 1) about.where[name] = said.front();
    const bool is_one = is_one_share(prompt, said) || is_either(asked, said);
    if (is_one) about.where[name] = any_of_these(said);
    if (said.size() == 2 && !is_one) about.compared[name] = {said[0], said[1]};
    if (are_said_alike(said, asked)) alike[name] = any_of_these(said);
    const bool wanted = !said.empty() || (is_column && !is_free);
    if (wanted) about.named.insert(name);
    if (wanted && about.categories.size() < most_categories) about.categories.push_back(name);
  }
  find_parts(about, table, asked_rest);
  take_alike(about, alike, prompt);
  find_weekdays(about, table, prompt);
}

void leave_out_parts_of_names(std::set<std::string>& columns,
                              const std::vector<std::string>& asked) {
  const auto is_whole = [&](const std::string& name) {
    const std::vector<std::string> theirs = words_in(name);
    return std::ranges::all_of(theirs, [&](const std::string& word) {
      return !naming_words(std::vector{word}, asked).empty();
    });
  };
  const std::set<std::string> all = columns;
  std::erase_if(columns, [&](const std::string& name) {
    const std::vector<std::string> theirs = words_in(name);
    return !is_whole(name) && std::ranges::any_of(all, [&](const std::string& other) {
      const std::vector<std::string> words = words_in(other);
      return is_whole(other) && std::ranges::all_of(words, [&](const std::string& word) {
               return std::ranges::find(theirs, word) != theirs.end();
             });
    });
  });
}

}  // namespace insights
