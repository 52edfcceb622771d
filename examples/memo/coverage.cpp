#include "memo/coverage.hpp"

#include <algorithm>

#include "memo/outline.hpp"
#include "memo/ranking.hpp"
#include "memo/stemming.hpp"

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
  [[nodiscard]] bool states(const Passage& passage) const {
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

std::vector<LeftOut> left_out(const Request& request, const SectionResearch& research,
                              const Sources& sources) {
  const Corpus corpus{sources};
  const Said said{research};
  std::vector<LeftOut> found;
  for (const auto& plan : outline(request)) {
    for (const auto& topic : plan.topics) {
      if (said.answers(topic)) continue;
      const Signs signs{topic.signs};
      auto passages = corpus.find({topic.query, topic.signs, best_passages});
      std::erase_if(passages,
                    [&](const Passage& one) { return !signs.in_text(WordIndex{one.text}); });
      const auto stated = [&](const Passage& one) { return said.states(one); };
      if (passages.empty() || std::ranges::any_of(passages, stated)) continue;
      found.push_back({topic.heading, passages.front().text, passages.front().source});
    }
  }
  return found;
}

}  // namespace memo
