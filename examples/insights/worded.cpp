#include "insights/worded.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/thesaurus.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// A word of the prompt, and where it stands.
struct Token {
  std::string word;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Token> tokens_of(const std::string& prompt) {
  std::vector<Token> all;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0 || c == '%';
  };
  for (std::size_t at = 0; at < prompt.size();) {
    std::size_t end = at;
    while (end < prompt.size() && is_part(prompt[end])) ++end;
    const std::vector<std::string> word = words_in(prompt.substr(at, end - at));
    if (!word.empty()) all.push_back({word.front(), at, end});
    at = end + 1;
  }
  return all;
}

/// How many words from there on deny what follows: `not`, `didn't`, `failed to`; 0: none.
std::size_t denial_at(const std::vector<Token>& tokens, std::size_t at) {
  const std::string& word = tokens[at].word;
  if (word == "not" || word == "never") return 1;
  const std::string next = at + 1 < tokens.size() ? tokens[at + 1].word : "";
  const bool is_short = word.ends_with("n") && next == "t";
  return is_short || (word.starts_with("fail") && next == "to") ? 2 : 0;
}

/// Whether a word of the prompt is the other: in its plural, but no verb of a noun, as `booked` is
/// of a book.
bool is_form_of(const std::string& word, const std::string& other) {
  const auto is_verb = [](const std::string& one) {
    return one.ends_with("ed") || one.ends_with("ing");
  };
  return word == other || (is_same_word(word, other) && is_verb(word) == is_verb(other));
}

/// How many words from there on are the phrase, be it with `simply` or `been` in it; 0: they are
/// not.
std::size_t length_at(const std::vector<Token>& tokens, std::size_t from, const Phrase& phrase) {
  static const std::set<std::string> fillers{"actually", "simply", "really", "just", "even",
                                             "ever",     "be",     "been",   "yet",  "always"};
  std::size_t at = from;
  for (const std::string& word : phrase) {
    while (at > from && at < tokens.size() && fillers.contains(tokens[at].word)) ++at;
    if (at == tokens.size()) return 0;
    const std::size_t length = word == "not"                       ? denial_at(tokens, at)
                               : is_form_of(tokens[at].word, word) ? 1
                                                                   : 0;
    if (length == 0) return 0;
    at += length;
  }
  return at - from;
}

/// How well a name fits.
enum class Fit { none, of_value, of_rows, of_column, whole };

/// `Weight` of `Weight kg`.
std::string without_unit(const Json& column) {
  const std::string name = name_of(column);
  const std::size_t at = name.rfind(' ');
  const bool has_unit =
      at != name.npos && column.contains("unit") && words().units.contains(words_in(name).back());
  return has_unit ? name.substr(0, at) : name;
}

/// What the tables call a table, a column or a value.
struct Name {
  std::string text;
  std::vector<std::string> words;
  std::string column{};  ///< of a value
  bool is_value = false;
  bool is_of_rows = false;  ///< of a table
  bool is_identifier = false;
  bool is_beside = false;  ///< of a table beside that which is asked about

  /// How well the phrase fits.
  [[nodiscard]] Fit fit(const Phrase& phrase) const {
    constexpr std::size_t most = 3;
    if (is_value && is_class(phrase)) return Fit::whole;
    const auto at = std::ranges::search(words, phrase, is_same_word).begin();
    if (at == words.end()) return Fit::none;
    if (is_of_rows) return Fit::of_rows;
    if (words.size() == phrase.size()) return Fit::whole;
    if (!is_value) return Fit::of_column;
    // `Rose` of `Mr Rose` is a name.
    const bool is_first = at == words.begin();
    return words.size() <= most && is_first && text.size() > 2 ? Fit::of_value : Fit::none;
  }

  /// Whether a value is one of the classes that a letter stands for.
  [[nodiscard]] bool is_class(const Phrase& phrase) const;
};

/// `F40`, of F.
bool Name::is_class(const Phrase& phrase) const {
  return phrase.size() == 1 && phrase[0].size() == 1 && words.size() == 1 &&
         words[0].starts_with(phrase[0]) && words[0].size() > 1 &&
         words[0].find_first_not_of("0123456789", 1) == words[0].npos;
}

class Names {
 public:
  explicit Names(const Json& table) {
    tables_.push_back(&table);
    if (table.contains("beside")) {
      for (const Json& other : table.at("beside")) tables_.push_back(&other);
    }
    for (const Json* one : tables_) {
      const std::size_t before = names_.size();
      add(*one);
      for (std::size_t i = before; i < names_.size(); ++i) names_[i].is_beside = one != &table;
    }
  }

  [[nodiscard]] const std::vector<Name>& all() const { return names_; }

  /// Whether a column is meant by the word, which some verbs do only where nothing else is meant.
  [[nodiscard]] bool mean(const std::string& word) const {
    return std::ranges::any_of(tables_, [&](const Json* table) {
      return !meant_columns(table->at("columns"), {word}).empty();
    });
  }

  /// Whether something in the tables is called so, or is meant by the word.
  [[nodiscard]] bool have(const std::string& word) const {
    const auto has = [&](const Name& name) {
      return std::ranges::any_of(name.words, [&](const std::string& one) {
        return name.is_value ? is_same_word(word, one)
                             : speaks_of(word, one) || is_of_doer(one, {word});
      });
    };
    const auto is_unit = [&](const std::string& unit) {
      return names_unit(word, unit) || is_of_kind(word, unit);
    };
    return std::ranges::any_of(names_, has) || mean(word) || std::ranges::any_of(units_, is_unit);
  }

 private:
  void add(const Json& table) {
    names_.push_back({.text = table.value("table", ""),
                      .words = naming(words_in(table.value("table", ""))),
                      .is_of_rows = true});
    add_name(table.value("time", ""));
    for (const Json& name : table.value("unused", Json::array())) add_name(name);
    for (const Json& column : table.at("columns")) {
      if (!column.contains("counts")) add_name(without_unit(column));
      for (const Json& date : column.value("between", Json::array())) add_name(date);
      units_.insert(column.value("unit", ""));
      if (column.contains("free")) continue;
      for (const Json& value : column.value("values", Json::array()))
        add_value(value, name_of(column));
    }
  }

  void add_name(const std::string& text) {
    std::vector<std::string> words = naming(words_in(text));
    const bool is_identifier = std::ranges::any_of(words_in(text), [](const std::string& word) {
      return insights::words().has("identifiers", word);
    });
    if (!words.empty())
      names_.push_back({.text = text, .words = std::move(words), .is_identifier = is_identifier});
  }

  /// What is short is a value only with the column's name: `Class F`.
  void add_value(const std::string& text, const std::string& column) {
    static const std::set<std::string> titles{"mr", "mrs", "ms", "miss", "dr"};
    const std::vector<std::string> parts = words_in(text);
    if (parts.empty() || titles.contains(parts.front())) return;
    const bool is_short = text.size() < 3;
    names_.push_back({.text = is_short ? fmt::format("{} {}", column, text) : text,
                      .words = parts,
                      .column = column,
                      .is_value = true});
  }

  std::vector<const Json*> tables_;
  std::vector<Name> names_;
  std::set<std::string> units_;
};

/// Names that fit as well as each other.
struct Found {
  Fit fit = Fit::none;
  std::vector<std::pair<std::string, const Name*>> names;  ///< with the words that say them
};

void add_to(Found& found, const Phrase& phrase, const Family& family, const Names& names) {
  // A bill is money, and none of the things that it was for, as `Fees` may be.
  const bool is_of_money = std::ranges::find(family.meant, Phrase{"money"}) != family.meant.end();
  for (const Name& name : names.all()) {
    if (is_of_money && name.is_value) continue;
    const Fit fit = name.fit(phrase);
    if (fit == Fit::none || fit < found.fit || name.is_identifier) continue;
    // `Opened` is a date, and `open` a state.
    const bool is_state = fit == Fit::whole && (name.is_value || name.words == phrase);
    if (family.is_of_states && !is_state) continue;
    if (fit > found.fit) found = {fit, {}};
    std::string text = fit == Fit::whole ? name.text : fmt::format("{}", fmt::join(phrase, " "));
    const auto is_it = [&](const auto& one) {
      return std::ranges::equal(words_in(one.first), words_in(text), is_same_word);
    };
    if (std::ranges::none_of(found.names, is_it)) found.names.emplace_back(text, &name);
  }
}

/// What the names that were found are called; several values of one column are `either A or B`;
/// "": it stays open which is meant.
std::string called(Found found) {
  const auto is_beside = [](const auto& one) { return one.second->is_beside; };
  if (!std::ranges::all_of(found.names, is_beside)) std::erase_if(found.names, is_beside);
  if (found.names.empty()) return "";
  if (found.names.size() == 1) return found.names.front().first;
  const Name& first = *found.names.front().second;
  const bool is_one_column = std::ranges::all_of(found.names, [&](const auto& one) {
    return one.second->is_value && one.second->column == first.column;
  });
  if (!is_one_column) return "";
  std::vector<std::string> texts;
  for (const auto& [text, name] : found.names) texts.push_back(text);
  return fmt::format("either {}", fmt::join(texts, " or "));
}

/// Whether a word is a name, with a capital within a sentence.
bool is_capital(const std::string& prompt, const Token& token) {
  const auto is = [&](std::size_t at, auto what) {
    return at < prompt.size() && what(static_cast<unsigned char>(prompt[at])) != 0;
  };
  const bool begins =
      token.begin < 2 || prompt.find_last_of(".?!:", token.begin) + 2 == token.begin;
  return !begins && is(token.begin, [](int c) { return std::isupper(c); }) &&
         is(token.begin + 1, [](int c) { return std::islower(c); });
}

/// Whether a word alone may be taken for another: no word of any question, but `different people`.
bool may_be_other(const std::vector<Token>& tokens, std::size_t at, const Names& names) {
  static const std::set<std::string> particles{"up", "down", "off", "out", "away", "back"};
  if (at + 1 < tokens.size() && particles.contains(tokens[at + 1].word)) return false;
  const std::string& word = tokens[at].word;
  const bool is_told_apart = at > 0 && tokens[at - 1].word == "different";
  const bool is_long = word.size() > 2 || word.find_first_of("0123456789") != word.npos;
  // Those of which others make something: `highest rate`, `leaving out`.
  const bool is_of_questions =
      std::ranges::any_of(std::vector{"stop", "verbs", "counted", "lasting", "light"},
                          [&](const char* list) { return words().has(list, word); });
  return is_long && !is_of_questions && (is_told_apart || !words().has("general", word)) &&
         !names.have(word);
}

/// Of what may be meant the first word that has a meaning in the tables, as `money` where a column
/// is of it; "": none.
std::string meaning_of(const std::vector<const Family*>& families, const Names& names) {
  for (const Family* family : families) {
    for (const Phrase& phrase : family->meant) {
      if (family->is_one_way && phrase.size() == 1 && names.mean(phrase[0])) return phrase[0];
    }
  }
  return "";
}

/// What is said from there on, and what is meant by it.
struct Match {
  std::size_t length = 0;
  std::string meant;
};

Match match_at(const std::vector<Token>& tokens, std::size_t at, const Names& names) {
  const std::string& word = tokens[at].word;
  std::map<std::size_t, std::vector<const Family*>, std::greater<>> by_length;
  std::set<std::size_t> families;
  for (const std::string& stem :
       {text::stem_of(word), std::string{denial_at(tokens, at) > 0 ? "not" : ""}}) {
    const auto found = thesaurus().by_stem.find(stem);
    if (found != thesaurus().by_stem.end())
      families.insert(found->second.begin(), found->second.end());
  }
  for (const std::size_t one : families) {
    const Family& family = thesaurus().families[one];
    std::size_t longest = 0;
    for (const Phrase& phrase : family.said) {
      // A state has its own forms: what was delivered is not what somebody is delivering.
      const bool is_form = !family.is_of_states || phrase.size() > 1 || phrase[0] == word;
      if (is_form) longest = std::max(longest, length_at(tokens, at, phrase));
    }
    if (longest > 0) by_length[longest].push_back(&family);
  }
  for (const auto& [length, all] : by_length) {
    Phrase said;
    for (std::size_t i = 0; i < length; ++i) said.push_back(tokens[at + i].word);
    const bool is_name = std::ranges::any_of(
        names.all(), [&](const Name& name) { return name.fit(said) != Fit::none; });
    if (is_name) return {length, ""};
    if (length == 1 && !may_be_other(tokens, at, names)) continue;
    Found found;
    for (const Family* family : all) {
      for (const Phrase& phrase : family->meant) add_to(found, phrase, *family, names);
    }
    std::string meant = found.names.empty() ? meaning_of(all, names) : called(std::move(found));
    if (!meant.empty()) return {length, std::move(meant)};
  }
  return {1, ""};
}

/// Whether one shows that the other is meant: they begin alike.
bool is_evident(const Taken& one) {
  constexpr std::size_t alike = 4;
  const std::vector<std::string> said = words_in(one.said);
  const std::vector<std::string> meant = words_in(one.meant);
  return std::ranges::any_of(said, [&](const std::string& word) {
    return word.size() >= alike && std::ranges::any_of(meant, [&](const std::string& other) {
             return other.starts_with(word.substr(0, alike));
           });
  });
}

}  // namespace

Worded in_words_of(const Json& table, const std::string& prompt) {
  const Names names{table};
  const std::vector<Token> tokens = tokens_of(prompt);
  Worded worded;
  std::size_t from = 0;
  for (std::size_t i = 0; i < tokens.size();) {
    const Match match = is_capital(prompt, tokens[i]) ? Match{1, ""} : match_at(tokens, i, names);
    const std::size_t end = tokens[i + match.length - 1].end;
    if (!match.meant.empty()) {
      const std::size_t begin = tokens[i].begin;
      worded.prompt += prompt.substr(from, begin - from) + match.meant;
      const Taken taken{prompt.substr(begin, end - begin), match.meant};
      if (std::ranges::find(worded.taken, taken) == worded.taken.end())
        worded.taken.push_back(taken);
      from = end;
    }
    i += match.length;
  }
  worded.prompt += prompt.substr(from);
  return worded;
}

std::string taken_words(const std::vector<Taken>& taken) {
  std::vector<std::string> texts;
  for (const Taken& one : taken) {
    if (!is_evident(one)) texts.push_back(fmt::format("\"{}\" as {}", one.said, one.meant));
  }
  return texts.empty() ? "" : fmt::format("Read {}.", fmt::join(texts, ", "));
}

}  // namespace insights
