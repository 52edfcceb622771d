#include "memo/grounds.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "memo/coverage.hpp"
#include "memo/fit.hpp"
#include "memo/markdown.hpp"
#include "memo/outline.hpp"
#include "memo/papers.hpp"
#include "memo/prose.hpp"
#include "memo/vocabulary.hpp"

namespace memo {
namespace {

/// What fits clearly. The limit for questions with learned words counts their points, too; without
/// them signs alone tell.
std::int64_t firm_fit(const Topic& topic) {
  return Vocabulary::own().knows(topic.id) ? sure_fit : least_fit;
}

/// The words of a text: letters, figures and bytes of other characters.
std::vector<std::string> name_words(std::string_view text) {
  std::vector<std::string> words{""};
  for (const char c : text) {
    if (is_word(c) || static_cast<unsigned char>(c) >= 0x80U) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_legal_form(const std::string& word) {
  static constexpr std::array<std::string_view, 20> forms{
      "ltd", "limited", "gmbh", "inc", "llc",  "ag",  "bv",  "sa",  "sas", "as",
      "ab",  "oy",      "plc",  "co",  "corp", "aps", "srl", "spa", "kg",  "ug"};
  return std::ranges::find(forms, to_lower(word)) != forms.end();
}

bool is_lower(std::string_view word) {
  return !word.empty() && std::islower(static_cast<unsigned char>(word[0])) != 0;
}

bool is_answered(const Topic& topic, const SectionResearch& research) {
  return std::ranges::any_of(research.sections,
                             [&](const SectionBrief& brief) { return answers(brief, topic); });
}

class Judge {
 public:
  Judge(const Request& request, const Sources& sources)
      : papers_{papers(request, sources)}, fit_{papers_->topics} {}

  [[nodiscard]] bool is_firm(const Part& part) const {
    const auto& topics = papers_->topics;
    const auto topic = std::ranges::find(topics, part.question, &Topic::question);
    if (topic == topics.end()) return true;
    const auto column = static_cast<std::size_t>(topic - topics.begin());
    return std::ranges::any_of(part.findings, [&](const Finding& finding) {
      const auto& all = papers_->corpus.passages();
      const auto passage = std::ranges::find_if(all, [&](const Passage& one) {
        return one.source == finding.source && one.text == finding.quote;
      });
      return passage == all.end() || points_of(*passage)[column] >= firm_fit(*topic);
    });
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> points_of(const Passage& passage) const {
    const Corpus& corpus = papers_->corpus;
    return fit_.of(passage.text, corpus.words(passage), corpus.heading_words(passage));
  }

  std::shared_ptr<const Papers> papers_;
  Fit fit_;
};

CoreMatter matter_of(const std::vector<Topic>& topics, const SectionResearch& research) {
  CoreMatter matter;
  for (const auto& topic : topics) {
    matter.headings += (matter.headings.empty() ? "" : ", ") + topic.heading;
    matter.answered = matter.answered || is_answered(topic, research);
  }
  return matter;
}

std::set<std::string> cited_in(const SectionResearch& research) {
  std::set<std::string> paths;
  for (const auto& brief : research.sections) {
    for (const auto& part : brief.parts) {
      for (const auto& finding : part.findings) paths.insert(finding.source);
    }
  }
  return paths;
}

bool is_about(const Source& source, const std::string& company) {
  return names_company(source.text, company) || names_company(source.title, company) ||
         names_company(to_lower(source.path), to_lower(company));
}

}  // namespace

bool names_company(std::string_view text, std::string_view company) {
  auto wanted = name_words(company);
  while (wanted.size() > 1 && is_legal_form(wanted.back())) wanted.pop_back();
  std::string name;
  for (const auto& word : wanted) name += to_lower(word);
  if (name.empty()) return false;
  const auto words = name_words(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string found;
    std::size_t j = i;
    while (j < words.size() && found.size() < name.size()) found += to_lower(words[j++]);
    const bool common = j == i + 1 && is_lower(words[i]) && !is_lower(wanted[0]);
    if (found == name && !common) return true;
  }
  return false;
}

Grounds grounds(const Request& request, const SectionResearch& research, const Sources& sources) {
  Grounds found;
  const auto cited = cited_in(research);
  for (const auto& source : sources) {
    if (!cited.contains(source.path)) continue;
    ++found.sources;
    const bool names = is_about(source, request.company);
    found.naming += names ? 1 : 0;
    if (!names) found.unnamed.push_back(source.path);
  }
  const Judge judge{request, sources};
  for (const auto& brief : research.sections) {
    for (const auto& part : brief.parts) {
      ++found.answers;
      const bool firm = judge.is_firm(part);
      found.firm += firm ? 1 : 0;
      if (!firm) found.loose.push_back({part.heading, part.findings.front().quote});
    }
  }
  for (const auto& topics : core_topics(request)) found.core.push_back(matter_of(topics, research));
  return found;
}

}  // namespace memo
