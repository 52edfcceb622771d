#include <algorithm>
#include <array>

#include "memo/fit.hpp"
#include "memo/linking.hpp"
#include "memo/markdown.hpp"
#include "memo/outline.hpp"
#include "memo/papers.hpp"
#include "memo/prose.hpp"
#include "memo/restating.hpp"
#include "memo/stages.hpp"
#include "memo/statements.hpp"
#include "memo/table.hpp"
#include "memo/tasks.hpp"

namespace memo {
namespace {

std::string kind_of(const Request& request) {
  const std::string type = request.type == "fund" ? "fund investment" : "direct investment";
  const std::string mode = request.mode == "justify" ? "to justify a decision" : "for a decision";
  return "Investment memo on a " + type + ", " + mode + ".";
}

std::string in_words(std::size_t count) {
  static constexpr std::array<const char*, 13> words{"no",   "one",    "two",   "three", "four",
                                                     "five", "six",    "seven", "eight", "nine",
                                                     "ten",  "eleven", "twelve"};
  return count < words.size() ? words[count] : std::to_string(count);
}

std::string origin_of(const Sources& sources, const std::string& provider) {
  const std::string documents =
      sources.size() == 1 ? "one document" : in_words(sources.size()) + " documents";
  return provider == "extractive" ? "Quoted from " + documents + "; no model was used."
                                  : "Written from " + documents + " by `" + provider + "`.";
}

/// The company's name as the sources mark it, `™` or `®`; empty if none does.
std::string marked_name(const std::string& company, const Sources& sources) {
  for (const std::string mark : {"®", "™"}) {
    for (const auto& source : sources) {
      if (source.text.find(company + mark) != std::string::npos) return company + mark;
    }
  }
  return {};
}

std::vector<std::string> tagline_signs(const Request& request) {
  return {request.company + " is a",  request.company + " is an",  request.company + " is the",
          request.company + " makes", request.company + " offers", request.company + " provides"};
}

std::vector<Candidate> taglines(const Request& request, const Sources& sources) {
  const auto read = papers(request, sources);
  const auto what = std::ranges::find(read->topics, "summary.what", &Topic::id);
  if (what == read->topics.end()) return {};
  auto found = read->ranking.best(*what, 8);
  std::erase_if(found, [&](const Candidate& one) {
    return !later_than(read->corrected, one.source, one.text).empty() ||
           is_corrected(read->corrected, one.source, one.text);
  });
  return found;
}

std::string host_name(std::string_view url) {
  if (url.find("linkedin.com") != url.npos) return "LinkedIn";
  if (url.find("github.com") != url.npos) return "GitHub";
  if (url.find("statuspage.io") != url.npos) return "Status page";
  if (url.find("youtube") != url.npos) return "YouTube";
  return "Social media";
}

std::string channel_line(const SourcedLink& link) {
  return "- " + host_name(link.url) + ": [" + link.text + "](" + link.url + ")";
}

std::vector<Candidate> as_candidates(const std::vector<SourcedLink>& links) {
  std::vector<Candidate> out;
  for (const auto& link : links) out.push_back({link.text + " " + link.url, link.source});
  return out;
}

/// Lists the chosen ones of `links` at the end of `section`.
void add_channels(const model::Call& call, Section& section, const std::string& company,
                  const std::vector<SourcedLink>& links) {
  const auto picks = pick(call, "Choose profiles and channels of " + company + " and its people.",
                          {{"Which are public?", as_candidates(links), 8}});
  if (picks[0].empty()) return;
  std::string block = std::string{profiles_heading} + "\n\n";
  for (const auto index : picks[0]) {
    const std::string line = channel_line(links[index]);
    section.claims.push_back({line, links[index].url, links[index].source});
    block += line + '\n';
  }
  section.markdown = with_block(section.markdown, block);
}

std::vector<Table> all_tables(const Sources& sources) {
  std::vector<Table> tables;
  for (const auto& source : sources) {
    auto found = tables_in(source);
    std::ranges::move(found, std::back_inserter(tables));
  }
  tables.push_back(people_table(sources));
  return tables;
}

bool belongs(const Table& table, const SectionPlan& plan) {
  const auto about = table.caption + " " + row_line(table.columns);
  return std::ranges::any_of(plan.tables, [&](const auto& word) { return has_sign(about, word); });
}

std::string cells_of(const Table& table) {
  std::string cells;
  for (const auto& row : table.rows) {
    for (const auto& cell : row) cells += (cells.empty() ? "" : " | ") + cell;
  }
  return cells;
}

void add_table_claims(Section& section, const Table& table, const std::string& caption) {
  if (!table.source.empty()) {
    section.claims.push_back({caption, cells_of(table), table.source});
    return;
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    section.claims.push_back({row_line(table.rows[i]),
                              table.rows[i].front() + " | " + table.rows[i].back(),
                              table.row_sources[i]});
  }
}

/// A table for a section, the heading that it stands under, and what is said below it.
struct Noted {
  Table table;
  std::string heading;
  std::vector<std::string> notes;
};

std::string heading_line(const std::string& heading) { return "\n### " + heading + "\n"; }

/// The question that a table fits best; null if it fits none, or its head does not tell of it.
const Topic* question_of(const Table& table, const std::vector<Topic>& topics, const Fit& fit) {
  const std::string words = row_line(table.columns) + cells_of(table);
  const std::string head = table.caption + ' ' + row_line(table.columns);
  const auto points = fit.of(words, WordIndex{words}, WordIndex{table.caption});
  const auto of_head = fit.of(head, WordIndex{head}, WordIndex{});
  const auto best = std::ranges::max_element(points);
  if (points.empty() || *best < least_fit) return nullptr;
  const auto at = static_cast<std::size_t>(best - points.begin());
  return table.source.empty() || of_head[at] >= least_fit ? &topics[at] : nullptr;
}

/// A table that a section of the outline asks for stands under the question that it fits best, if
/// that is answered in `section`.
std::vector<Noted> tables_for(const std::vector<SectionPlan>& plans, const SectionPlan& plan,
                              const Section& section, const Papers& papers,
                              const Sources& sources) {
  std::vector<Noted> found;
  const Fit fit{papers.topics};
  for (auto& table : all_tables(sources)) {
    const bool wanted =
        std::ranges::any_of(plans, [&](const SectionPlan& one) { return belongs(table, one); });
    const Topic* topic = wanted ? question_of(table, papers.topics, fit) : nullptr;
    if (topic == nullptr || std::ranges::count(plan.topics, topic->id, &Topic::id) == 0) continue;
    if (section.markdown.find(heading_line(topic->heading)) == std::string::npos) continue;
    auto notes = without_corrected(table, papers.corrected, papers.corpus);
    if (table.rows.empty()) continue;
    found.push_back({std::move(table), topic->heading, std::move(notes)});
  }
  return found;
}

std::vector<Candidate> as_candidates(const std::vector<Noted>& tables) {
  std::vector<Candidate> out;
  for (const auto& one : tables) {
    out.push_back({one.table.caption, one.table.source});
  }
  return out;
}

/// Where the answer under `heading` ends: before the next heading, or what the memo itself says.
std::size_t end_of_answer(const std::string& markdown, const std::string& heading,
                          const std::vector<std::string>& remarks) {
  const auto begin = markdown.find(heading_line(heading)) + 1;
  std::size_t end = markdown.size();
  const auto stop_at = [&](std::string_view mark) {
    end = std::min(end, markdown.find(mark, begin));
  };
  stop_at("\n### ");
  stop_at(silence_mark);
  for (const auto& remark : remarks) stop_at(remark);
  return end;
}

void add_table(Section& section, const Noted& one, const std::vector<std::string>& remarks) {
  const std::string caption = std::string{caption_mark} + one.table.caption + "**";
  std::string block = "<!-- viz:table -->\n" + caption + "\n\n" + render(one.table);
  for (const auto& note : one.notes) block += '\n' + note + '\n';
  const auto end = end_of_answer(section.markdown, one.heading, remarks);
  const bool last = end == section.markdown.size() || section.markdown[end] == '\n';
  section.markdown.insert(end, last ? '\n' + block : block + '\n');
  section.remarks.insert(section.remarks.end(), one.notes.begin(), one.notes.end());
  add_table_claims(section, one.table, caption);
}

}  // namespace

Header enrich_trademark(const model::Call& call, const Request& request, const Sources& sources) {
  const auto candidates = taglines(request, sources);
  const auto picks = pick(call, "Find one sentence that says what " + request.company + " is.",
                          {{"What is it?", candidates, 1, tagline_signs(request)}});
  const std::string marked = marked_name(request.company, sources);
  Header header{request.company, "# " + (marked.empty() ? request.company : marked) + "\n\n", {}};
  for (const auto index : picks[0]) {
    const auto& tagline = candidates[index];
    header.markdown += "> " + tagline.text + "\n\n";
    header.claims.push_back({tagline.text, tagline.text, tagline.source});
  }
  header.markdown += kind_of(request) + ' ' + origin_of(sources, call.provider.name()) + '\n';
  return header;
}

Section enrich_socials(const model::Call& call, const Section& section, const Request& request,
                       const Sources& sources) {
  if (section.key != "team") return section;
  Section result = section;
  auto links = links_to(sources, "linkedin.com/in/");
  std::ranges::move(channels_of(request.company, sources), std::back_inserter(links));
  add_channels(call, result, request.company, links);
  return result;
}

Section enrich_links(const model::Call& call, const Section& section, const Request& request,
                     const Sources& sources) {
  const auto entities = entities_in(section.markdown, request.company, sources);
  const auto picks = pick(call, "Choose names worth a link in '" + section.title + "'.",
                          {{"Which names?", as_candidates(entities), 10}});
  Section result = section;
  for (const auto index : picks[0]) {
    result.markdown = with_link(result.markdown, entities[index]);
  }
  return result;
}

Section enrich_visualizations(const model::Call& call, const Section& section,
                              const Request& request, const Sources& sources) {
  const auto plans = outline(request);
  const auto plan = std::ranges::find(plans, section.key, &SectionPlan::key);
  if (plan == plans.end()) return section;
  const auto tables = tables_for(plans, *plan, section, *papers(request, sources), sources);
  const auto picks = pick(call, "Choose tables for '" + section.title + "'.",
                          {{"Which tables?", as_candidates(tables), 3}});
  Section result = section;
  for (const auto index : picks[0]) add_table(result, tables[index], section.remarks);
  return result;
}

}  // namespace memo
