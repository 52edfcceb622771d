#include "research/shortening.hpp"

#include <algorithm>
#include <limits>
#include <set>
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

/// A section for each page, in the order in which they come, and in it the page's own order. What
/// other pages say of the same thing stands with it.
std::vector<Section> by_page(const std::vector<Section>& sections) {
  const auto first = [](const Paragraph& one) -> const Finding& {
    return one.statements.front().finding;
  };
  std::vector<Section> pages;
  for (const Section& section : sections) {
    for (const Paragraph& one : section.paragraphs) {
      const Finding& own = first(one);
      auto page = std::ranges::find_if(pages, [&](const Section& before) {
        return first(before.paragraphs.front()).url == own.url;
      });
      const std::string& name = own.title.empty() ? own.url : own.title;
      if (page == pages.end()) page = pages.insert(page, {section.goal, name, {}});
      page->paragraphs.push_back(one);
    }
  }
  for (Section& page : pages) {
    std::ranges::stable_sort(page.paragraphs, {},
                             [&](const Paragraph& one) { return first(one).place; });
  }
  constexpr std::size_t several = 3;  // claims: pages with fewer come last
  std::ranges::stable_partition(
      pages, [](const Section& page) { return page.paragraphs.size() >= several; });
  return pages;
}

bool is_quoted(const Synthesis& made) {
  return std::ranges::all_of(made.sections, [](const Section& section) {
    return std::ranges::all_of(section.paragraphs, [](const Paragraph& paragraph) {
      return std::ranges::all_of(
          paragraph.statements, [](const Statement& one) { return one.text == one.finding.quote; });
    });
  });
}

Synthesis only(Synthesis made, const Ranks& ranks) {
  const auto is_out = [&](const Statement& one) { return !ranks.contains(rank_of(one)); };
  std::erase_if(made.lead, is_out);
  for (Section& section : made.sections) {
    for (Paragraph& paragraph : section.paragraphs) std::erase_if(paragraph.statements, is_out);
    std::erase_if(section.paragraphs, [](const Paragraph& one) { return one.statements.empty(); });
  }
  std::erase_if(made.sections, [](const Section& one) { return one.paragraphs.empty(); });
  // Who words a report divides it, too.
  if (is_quoted(made)) made.sections = by_page(made.sections);
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
