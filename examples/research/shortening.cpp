#include "research/shortening.hpp"

#include <algorithm>
#include <iterator>
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

/// Puts together what stands below one heading of a page: it stood apart where it joined
/// statements of other pages that are left out.
void gather(std::vector<Paragraph>& paragraphs) {
  std::vector<Paragraph> all;
  for (Paragraph& one : paragraphs) {
    const Finding& moved = one.statements.front().finding;
    const auto same = std::find_if(all.rbegin(), all.rend(), [&](const Paragraph& before) {
      const Finding& first = before.statements.front().finding;
      return first.url == moved.url && first.heading == moved.heading;
    });
    all.insert(same == all.rend() ? all.end() : same.base(), std::move(one));
  }
  paragraphs = std::move(all);
}

bool is_named_after(const Section& section, const Statement& one) {
  return one.finding.title.starts_with(section.heading);
}

/// Whether a section has the title of a page that it quotes.
bool is_named_after_page(const Section& section) {
  return std::ranges::any_of(section.paragraphs, [&](const Paragraph& paragraph) {
    return std::ranges::any_of(paragraph.statements,
                               [&](const Statement& one) { return is_named_after(section, one); });
  });
}

/// What joined a statement that is left out goes to the section that is named after its page.
void bring_home(std::vector<Section>& sections) {
  for (Section& section : sections) {
    std::vector<Paragraph> stay;
    for (Paragraph& one : std::exchange(section.paragraphs, {})) {
      const auto is_of = [&](const Section& other) {
        return is_named_after(other, one.statements.front());
      };
      const bool here = std::ranges::any_of(
          one.statements, [&](const Statement& said) { return is_named_after(section, said); });
      const auto home = here ? sections.end() : std::ranges::find_if(sections, is_of);
      auto& place = home == sections.end() || &*home == &section ? stay : home->paragraphs;
      place.push_back(std::move(one));
    }
    section.paragraphs.insert(section.paragraphs.begin(), std::make_move_iterator(stay.begin()),
                              std::make_move_iterator(stay.end()));
  }
}

Synthesis only(Synthesis made, const Ranks& ranks) {
  const auto is_out = [&](const Statement& one) { return !ranks.contains(rank_of(one)); };
  std::erase_if(made.lead, is_out);
  for (Section& section : made.sections) {
    const bool named = is_named_after_page(section);
    for (Paragraph& paragraph : section.paragraphs) std::erase_if(paragraph.statements, is_out);
    std::erase_if(section.paragraphs, [](const Paragraph& one) { return one.statements.empty(); });
    if (named && !section.paragraphs.empty() && !is_named_after_page(section)) {
      section.heading = section.paragraphs.front().statements.front().finding.title;
    }
  }
  bring_home(made.sections);
  for (Section& section : made.sections) gather(section.paragraphs);
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
