#include "memo/departures.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "memo/markdown.hpp"
#include "memo/persons.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

/// `has left`, `leaves us in May`, but not `left a gap`; empty for none.
std::string_view departure_in(std::string_view words) {
  static constexpr std::array<std::string_view, 22> verbs{
      "has left",          "left",         "leaves",     "is leaving",     "will leave",
      "has resigned",      "resigned",     "resigns",    "is resigning",   "will resign",
      "has stepped down",  "stepped down", "steps down", "will step down", "is stepping down",
      "has retired",       "retired",      "retires",    "will retire",    "is retiring",
      "is no longer with", "will stop"};
  static constexpr std::array<std::string_view, 14> ends{
      ".",    ",",    ";",     " us",  " the company", " the firm", " in ",
      " on ", " at ", " for ", " to ", " as ",         " next ",    " last "};
  for (const auto verb : verbs) {
    if (!words.starts_with(verb)) continue;
    const auto behind = words.substr(verb.size());
    const bool ended = std::ranges::any_of(ends, [&](auto end) { return behind.starts_with(end); });
    if (ended) return verb;
  }
  return {};
}

/// The name that a passage on a person begins with; empty for other passages.
std::string name_in(const Passage& passage) {
  const auto first = sentences(passage.text).front();
  for (const std::string_view separator : {", ", " – ", " — ", " - ", ": "}) {
    const auto at = first.find(separator);
    if (at == std::string::npos) continue;
    const auto name = first.substr(0, at);
    const auto behind = first.substr(at + separator.size());
    const auto role = behind.substr(0, behind.find_first_of(".:;,("));
    if (names_person(name + ", " + role + ".")) return name;
  }
  return {};
}

struct Departure {
  std::string verb;  ///< empty if nothing is said
  std::string sentence;
};

/// `Dr Ada Byron` as `Ada Byron`.
std::string_view without_title(std::string_view name) {
  for (const std::string_view title :
       {"Dr. ", "Dr ", "Prof. ", "Prof ", "Mr. ", "Mr ", "Ms. ", "Ms ", "Mrs. ", "Mrs "}) {
    if (name.starts_with(title)) return without_title(name.substr(title.size()));
  }
  return name;
}

/// `AB` of `Ada Byron`, as minutes write it; empty for a name of one word.
std::string initials_of(std::string_view name) {
  std::string initials;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (at == 0 || name[at - 1] == ' ') initials += name[at];
  }
  return initials.size() > 1 ? initials : std::string{};
}

/// How a later document may call somebody: `Ada Byron`, `Ms Byron`, `Ada`, `A. Byron`, `AB`.
std::vector<std::string> names_of(std::string_view name) {
  const std::string whole{without_title(name)};
  const std::string last = whole.substr(whole.rfind(' ') + 1);
  std::vector<std::string> names{std::string{name}, whole, whole.substr(0, whole.find(' '))};
  if (const auto initials = initials_of(whole); !initials.empty()) {
    names.push_back(initials);
    names.push_back(whole.substr(0, 1) + ". " + last);
  }
  for (const std::string title : {"Mr", "Ms", "Mrs", "Dr", "Mr.", "Ms.", "Mrs.", "Dr."}) {
    names.push_back(title + ' ' + last);
    names.push_back(title + ' ' + whole);
  }
  return names;
}

/// What a sentence that begins with somebody's name says of their leaving: `Ms Byron leaves`, or
/// `Ms Byron tells the board that she will leave`.
std::string_view said_of(std::string_view name, std::string_view sentence) {
  if (!sentence.starts_with(std::string{name} + ' ')) return {};
  const auto rest = sentence.substr(name.size() + 1);
  if (const auto verb = departure_in(rest); !verb.empty()) return verb;
  for (const std::string_view pronoun : {" he ", " she ", " and "}) {
    for (auto at = rest.find(pronoun); at != npos; at = rest.find(pronoun, at + 1)) {
      const auto verb = departure_in(rest.substr(at + pronoun.size()));
      if (!verb.empty()) return verb;
    }
  }
  return {};
}

/// Where a document says that somebody has left, or is to leave.
Departure departure_of(std::string_view name, std::string_view body) {
  for (const auto line : lines(body)) {
    for (const auto& sentence : sentences(line)) {
      for (const auto& called : names_of(name)) {
        const auto verb = said_of(called, sentence);
        if (!verb.empty()) return {std::string{verb}, sentence};
      }
    }
  }
  return {};
}

}  // namespace

std::vector<Correction> departures(const Corpus& corpus) {
  std::set<std::string> sources;
  for (const auto& passage : corpus.passages()) sources.insert(passage.source);
  std::vector<Correction> found;
  for (const auto& passage : corpus.passages()) {
    const std::string name = name_in(passage);
    for (const auto& source : sources) {
      const auto [before, after] = corpus.dates(passage.source, source);
      const bool later = source != passage.source && before.substr(0, after.size()) < after;
      const auto said =
          name.empty() || !later ? Departure{} : departure_of(name, corpus.body(source));
      if (said.verb.empty()) continue;
      found.push_back(
          {"person", name, passage.source, passage.text, said.verb, source, said.sentence, false});
    }
  }
  return found;
}

}  // namespace memo
