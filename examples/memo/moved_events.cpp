#include "memo/moved_events.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "memo/markdown.hpp"
#include "memo/periods.hpp"
#include "memo/prose.hpp"
#include "memo/subjects.hpp"

namespace memo {
namespace {

/// A sentence that says when something is to be.
struct Event {
  const Passage* passage = nullptr;
  std::string written;  ///< `May 2025`
  std::string month;    ///< `2025-04`
  Stems words;
  std::set<std::size_t> kinds;
};

/// The kinds of events that stems tell of: a start, a permission, an end.
std::set<std::size_t> kinds_of(const Stems& words) {
  static const std::array<Stems, 3> kinds{
      Stems{"start", "start-up", "first", "begin", "open", "launch", "commiss", "oper", "live"},
      Stems{"expect", "due", "grant", "approv", "registr", "licenc", "certif", "permit"},
      Stems{"complet", "finish", "readi", "deliv", "deliveri", "ship", "close", "end"}};
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!shared(words, kinds[i]).empty()) found.insert(i);
  }
  return found;
}

std::string_view without_marks(std::string_view word) {
  return word.substr(0, word.find_first_of(".,;:!?)"));
}

/// The only month of a sentence that stands with its year.
std::optional<Event> event_in(const Passage& passage) {
  const std::string_view text = passage.text;
  Event event{&passage, {}, {}, {}, {}};
  for (std::size_t at = passage.lead; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto year = without_marks(text.substr(std::min(end + 1, text.size())));
    const auto digits = year.substr(0, year.find(' '));
    const int month = month_named(to_lower(text.substr(at, end - at)));
    const bool dated = month > 0 && digits.size() == 4 && digits.starts_with("20") &&
                       digits.find_first_not_of("0123456789") == npos;
    if (dated && !event.month.empty()) return std::nullopt;
    if (dated) {
      event.written = text.substr(at, end + 1 + digits.size() - at);
      event.month = std::string{digits} + (month < 10 ? "-0" : "-") + std::to_string(month);
    }
    at = end + 1;
  }
  if (event.month.empty()) return std::nullopt;
  const auto stems = terms(text);
  event.words = naming({stems.begin(), stems.end()});
  std::erase_if(event.words, [](const std::string& stem) {
    return stem.find_first_not_of("0123456789") == std::string::npos && stem.size() == 4;
  });
  event.kinds = kinds_of({stems.begin(), stems.end()});
  return event;
}

/// Whether both tell of one kind of event, and of one thing: two words, or one of a few.
bool are_of_one_event(const Event& one, const Event& other) {
  constexpr std::size_t few = 5;
  Stems words = shared(one.words, other.words);
  std::erase_if(words, [](const std::string& stem) { return !kinds_of({stem}).empty(); });
  const bool kind = std::ranges::any_of(
      one.kinds, [&](std::size_t one_of) { return other.kinds.contains(one_of); });
  const bool brief = std::min(one.words.size(), other.words.size()) <= few;
  return kind && (words.size() > 1 || (brief && !words.empty()));
}

}  // namespace

std::vector<Correction> moved_events(const Corpus& corpus) {
  std::vector<Event> events;
  for (const auto& passage : corpus.passages()) {
    if (auto event = event_in(passage)) events.push_back(std::move(*event));
  }
  std::vector<Correction> found;
  for (const auto& one : events) {
    const auto written = corpus.date(one.passage->source).substr(0, one.month.size());
    if (written.empty() || one.month < written) continue;
    for (const auto& other : events) {
      const auto [before, after] = corpus.dates(one.passage->source, other.passage->source);
      const bool later = before.substr(0, after.size()) < after;
      if (!later || one.month == other.month || !are_of_one_event(one, other)) continue;
      found.push_back({"date", one.written, one.passage->source, one.passage->text, other.written,
                       other.passage->source, other.passage->text, false});
    }
  }
  return found;
}

}  // namespace memo
