// Sections cite by file and line; the memo numbers its citations in the order of their first use.
#include <map>
#include <set>

#include <fmt/format.h>

#include "memo/memo_text.hpp"
#include "memo/stages.hpp"

namespace memo {
namespace {

class Numbering {
 public:
  /// `markdown` with a number for each `[^deck.md:12]`.
  std::string numbered(std::string_view markdown) {
    std::string out;
    for (std::size_t at = 0; at < markdown.size();) {
      const auto mark = std::min(markdown.find("[^", at), markdown.size());
      const auto end = markdown.find(']', mark);
      out += markdown.substr(at, mark - at);
      if (end == markdown.npos) break;
      out +=
          fmt::format("[^{}]", number_of(std::string{markdown.substr(mark + 2, end - mark - 2)}));
      at = end + 1;
    }
    return out;
  }

  [[nodiscard]] const std::vector<std::string>& labels() const noexcept { return labels_; }

 private:
  std::size_t number_of(const std::string& label) {
    const auto [entry, is_new] = numbers_.try_emplace(label, numbers_.size() + 1);
    if (is_new) labels_.push_back(label);
    return entry->second;
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> labels_;
};

/// `deck.md:12`, `deck.pdf, page 3` or `edited by hand, 1-research.json:41`.
std::string described(const std::string& citation, const std::set<std::string>& by_hand) {
  const auto colon = citation.rfind(':');
  const std::string file = citation.substr(0, colon);
  if (by_hand.contains(file)) return "edited by hand, " + citation;
  if (!file.ends_with(".pdf") || colon == citation.npos) return citation;
  return fmt::format("{}, page {}", file, citation.substr(colon + 1));
}

}  // namespace

Text cite(const Text& header, const std::vector<Section>& sections,
          const std::vector<Brief>& briefs) {
  std::set<std::string> by_hand;
  for (const auto& brief : briefs) {
    for (const auto& part : brief.parts) {
      for (const auto& quote : part.quotes) {
        if (quote.by_hand) by_hand.insert(quote.file);
      }
    }
  }
  Numbering numbering;
  Text draft{numbering.numbered(header.markdown)};
  for (const auto& section : sections)
    draft.markdown += '\n' + numbering.numbered(section.markdown);
  draft.markdown += fmt::format("\n{}\n\n", citations_heading);
  std::size_t number = 0;
  for (const auto& label : numbering.labels()) {
    draft.markdown += fmt::format("[^{}]: {}\n", ++number, described(citation_of(label), by_hand));
  }
  return draft;
}

}  // namespace memo
