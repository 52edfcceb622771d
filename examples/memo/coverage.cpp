#include "memo/coverage.hpp"

#include <algorithm>

#include "memo/papers.hpp"

namespace memo {
namespace {

constexpr std::size_t best_passages = 3;

/// What the sections say and answer.
class Said {
 public:
  explicit Said(const SectionResearch& research) {
    for (const auto& section : research.sections) {
      for (const auto& part : section.parts) add(part);
    }
  }
  [[nodiscard]] bool answers(const Topic& topic) const {
    return std::ranges::find(questions_, topic.question) != questions_.end();
  }
  /// A passage may be two sentences, of which one is stated.
  [[nodiscard]] bool states(const Candidate& passage) const {
    return std::ranges::any_of(quotes_, [&](const std::string& quote) {
      return quote.find(passage.text) != quote.npos || passage.text.find(quote) != quote.npos;
    });
  }

 private:
  void add(const Part& part) {
    questions_.push_back(part.question);
    for (const auto& finding : part.findings) quotes_.push_back(finding.quote);
  }

  std::vector<std::string> questions_;
  std::vector<std::string> quotes_;
};

}  // namespace

bool answers(const SectionBrief& brief, const Topic& topic) {
  const auto is_reference = [&](const std::string& remark) {
    return remark.starts_with(topic.heading + std::string{see_mark});
  };
  return std::ranges::find(brief.parts, topic.question, &Part::question) != brief.parts.end() ||
         std::ranges::any_of(brief.remarks, is_reference);
}

int answered(const std::vector<SectionBrief>& sections) {
  std::ptrdiff_t count = 0;
  for (const auto& brief : sections) {
    count += std::ssize(brief.parts);
    count += std::ranges::count_if(brief.remarks, [](const std::string& remark) {
      return remark.find(see_mark) != std::string::npos;
    });
  }
  return static_cast<int>(count);
}

std::vector<LeftOut> left_out(const Request& request, const SectionResearch& research,
                              const Sources& sources) {
  const auto read = papers(request, sources);
  const Said said{research};
  std::vector<LeftOut> found;
  for (const auto& topic : read->topics) {
    if (said.answers(topic)) continue;
    auto best = read->ranking.best(topic, best_passages);
    std::erase_if(best, [&](const Candidate& one) {
      return one.score < least_fit || is_corrected(read->corrected, one.source, one.text);
    });
    const auto stated = [&](const Candidate& one) { return said.states(one); };
    if (best.empty() || std::ranges::any_of(best, stated)) continue;
    found.push_back({topic.heading, best.front().text, best.front().source});
  }
  return found;
}

}  // namespace memo
