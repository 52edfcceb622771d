#include "research/shortening.hpp"

#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "research/report.hpp"
#include "research/text.hpp"

namespace research {
namespace {

using Ranks = std::set<std::size_t>;

/// What nobody chose for the report comes last.
std::size_t rank_of(const Statement& one) {
  return one.finding.rank > 0 ? one.finding.rank : std::numeric_limits<std::size_t>::max();
}

Ranks ranks_in(const Synthesis& made) {
  Ranks ranks;
  for (const Statement& one : made.lead) ranks.insert(rank_of(one));
  for (const Section& section : made.sections) {
    for (const Paragraph& paragraph : section.paragraphs) {
      for (const Statement& one : paragraph.statements) ranks.insert(rank_of(one));
    }
  }
  return ranks;
}

Synthesis only(Synthesis made, const Ranks& ranks) {
  const auto is_out = [&](const Statement& one) { return !ranks.contains(rank_of(one)); };
  std::erase_if(made.lead, is_out);
  for (Section& section : made.sections) {
    for (Paragraph& paragraph : section.paragraphs) std::erase_if(paragraph.statements, is_out);
    std::erase_if(section.paragraphs, [](const Paragraph& one) { return one.statements.empty(); });
  }
  std::erase_if(made.sections, [](const Section& one) { return one.paragraphs.empty(); });
  return made;
}

}  // namespace

Synthesis shortened(const Synthesis& made, std::size_t most_words) {
  Ranks ranks = ranks_in(made);
  const auto fits = [&] {
    return most_words == 0 || count_words(markdown(only(made, ranks))) <= most_words;
  };
  std::vector<std::size_t> out;
  while (ranks.size() > 1 && !fits()) {
    out.push_back(*ranks.rbegin());
    ranks.erase(out.back());
  }
  for (auto rank = out.rbegin(); rank != out.rend(); ++rank) {
    ranks.insert(*rank);
    if (!fits()) ranks.erase(*rank);
  }
  return only(made, ranks);
}

}  // namespace research
