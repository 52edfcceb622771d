#include <algorithm>
#include <cctype>
#include <string_view>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/stages.hpp"
#include "memo/statements.hpp"
#include "memo/tasks.hpp"

namespace memo {
namespace {

/// Whether a sentence ends with the text, whatever quotes and marks stand behind its last sign.
bool is_ended(const std::string& text) {
  const std::size_t last = text.find_last_not_of("\"'*_)]\u00bb\u201d\u2019");
  return last != text.npos && std::string_view{".!?"}.find(text[last]) != std::string_view::npos;
}

/// Items of a list, which begin with a small letter or end without a sign, would run into the
/// sentence beside them; so they stand in a paragraph of their own.
std::string rendered(const Paragraph& paragraph) {
  std::string text = "\n### " + paragraph.heading + "\n\n";
  const Claim* before = nullptr;
  for (const auto& claim : paragraph.claims) {
    const bool is_item = std::islower(static_cast<unsigned char>(claim.text[0])) != 0;
    if (before != nullptr) text += is_item || !is_ended(before->text) ? "\n\n" : " ";
    text += claim.text;
    before = &claim;
  }
  return text + '\n';
}

/// Remarks one after the other form a paragraph; those that begin with `- ` form a list.
std::string rendered(const std::vector<std::string>& remarks) {
  std::string text;
  bool list = false;
  for (const auto& remark : remarks) {
    const bool item = remark.starts_with("- ");
    text += item ? (list ? "\n" : "\n\n") : (text.empty() ? "\n" : list ? "\n\n" : " ");
    text += remark;
    list = item;
  }
  return text.empty() ? text : text + '\n';
}

/// What comes nearest to an answer, as a candidate for a person to judge.
std::string rendered_nearest(const Part& part) {
  const Finding& finding = part.findings.front();
  return '\n' + std::string{nearest_mark} + "“" + to_lower_first(part.heading) + "”:** “" +
         finding.quote + "” in `" + finding.source + "`.\n";
}

bool is_kept(const Claim& claim, const std::string& plain_markdown) {
  return plain_markdown.find(plain(claim.text)) != std::string::npos;
}

}  // namespace

Section draft_section(const model::Call& call, const SectionBrief& brief) {
  Section section{brief.key, brief.title, "## " + brief.title + '\n', {}, brief.remarks};
  for (const auto& paragraph : write(call, brief)) {
    if (paragraph.claims.empty()) continue;
    section.markdown += rendered(paragraph);
    section.claims.insert(section.claims.end(), paragraph.claims.begin(), paragraph.claims.end());
  }
  section.markdown += rendered(brief.remarks);
  if (!brief.silent.empty()) {
    section.markdown = with_silence(std::move(section.markdown), listed(brief.silent));
    for (const auto& part : brief.nearest) section.markdown += rendered_nearest(part);
  }
  return section;
}

Section edited_section(const Section& before, std::string markdown) {
  Section section = before;
  section.markdown = std::move(markdown);
  const std::string words = plain(section.markdown);
  std::erase_if(section.claims, [&](const Claim& claim) { return !is_kept(claim, words); });
  return section;
}

bool is_silent(const Section& section) noexcept {
  return section.claims.empty() && section.remarks.empty();
}

}  // namespace memo
