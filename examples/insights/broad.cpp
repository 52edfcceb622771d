#include "insights/broad.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace insights {
namespace {

constexpr std::size_t most_lines = 15;

/// How many findings of a part are told, if there are as many: who asks what is wrong wants
/// faults.
std::size_t room_of(Part part, std::size_t told, const BroadQuestion& question) {
  constexpr std::size_t most_events = 5;
  if (part == Part::faults) return question.only_faults ? most_lines - most_events : 5;
  if (part == Part::events) return most_events;
  return std::min(most_lines - std::min(told, most_lines),
                  question.only_faults || question.only_odd ? std::size_t{2} : most_lines);
}

/// The lines of a part of a broad answer: of each kind the weightiest, then more of them, each
/// event once. What has a shorter form is told together with others of its kind or event.
void tell(std::vector<Weighed>& all, Part part, std::size_t room, const BroadQuestion& question,
          Selection& selection) {
  constexpr std::size_t most_brief = 6;
  const std::size_t end = selection.told.size() + room;
  std::map<std::string, std::size_t> lines;  // by kind or event, the line and how much it tells
  std::map<std::string, std::size_t> told;
  const bool is_mixed = part == Part::figures || !question.asks_unusual;
  for (const std::size_t most : {is_mixed ? std::size_t{1} : std::size_t{3}, std::size_t{3}}) {
    for (Weighed& one : all) {
      Finding& finding = one.finding;
      const bool is_none = finding.text.empty() || finding.weight < 0 || finding.kind == "rows";
      const bool is_detail =
          (finding.kind == "open" && finding.weight < 70) ||  // by category
          (finding.kind == "months" && !question.asks_months && told["kind months"] > 0);
      if (one.part != part || is_none || is_detail) continue;
      const bool is_figure = finding.event.empty() && !finding.brief.empty();
      const std::string of = finding.kind + (is_figure ? " in short" : finding.event);
      const auto line = lines.find(of);
      if (line != lines.end() && (is_figure || !finding.event.empty())) {
        if (!finding.brief.empty() && ++told[of] <= most_brief) {
          std::string& text = selection.told[line->second].text;
          text.replace(text.size() - 1, 1, "; " + finding.brief + ".");
        }
        finding.text.clear();
        continue;
      }
      if (selection.told.size() == end) continue;
      if (part != Part::faults && told["kind " + finding.kind] >= most) continue;
      ++told["kind " + finding.kind];
      lines[of] = selection.told.size();
      if (is_figure) finding.text = finding.brief + ".";
      selection.told.push_back(finding);
      finding.text.clear();
    }
  }
}

}  // namespace

Part part_of(const Finding& finding, const std::string& tool) {
  static const std::set<std::string> events{"change", "unusual", "ends",    "quiet",
                                            "trend",  "compare", "periods", "remarks"};
  const std::string& kind = finding.kind;
  const bool is_fault = tool == "find_faults" && kind != "ends" && kind != "quiet";
  if (is_fault || kind == "open") return Part::faults;
  return events.contains(kind) ? Part::events : Part::figures;
}

Selection broad_selection(std::vector<Weighed>& all, const BroadQuestion& question) {
  Selection selection;
  selection.is_broad = true;
  std::ranges::stable_sort(
      all, [](const Weighed& a, const Weighed& b) { return a.finding.weight > b.finding.weight; });
  for (Weighed& one : all) {
    if (one.part == Part::answers) selection.told.push_back(std::move(one.finding));
  }
  std::vector<Part> parts{Part::faults, Part::events, Part::figures};
  if (question.is_vague) std::ranges::reverse(parts);
  std::size_t figures = 0;
  for (const Part part : parts) {
    if (part == Part::figures) selection.figures = selection.told.size();
    tell(all, part, room_of(part, selection.told.size(), question), question, selection);
    if (part == Part::figures) figures = selection.told.size() - selection.figures;
  }
  if (question.is_vague) {  // figures have been chosen first, and are told last as ever
    const auto count = static_cast<std::ptrdiff_t>(figures);
    std::rotate(selection.told.begin(), selection.told.begin() + count, selection.told.end());
    selection.figures = selection.told.size() - figures;
  }
  selection.left_out = all.size() - selection.told.size();
  return selection;
}

}  // namespace insights
