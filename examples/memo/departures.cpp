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

/// `has left`, `left us in May`, but not `left a gap`; empty for none.
std::string_view departure_in(std::string_view words) {
  static constexpr std::array<std::string_view, 9> verbs{
      "has left",     "left",        "has resigned", "resigned",         "has stepped down",
      "stepped down", "has retired", "retired",      "is no longer with"};
  static constexpr std::array<std::string_view, 10> ends{
      ".", ",", ";", " us", " the company", " in ", " on ", " at ", " for ", " to "};
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
  if (!names_person(first)) return {};
  for (const std::string_view separator : {", ", " – ", " — ", " - ", ": "}) {
    const auto at = first.find(separator);
    const auto name = first.substr(0, at);
    if (at != std::string::npos && names_person(name + ", member.")) return name;
  }
  return {};
}

struct Departure {
  std::string verb;  ///< empty if nothing is said
  std::string sentence;
};

/// Where a document says that somebody has left.
Departure departure_of(const std::string& name, std::string_view body) {
  for (const auto line : lines(body)) {
    if (line.find(name) == npos) continue;
    for (const auto& sentence : sentences(line)) {
      if (!sentence.starts_with(name + ' ')) continue;
      const auto verb = departure_in(std::string_view{sentence}.substr(name.size() + 1));
      if (!verb.empty()) return {std::string{verb}, sentence};
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
