#include <algorithm>
#include <array>

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
  for (auto table : {people_table(sources), timeline_table(sources)}) {
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
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

/// A table for a section, and what is said below it.
struct Noted {
  Table table;
  std::vector<std::string> notes;
};

/// A table stands in the first section that it belongs to, and nowhere else.
std::vector<Noted> tables_for(const std::vector<SectionPlan>& plans, const std::string& key,
                              const Request& request, const Sources& sources) {
  std::vector<Noted> found;
  for (auto& table : all_tables(sources)) {
    const auto first =
        std::ranges::find_if(plans, [&](const SectionPlan& plan) { return belongs(table, plan); });
    if (first == plans.end() || first->key != key) continue;
    const auto read = papers(request, sources);
    auto notes = without_corrected(table, read->corrected, read->corpus);
    if (!table.rows.empty()) found.push_back({std::move(table), std::move(notes)});
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

void add_table(Section& section, const Noted& one) {
  const std::string caption = std::string{caption_mark} + one.table.caption + "**";
  std::string block = "<!-- viz:table -->\n" + caption + "\n\n" + render(one.table);
  for (const auto& note : one.notes) block += '\n' + note + '\n';
  section.markdown = with_block(section.markdown, block);
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
  if (plan == plans.end() || plan->tables.empty()) return section;
  const auto tables = tables_for(plans, section.key, request, sources);
  const auto picks = pick(call, "Choose tables for '" + section.title + "'.",
                          {{"Which tables?", as_candidates(tables), 3}});
  Section result = section;
  for (const auto index : picks[0]) add_table(result, tables[index]);
  return result;
}

}  // namespace memo
