// Three stages that rewrite what the draft has left, one after the other, in the same files.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "memo/memo_text.hpp"
#include "memo/stages.hpp"

namespace memo {
namespace {

constexpr std::size_t most_links = 10;  // in a section
constexpr std::size_t most_rows = 12;   // of a table that is shown whole

bool is_word(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0x80;
}

/// The company's name as the sources mark it, `™` or `®`; as it is if none does.
std::string marked_name(const std::string& company, const Sources& sources) {
  for (const std::string mark : {"®", "™"}) {
    for (const auto& source : sources) {
      for (const auto& passage : source.passages) {
        const bool marks =
            (passage.title + '\n' + passage.body).find(company + mark) != std::string::npos;
        if (marks) return company + mark;
      }
    }
  }
  return company;
}

std::string with_block(const std::string& markdown, const std::string& block) {
  return markdown + (markdown.ends_with("\n\n") ? "" : "\n") + block;
}

/// Where `name` stands as a whole word in a paragraph, and not in a link, a mark or a heading.
std::size_t mention_of(const std::string& name, const std::string& markdown) {
  for (auto at = markdown.find(name); at != markdown.npos; at = markdown.find(name, at + 1)) {
    const auto line = markdown.rfind('\n', at) + 1;
    const std::string before = markdown.substr(line, at - line);
    const std::size_t end = at + name.size();
    const bool whole =
        (at == 0 || !is_word(static_cast<unsigned char>(markdown[at - 1]))) &&
        (end == markdown.size() || !is_word(static_cast<unsigned char>(markdown[end])));
    const bool prose =
        before.find_first_of("#|<") != 0 && !before.starts_with("*") && !before.starts_with("- ");
    const bool inside = std::ranges::count(before, '[') != std::ranges::count(before, ']') ||
                        std::ranges::count(before, '(') != std::ranges::count(before, ')') ||
                        std::ranges::count(before, '`') % 2 != 0 || before.ends_with("://");
    if (whole && prose && !inside) return at;
  }
  return markdown.npos;
}

/// Names that the sources link, each with the address that they link it to first; longer ones
/// first, so that `Harbor Ferries` is not linked as `Harbor`.
std::vector<std::pair<std::string, std::string>> linked_names(const Sources& sources) {
  std::map<std::string, std::string> names;
  for (const auto& source : sources) {
    for (const auto& link : source.links) {
      const bool is_name = link.text.size() >= 3 && link.text.size() <= 40 &&
                           (link.text[0] & 0x20) == 0 &&
                           is_word(static_cast<unsigned char>(link.text[0]));
      if (is_name && link.url.starts_with("http") &&
          link.url.find_first_of(" ()") == link.url.npos) {
        names.try_emplace(link.text, link.url);
      }
    }
  }
  std::vector<std::pair<std::string, std::string>> list{names.begin(), names.end()};
  std::ranges::stable_sort(
      list, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  return list;
}

std::string cells(const std::vector<std::string>& row, std::size_t columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < columns; ++i) {
    line += fmt::format(" {} |", i < row.size() ? escaped(row[i]) : "");
  }
  return line;
}

std::string shown(const text::Table& table, const std::string& file, const std::set<int>& cited) {
  const std::size_t columns = table.header.size();
  std::string block = fmt::format("{}\n\n{}\n|{}\n", table_mark, cells(table.header, columns), [&] {
    std::string rule;
    for (std::size_t i = 0; i < columns; ++i) rule += " --- |";
    return rule;
  }());
  for (const auto& row : table.rows) {
    if (table.rows.size() > most_rows && !cited.contains(row.line)) continue;
    std::string line = cells(row.cells, columns);
    line.insert(line.size() - 2, citation_mark({{}, {}, file, row.line}));
    block += line + '\n';
  }
  return block;
}

}  // namespace

Text enrich_trademark(const Request& request, const std::vector<Brief>& briefs,
                      const Sources& sources, bool quoting) {
  Text header{fmt::format("# {}\n", marked_name(request.company, sources))};
  const auto& parts = briefs.front().parts;
  if (!parts.empty() && !parts.front().quotes.empty()) {
    header.markdown += fmt::format("\n> {}\n", quoted(parts.front().quotes.front()));
  }
  header.markdown += fmt::format("\n{}\n\n{}\n", kind_line(request), origin_line(quoting));
  return header;
}

Section enrich_socials(const Section& section, const Sources& sources) {
  if (section.key != "team") return section;
  std::string list;
  std::set<std::string> seen;
  for (const auto& source : sources) {
    for (const auto& link : source.links) {
      const bool is_profile =
          link.url.starts_with("http") && link.url.find("linkedin.com/") != link.url.npos;
      if (!is_profile || !seen.insert(link.url).second) continue;
      const std::string name =
          link.text.empty() ? link.url.substr(link.url.find("linkedin.com/")) : link.text;
      list += fmt::format("- [{}]({}){}\n", escaped(name), link.url,
                          citation_mark({{}, {}, source.file, link.line}));
    }
  }
  if (list.empty()) return section;
  return {section.key, section.title,
          with_block(section.markdown, fmt::format("{}\n\n{}", profiles_heading, list))};
}

Section enrich_links(const Section& section, const Sources& sources) {
  Section result = section;
  std::size_t links = 0;
  for (const auto& [name, url] : linked_names(sources)) {
    const auto at = links < most_links ? mention_of(name, result.markdown) : std::string::npos;
    if (at == std::string::npos) continue;
    result.markdown.replace(at, name.size(), fmt::format("[{}]({})", name, url));
    ++links;
  }
  return result;
}

Section enrich_visualizations(const Section& section, const Sources& sources) {
  std::set<std::string> cited;
  for (const auto& statement : statements(section.markdown, {})) {
    cited.insert(statement.citations.begin(), statement.citations.end());
  }
  Section result = section;
  for (const auto& source : sources) {
    for (const auto& table : source.tables) {
      std::set<int> rows;
      for (const auto& row : table.rows) {
        if (cited.contains(fmt::format("{}:{}", source.file, row.line))) rows.insert(row.line);
      }
      if (rows.empty() || table.header.size() < 2) continue;
      result.markdown = with_block(result.markdown, shown(table, source.file, rows));
    }
  }
  return result;
}

}  // namespace memo
