#include <algorithm>
#include <map>
#include <optional>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/ranking.hpp"
#include "memo/stages.hpp"
#include "memo/statements.hpp"

namespace memo {
namespace {

/// Numbers citations in order of their first use.
class Citations {
 public:
  explicit Citations(const Sources& sources) : sources_{sources} {}

  std::string mark(const std::string& source, const std::string& quote) {
    const auto [entry, added] = numbers_.emplace(std::pair{source, quote}, numbers_.size() + 1);
    const int number = static_cast<int>(entry->second);
    if (added) {
      const Source* found = find_source(sources_, source);
      list_.push_back({number, source, found == nullptr ? source : found->title, quote});
    }
    return "[^" + std::to_string(number) + "]";
  }

  std::vector<Citation> take() { return std::move(list_); }

 private:
  const Sources& sources_;
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_;
  std::vector<Citation> list_;
};

/// Marks the statements of one text: by its claims, else by looking them up in the sources.
class Marker {
 public:
  Marker(const std::vector<Claim>& claims, const Corpus& corpus, Citations& citations)
      : corpus_{corpus}, citations_{citations} {
    for (const auto& claim : claims) {
      claims_.emplace(plain(claim.text), claim);
      for (const auto& part : sentences(plain(claim.text))) claims_.emplace(part, claim);
    }
  }

  std::string marked(std::string_view markdown) {
    std::string out;
    for (const auto line : lines(markdown)) out += marked_line(line) + '\n';
    return out;
  }

 private:
  std::string marked_line(std::string_view line) {
    if (line.starts_with('|')) return marked_row(line);
    const bool whole = line.starts_with("- ") || line.starts_with(caption_mark);
    if (whole) return std::string{line} + mark_of_claim(line);
    const bool prose = !line.empty() && line[0] != '#' && line[0] != '<' && !is_silence(line);
    return prose ? marked_prose(line) : std::string{line};
  }

  std::string marked_row(std::string_view line) {
    std::string out{line};
    const std::string mark = mark_of_claim(line);
    if (!mark.empty()) out.insert(out.rfind(" |"), mark);
    return out;
  }

  std::string marked_prose(std::string_view line) {
    std::string out = line.starts_with("> ") ? "> " : "";
    bool first = true;
    for (const auto& sentence : sentences(line.substr(out.size()))) {
      out += (first ? "" : " ") + sentence + mark_of_sentence(sentence);
      first = false;
    }
    return out;
  }

  /// A row, caption or link is cited by its source alone: what it says is in the cells.
  std::string mark_of_claim(std::string_view line) {
    const auto claim = claims_.find(plain(line));
    return claim == claims_.end() ? "" : citations_.mark(claim->second.source, "");
  }

  std::string mark_of_sentence(const std::string& sentence) {
    const std::string words = plain(sentence);
    std::string_view said = words;
    take_mark(said);
    if (const auto claim = claims_.find(words); claim != claims_.end()) {
      const bool verbatim = corpus_.holds(claim->second.source, unquoted(said));
      return citations_.mark(claim->second.source, verbatim ? "" : claim->second.quote);
    }
    const std::string source = corpus_.source_of(unquoted(said));
    return source.empty() || said.size() < 20 ? "" : citations_.mark(source, "");
  }

  std::map<std::string, Claim> claims_;
  const Corpus& corpus_;
  Citations& citations_;
};

std::string citations_block(const std::vector<Citation>& list) {
  std::string block = "\n" + std::string{citations_heading} + "\n\n";
  for (const auto& citation : list) block += citation_line(citation) + '\n';
  return block;
}

/// The sentences of the header that no source backs.
void add_header_remarks(std::vector<std::string>& remarks, const Header& header) {
  for (const auto& statement : statements(header.markdown)) {
    const bool backed = std::ranges::any_of(header.claims, [&](const Claim& claim) {
      return statement.text.find(plain(claim.text)) != std::string::npos;
    });
    if (!backed) remarks.push_back(statement.text);
  }
}

void add_remarks(std::vector<std::string>& remarks, const std::vector<std::string>& more) {
  for (const auto& remark : more) {
    for (const auto& sentence :
         sentences(plain(remark.starts_with("- ") ? remark.substr(2) : remark))) {
      remarks.push_back(sentence);
    }
  }
}

}  // namespace

FinalDraft cite(const model::Call&, const Header& header, const std::vector<Section>& sections,
                const Sources& sources) {
  const Corpus corpus{sources};
  Citations citations{sources};
  FinalDraft draft;
  draft.markdown = Marker{header.claims, corpus, citations}.marked(header.markdown);
  add_header_remarks(draft.remarks, header);
  for (const auto& section : sections) {
    draft.markdown += '\n' + Marker{section.claims, corpus, citations}.marked(section.markdown);
    add_remarks(draft.remarks, section.remarks);
  }
  draft.citations = citations.take();
  draft.markdown += citations_block(draft.citations);
  return draft;
}

FinalDraft edited_draft(const FinalDraft& before, std::string markdown) {
  FinalDraft draft{std::move(markdown), {}, before.remarks};
  draft.citations = citations(draft.markdown);
  return draft;
}

}  // namespace memo
