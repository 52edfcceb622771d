#include "memo/subjects.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "memo/amounts.hpp"
#include "memo/changes.hpp"
#include "memo/limits.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"
#include "memo/units.hpp"

namespace memo {
namespace {

bool is_currency(const std::string& stem) {
  std::string code = stem;
  for (char& c : code) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return !currency_of(code).empty() || !currency_of(stem).empty() ||
         !currency_of(stem + 's').empty();
}

/// Words of any sentence with a figure, in any field.
bool names_nothing(const std::string& stem) {
  static const Stems common{
      "about",  "abov",     "after", "again",   "against",  "all",    "along",   "alreadi",
      "also",   "although", "among", "amount",  "ani",      "around", "averag",  "back",
      "becaus", "befor",    "begin", "between", "both",     "bring",  "came",    "come",
      "cost",   "could",    "dure",  "each",    "end",      "enough", "ever",    "everi",
      "few",    "figur",    "first", "further", "get",      "give",   "goe",     "good",
      "got",    "half",     "here",  "howev",   "just",     "keep",   "kept",    "last",
      "least",  "less",     "like",  "made",    "make",     "mani",   "may",     "money",
      "more",   "most",     "much",  "must",    "near",     "never",  "new",     "next",
      "now",    "number",   "off",   "often",   "onli",     "open",   "other",   "out",
      "over",   "p.a",      "paid",  "part",    "pay",      "per",    "present", "price",
      "put",    "rather",   "same",  "say",     "see",      "sever",  "should",  "sinc",
      "small",  "some",     "soon",  "spend",   "spent",    "stand",  "still",   "such",
      "sum",    "take",     "than",  "there",   "therefor", "these",  "those",   "through",
      "today",  "togeth",   "too",   "total",   "toward",   "twice",  "two",     "under",
      "until",  "use",      "veri",  "want",    "well",     "went",   "when",    "where",
      "whi",    "while",    "whole", "within",  "without",  "worth",  "would",   "yet"};
  return common.contains(stem) || is_time(stem) || is_month_stem(stem) || is_measure_stem(stem) ||
         is_currency(stem);
}

/// The stems of the label or heading right above a figure: `Rent` of `Money: Rent`.
Stems heading_of(const Quantity& one) {
  const std::string_view heading = one.passage->heading;
  const auto part = heading.rfind(": ");
  const auto words = terms(part == npos ? heading : heading.substr(part + 2));
  return naming({words.begin(), words.end()});
}

bool heads_one(const Quantity& one, const Quantity& other) {
  const Stems heading = heading_of(one);
  return !shared(heading, other.near).empty() || !shared(heading, heading_of(other)).empty();
}

/// `A typical house has 42 lamps`, `for a house with 42 lamps`, `at most 42`, `a pipeline of 42`:
/// not what anybody has counted.
bool is_not_counted(const Quantity& one) {
  static const Stems marks{"typic", "usual",   "median",   "limit",  "maximum",
                           "cap",   "pipelin", "prospect", "potenti"};
  if (!shared(one.near, marks).empty()) return true;
  auto words = lower_words(std::string_view{one.passage->text}.substr(0, one.amount.begin));
  const auto size = words.size();
  return size > 2 && words[size - 1] == "with" &&
         (words[size - 3] == "a" || words[size - 3] == "an");
}

/// Whether one counts what the clause of the other names.
bool counts_what_is_there(const Quantity& one, const Quantity& other) {
  return !one.noun.empty() && !is_time(one.noun) && !is_measure_stem(one.noun) &&
         (one.noun == other.noun || other.near.contains(one.noun));
}

/// Whether one is per what the sentence of the other names: `€3 a bed`.
bool is_per_what_is_there(const Quantity& one, const Quantity& other) {
  return !one.per.empty() && !is_time(one.per) && other.sentence.contains(one.per);
}

/// `How many mills are you really?`
bool is_asked_how_many(const Quantity& later, const Quantity& earlier) {
  const std::string& heading = later.passage->heading;
  return !earlier.noun.empty() && has_sign(heading, "how many") &&
         std::ranges::count(terms(heading), earlier.noun) > 0;
}

/// Whether the sentence of one has a word of the clause of the other.
bool share_a_word(const Quantity& one, const Quantity& other) {
  return !naming(shared(one.near, other.sentence)).empty() ||
         !naming(shared(other.near, one.sentence)).empty();
}

/// Whether one is of a measure of the field, and the other of none or the same.
bool may_be_of_one_measure(const Quantity& one, const Quantity& other) {
  if (one.measure.empty() && other.measure.empty()) return false;
  return one.measure == other.measure || one.measure.empty() || other.measure.empty();
}

/// Whether a name in the sentence of one stands in that of the other.
bool names_what_is_there(const Quantity& one, const Quantity& other) {
  return std::ranges::any_of(one.names, [&](const std::string& name) {
    return other.passage->text.find(name) != std::string::npos;
  });
}

/// Whether the sentence of one has the figure of the other: `1.3 million became 1.1 million`.
bool names_figure(const Quantity& one, const Quantity& other) {
  const auto amounts = amounts_in(one.passage->text);
  return std::ranges::count(amounts, other.amount.value, &Amount::value) > 0;
}

/// `€3 a bed`, which the sentence of the other does not name.
bool is_per_another(const Quantity& one, const Quantity& other) {
  return !one.per.empty() && !is_time(one.per) && !is_per_what_is_there(one, other);
}

bool is_put_right(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  constexpr double little = 1.25;
  return ratio(earlier, later) < little && !is_per_another(later, earlier) &&
         signs_of_a_mistake().in_text(corpus.words(*later.passage));
}

bool are_of_one_subject(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  const bool same_per = !earlier.per.empty() && earlier.per == later.per;
  const bool loosely =
      same_per || earlier.amount.unit == "%" || may_be_of_one_measure(earlier, later);
  if (loosely && share_a_word(earlier, later)) return true;
  return names_figure(later, earlier) || heads_one(earlier, later) || heads_one(later, earlier) ||
         is_per_what_is_there(earlier, later) || is_per_what_is_there(later, earlier) ||
         is_put_right(earlier, later, corpus);
}

/// Whether the later sentence names what is to happen, and something else that both name, or
/// speaks of a change.
bool are_of_one_plan(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  const Stems words = naming(shared(earlier.sentence, later.sentence));
  const bool named = names_what_is_there(earlier, later) || names_what_is_there(later, earlier) ||
                     signs_of_a_change().in_text(corpus.words(*later.passage));
  if (!naming(shared(earlier.near, later.near)).empty()) return words.size() >= 2 || named;
  return named && !naming(shared(earlier.near, later.sentence)).empty();
}

}  // namespace

Stems naming(Stems stems) {
  std::erase_if(stems, names_nothing);
  return stems;
}

bool have_one_subject(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  if (earlier.amount.unit == "year") return are_of_one_plan(earlier, later, corpus);
  if (naming(shared(earlier.sentence, later.sentence)).size() >= 2) return true;
  if (is_not_counted(earlier) != is_not_counted(later)) return false;
  if (!naming(shared(earlier.near, later.near)).empty()) return true;
  if (!earlier.measure.empty() && earlier.measure == later.measure) return true;
  const bool counts = earlier.amount.unit.empty() && !has_scale(earlier);
  if (!counts) return are_of_one_subject(earlier, later, corpus);
  return (earlier.staff && later.staff) || counts_what_is_there(earlier, later) ||
         counts_what_is_there(later, earlier) || is_asked_how_many(later, earlier);
}

}  // namespace memo
