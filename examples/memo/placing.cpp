#include "memo/placing.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "memo/fit.hpp"
#include "memo/outline.hpp"
#include "memo/papers.hpp"
#include "memo/statements.hpp"

namespace memo {
namespace {

constexpr std::int64_t enough = 25;  ///< per cent of the points for the question that it fits best

/// The heading of the third level that `claim` stands under in `markdown`; empty for none.
std::string_view heading_over(std::string_view markdown, const std::string& claim) {
  constexpr std::string_view mark = "\n### ";
  const auto at = markdown.find(claim);
  if (at == std::string_view::npos) return {};
  const auto head = markdown.rfind(mark, at);
  if (head == std::string_view::npos) return {};
  const auto begin = head + mark.size();
  return markdown.substr(begin, markdown.find('\n', begin) - begin);
}

bool is_marked(std::string_view claim) { return !take_mark(claim).empty(); }

class Checker {
 public:
  Checker(const Request& request, const Sources& sources)
      : plans_(outline(request)), papers_(papers(request, sources)), fit_(papers_->topics) {}

  Placing checked(const std::vector<Section>& sections) {
    for (const auto& section : sections) {
      for (const auto& claim : section.claims) look_at(section, claim);
    }
    return std::move(found_);
  }

 private:
  void look_at(const Section& section, const Claim& claim) {
    const auto plan = std::ranges::find(plans_, section.key, &SectionPlan::key);
    if (plan == plans_.end() || is_marked(claim.text)) return;
    const auto heading = heading_over(section.markdown, claim.text);
    const auto own = std::ranges::find(plan->topics, heading, &Topic::heading);
    if (own == plan->topics.end()) return;
    const auto points = points_of(claim);
    if (points.empty()) return;
    ++found_.placed;
    const auto best = std::ranges::max_element(points);
    const auto topic = std::ranges::find(papers_->topics, own->id, &Topic::id);
    if (100 * points[static_cast<std::size_t>(topic - papers_->topics.begin())] >= enough * *best)
      return;
    const auto& better = papers_->topics[static_cast<std::size_t>(best - points.begin())];
    found_.far_off.push_back({own->heading, claim.text, better.heading});
  }

  /// For each question; none if the claim quotes no passage.
  [[nodiscard]] std::vector<std::int64_t> points_of(const Claim& claim) const {
    const Corpus& corpus = papers_->corpus;
    const auto passage = std::ranges::find_if(corpus.passages(), [&](const Passage& one) {
      return one.source == claim.source && one.text == claim.quote;
    });
    if (passage == corpus.passages().end()) return {};
    return fit_.of(passage->text, corpus.words(*passage), corpus.heading_words(*passage));
  }

  std::vector<SectionPlan> plans_;
  std::shared_ptr<const Papers> papers_;
  Fit fit_;
  Placing found_;
};

}  // namespace

Placing placing(const Request& request, const std::vector<Section>& sections,
                const Sources& sources) {
  return Checker{request, sources}.checked(sections);
}

}  // namespace memo
