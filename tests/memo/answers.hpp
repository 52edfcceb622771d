/// @file
/// Counts which of the questions that a company's sources answer its memo answers.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "memo/outline.hpp"
#include "memo/prose.hpp"
#include "memo/statements.hpp"
#include "memo_run.hpp"
#include "phrases.hpp"

namespace memo::testing {

/// One question that the sources answer, and where the memo does.
struct Answer {
  std::string topic;
  std::vector<std::string> phrases;  ///< each of them will do
  bool strict = false;               ///< under the question itself
  bool own = false;                  ///< there, or where it refers to
  bool anywhere = false;             ///< in a statement of the finished memo
  bool open = false;                 ///< no section answers it, or refers to where one does
  bool nearest = false;              ///< it is open, and the passage that comes nearest answers it
};

struct Answers {
  std::vector<Answer> all;
  std::vector<std::string> superseded;  ///< statements of what a later document corrects
  std::size_t told_apart = 0;           ///< further ones, each with or behind the later figure
  std::size_t current = 0;              ///< later figures that are stated, of those known
  std::size_t words = 0;                ///< of the memo's sentences that state something
  std::size_t all_words = 0;            ///< with its tables and remarks
  std::size_t source_words = 0;

  [[nodiscard]] std::ptrdiff_t strict() const {
    return std::ranges::count(all, true, &Answer::strict);
  }
  [[nodiscard]] std::ptrdiff_t own() const { return std::ranges::count(all, true, &Answer::own); }
  [[nodiscard]] std::ptrdiff_t anywhere() const {
    return std::ranges::count(all, true, &Answer::anywhere);
  }
};

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// `fund` if answerable.json has a question that is asked of funds alone.
inline std::string type_in(const std::filesystem::path& folder) {
  const auto answerable = nlohmann::json::parse(text_of(folder / "answerable.json"));
  const auto direct = all_topics({"", "direct"});
  const bool fund = std::ranges::any_of(answerable.items(), [&](const auto& entry) {
    return std::ranges::find(direct, entry.key(), &Topic::id) == direct.end();
  });
  return fund ? "fund" : "direct";
}

/// Whether the section of `other` refers from `topic` to the question of `part`.
inline bool refers(const SectionBrief& other, const Topic& topic, const Part& part) {
  return std::ranges::any_of(other.remarks, [&](const std::string& remark) {
    return remark.starts_with(topic.heading + ": see ") &&
           remark.ends_with("“" + part.heading + "”.");
  });
}

/// Whether a section answers `topic`, or refers to another question that does.
inline void find_own(const MemoRun& run, const Topic& topic, Answer& answer) {
  for (const auto& brief : run.plan.sections) {
    for (const auto& part : brief.parts) {
      const bool said = std::ranges::any_of(part.findings, [&](const Finding& finding) {
        return holds_one(finding.quote, answer.phrases);
      });
      const bool own = part.question == topic.question;
      answer.strict = answer.strict || (said && own);
      answer.own = answer.own ||
                   (said && (own || std::ranges::any_of(run.plan.sections, [&](const auto& other) {
                               return refers(other, topic, part);
                             })));
    }
  }
}

/// What a later document corrects, and the words that give the later figure, if they are listed.
using Superseded = std::map<std::string, std::vector<std::string>>;

inline Superseded superseded_in(const std::filesystem::path& folder) {
  const std::string text = text_of(folder / "superseded.json");
  const auto json = text.empty() ? nlohmann::json::array() : nlohmann::json::parse(text);
  Superseded found;
  for (const auto& entry : json.items()) {
    if (json.is_object()) {
      found.emplace(entry.key(), phrases_in(entry.value()));
    } else {
      found.emplace(entry.value().get<std::string>(), std::vector<std::string>{});
    }
  }
  return found;
}

/// Whether the statement at `index` is marked as earlier, and the one that corrects it stands right
/// before it, marked as later, from another source.
inline bool is_told_apart(const std::vector<Statement>& said, std::size_t index,
                          const std::vector<std::string>& current) {
  if (!is_set_behind(said[index].mark)) return false;
  for (std::size_t i = index; i-- > 0 && !said[i].mark.empty();) {
    const bool later = leads(said[i].mark) && !said[i].citations.empty() &&
                       said[i].citations != said[index].citations;
    if (later && (current.empty() || holds_one(said[i].text, current))) return true;
  }
  return false;
}

/// Whether a question is open, and what then comes nearest to an answer.
inline void find_open(const MemoRun& run, const Topic& topic, Answer& answer) {
  const auto& sections = run.plan.sections;
  answer.open = std::ranges::none_of(
      sections, [&](const SectionBrief& brief) { return answers(brief, topic); });
  for (const auto& brief : sections) {
    const auto part = std::ranges::find(brief.nearest, topic.question, &Part::question);
    if (part == brief.nearest.end()) continue;
    answer.nearest = holds_one(part->findings[0].quote, answer.phrases);
  }
}

inline void count_superseded(const std::vector<Statement>& said, const Superseded& superseded,
                             Answers& found) {
  for (const auto& [phrase, current] : superseded) {
    bool stated = false;
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (said[i].citations.empty()) continue;  // a remark names both figures
      stated = stated || holds_one(said[i].text, current);
      if (!holds(said[i].text, phrase)) continue;
      if (holds_one(said[i].text, current) || is_told_apart(said, i, current)) {
        ++found.told_apart;
      } else {
        found.superseded.push_back(said[i].text);
      }
    }
    found.current += stated ? 1 : 0;
  }
}

/// What the memo of `run` says of the questions in the folder's answerable.json.
inline Answers answers_of(const MemoRun& run, const std::filesystem::path& folder) {
  Answers found;
  const auto said = statements(run.draft.markdown);
  const auto answerable = nlohmann::json::parse(text_of(folder / "answerable.json"));
  for (const auto& entry : answerable.items()) {
    Answer answer{entry.key(), phrases_in(entry.value())};
    const auto topic = std::ranges::find(run.found.asked, entry.key(), &Topic::id);
    if (topic != run.found.asked.end()) {
      find_own(run, *topic, answer);
      find_open(run, *topic, answer);
    }
    answer.anywhere = std::ranges::any_of(said, [&](const Statement& one) {
      return !one.citations.empty() && holds_one(one.text, answer.phrases);
    });
    found.all.push_back(std::move(answer));
  }
  count_superseded(said, superseded_in(folder), found);
  for (const auto& one : said) {
    const bool table = !one.cells.empty();
    found.words += one.citations.empty() || table ? 0 : words_in(one.text);
    found.all_words += words_in(one.text);
  }
  for (const auto& source : load_sources(folder)) found.source_words += words_in(source.text);
  return found;
}

}  // namespace memo::testing
