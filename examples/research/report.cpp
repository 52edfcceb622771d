#include "research/report.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "research/text.hpp"
#include "research/units.hpp"

namespace research {
namespace {

bool is_quote(const Statement& one) { return one.text == one.finding.quote; }
/// A row of a table as it is; what a model says of one is a sentence.
bool is_row(const Statement& one) {
  return is_quote(one) && research::is_row(one.text, one.finding.columns);
}
bool is_definition(const Statement& one) {
  return is_quote(one) && research::is_definition(one.text, one.finding.columns);
}
bool is_sentence(const std::string& text) { return !sentences(text).empty(); }

/// The pages speak of themselves as `we`: in a report that has to be somebody else.
bool speaks_of_itself(const Statement& one) {
  static const std::set<std::string> first_person{"we", "our", "us", "my", "ours", "i", "me"};
  return is_quote(one) && std::ranges::any_of(words(one.text), [](const std::string& word) {
           return first_person.contains(word);
         });
}

/// What a page says, in quotation marks if it speaks of itself and has none of its own.
std::string quoted(const std::string& text, bool of_itself) {
  const bool has_quotes = text.find('"') != text.npos || text.find("\u201C") != text.npos;
  return of_itself && !has_quotes ? "\u201C" + text + "\u201D" : text;
}

/// An item of a list without the mark at its end.
std::string without_mark(std::string text) {
  while (text.ends_with(',') || text.ends_with(';')) text.pop_back();
  return text;
}

/// Where a reader finds the page: its address, or the file of a site without one.
std::string place_of(const Finding& source) {
  if (source.url.find("://") == std::string::npos) return fmt::format("`{}`", source.url);
  const std::string path = source.url.ends_with(source.path) ? "" : " at " + source.path;
  return fmt::format("<{}>{}", source.url, path);
}

/// Numbers sources as they are first cited.
class Citations {
 public:
  std::size_t number(const Finding& finding) {
    auto found = std::ranges::find(sources_, finding.url, &Finding::url);
    if (found == sources_.end()) found = sources_.insert(sources_.end(), finding);
    return static_cast<std::size_t>(found - sources_.begin()) + 1;
  }

  [[nodiscard]] std::string list() const {
    std::string text;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Finding& source = sources_[i];
      const std::string date = source.date.empty() ? "" : ", " + source.date;
      text += fmt::format("{}. {}{}: {}\n", i + 1, source.title, date, place_of(source));
    }
    return text;
  }

  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  [[nodiscard]] std::size_t words() const {
    std::size_t sum = 0;
    for (const Finding& source : sources_) sum += source.page_words;
    return sum;
  }

 private:
  std::vector<Finding> sources_;
};

/// The rows that follow one another under the same columns, as a table. Its number stands before
/// it, unless the sentence before has the same.
std::string table(const std::vector<Statement>& rows, const std::string& before,
                  Citations& citations) {
  const auto bars = [](std::string_view cells) {
    std::size_t count = 0;
    for (auto at = cells.find(" | "); at != cells.npos; at = cells.find(" | ", at + 3)) ++count;
    return count;
  };
  const std::string& head = rows.front().finding.columns;
  std::string rule = "---";
  for (std::size_t i = bars(head); i > 0; --i) rule += " | ---";
  const auto cited = fmt::format("[{}]\n", citations.number(rows.front().finding));
  std::string text = before.ends_with(cited) ? "" : cited;
  text += fmt::format("\n| {} |\n| {} |\n", head, rule);
  for (const Statement& row : rows) text += fmt::format("| {} |\n", row.text);
  return text + "\n";
}

/// `- **Seats**: 350`, a line for each term; the number behind the last.
std::string definitions(const std::vector<Statement>& all, Citations& citations) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool goes_on = i > 0 && all[i].finding.columns == all[i - 1].finding.columns;
    text += goes_on ? " " : fmt::format("\n- **{}**: ", all[i].finding.columns);
    text += quoted(all[i].text, speaks_of_itself(all[i]));
  }
  return fmt::format("{} [{}]\n\n", text, citations.number(all.front().finding));
}

/// Statements of one page, one after the other: sentences, then what is no sentence between
/// semicolons, and an ellipsis where the page says something in between; its number at the end.
/// What is longer than a paragraph should be is divided where the page does it.
std::string run_of(const std::vector<Statement>& statements, Citations& citations) {
  constexpr std::size_t long_paragraph = 80;  ///< words
  const std::size_t number = citations.number(statements.front().finding);
  const bool of_itself = std::ranges::any_of(statements, speaks_of_itself);
  std::string all;
  std::string text;
  std::string quotes;
  std::string lead_in;
  bool item = false;
  std::size_t passage = statements.front().finding.passage;
  std::size_t place = statements.front().finding.place;
  for (const Statement& one : statements) {
    const bool whole = is_sentence(one.text);
    const std::string before = is_quote(one) ? one.finding.columns : "";
    const bool begins = std::exchange(lead_in, before) != before;
    const std::size_t was_at = std::exchange(place, one.finding.place);
    const bool left_out = place > was_at + 1 || place < was_at;
    const bool next = std::exchange(passage, one.finding.passage) != one.finding.passage;
    if (next && count_words(text) > long_paragraph) {
      all += fmt::format("{} [{}]\n\n", quoted(std::exchange(text, {}), of_itself), number);
    }
    const bool ends = whole || (begins && !lead_in.empty());
    if (!text.empty()) text += item ? ends ? ". " : "; " : left_out ? " \u2026 " : " ";
    if (begins && !lead_in.empty()) text += lead_in + " ";
    text += whole ? one.text : without_mark(one.text);
    item = !whole;
    if (!is_quote(one)) quotes += "  > " + one.finding.quote + "\n";
  }
  all += quoted(text, of_itself);
  return fmt::format("{} [{}]\n{}", all, number, quotes);
}

/// Statements that follow one another and are of one paragraph of a page.
std::vector<std::vector<Statement>> by_paragraph(const std::vector<Statement>& statements) {
  std::vector<std::vector<Statement>> all;
  for (const Statement& one : statements) {
    const bool goes_on = !all.empty() && all.back().back().finding.url == one.finding.url &&
                         all.back().back().finding.passage == one.finding.passage;
    if (!goes_on) all.emplace_back();
    all.back().push_back(one);
  }
  return all;
}

bool is_newer(const Finding& one, const Finding& other) {
  return std::ranges::find(other.newer, one.place) != other.newer.end();
}

/// `Later (2025-03-23): `, before what stands with statements of another day. Of what has no date,
/// or stands with it, that is known only if one of them tells of a change.
std::string since(const Finding& finding, const Finding& first) {
  const std::string& now = finding.written;
  if (finding.url == first.url && now == first.written) return {};
  if (now.empty()) return first.written.empty() ? "" : "Without a date: ";
  if (now == first.written) return {};
  if (first.written.empty() && !is_newer(finding, first)) return fmt::format("On {}: ", now);
  return fmt::format("{} ({}): ", now > first.written ? "Later" : "Earlier", now);
}

/// @param before  what stands above it in the report
std::string body_of(const std::vector<Statement>& statements, const std::string& before,
                    Citations& citations) {
  std::string text;
  for (std::size_t at = 0; at < statements.size();) {
    std::vector<Statement> together;
    const Statement& first = statements[at];
    while (at < statements.size() && is_row(statements[at]) == is_row(first) &&
           is_definition(statements[at]) == is_definition(first) &&
           statements[at].finding.url == first.finding.url &&
           statements[at].finding.written == first.finding.written &&
           (!is_row(first) || statements[at].finding.columns == first.finding.columns)) {
      together.push_back(statements[at++]);
    }
    text += since(first.finding, statements.front().finding);
    text += is_row(first)          ? table(together, before + text, citations)
            : is_definition(first) ? definitions(together, citations)
                                   : run_of(together, citations);
  }
  return text;
}

/// Whether both stand below one heading of a page.
bool are_of_one_place(const Paragraph& one, const Paragraph& other) {
  const Finding& first = one.statements.front().finding;
  const Finding& second = other.statements.front().finding;
  return first.url == second.url && first.heading == second.heading;
}

/// A longer heading says what it is about by itself.
constexpr std::size_t most_words_of_part = 3;

/// The heading that it has on its page: `**Cooling.**`; empty if the one above says it. Where the
/// one above is of another page, and what stands before is, too, the title of its page comes before
/// a short one.
std::string label_of(const Statement& one, const std::string& above, const std::string& page) {
  const Finding& source = one.finding;
  std::string label = source.heading.empty() ? source.title : source.heading;
  if (label.empty() || label.starts_with(above)) return {};
  const std::string& title = source.title;
  const bool told = title.empty() || title.starts_with(above) || source.url == page ||
                    words(label).size() > most_words_of_part || share_a_term(title, label);
  if (!told) label.insert(0, title + (title.ends_with('?') ? " " : ": "));
  const bool closed = std::string_view{".!?:"}.find(label.back()) != std::string_view::npos;
  const bool list = !is_row(one) && !is_definition(one) && !is_sentence(one.text);
  return fmt::format("**{}{}**", label, closed ? "" : list ? ":" : ".");
}

bool is_title_of_page(const Section& section) {
  return std::ranges::any_of(section.paragraphs, [&](const Paragraph& paragraph) {
    return std::ranges::any_of(paragraph.statements, [&](const Statement& one) {
      return one.finding.title.starts_with(section.heading);
    });
  });
}

std::string as_item(const std::string& body) {
  std::string text = "- ";
  for (std::size_t i = 0; i < body.size(); ++i) {
    const bool begins = i > 0 && body[i - 1] == '\n' && body[i] != '\n';
    text += (begins ? "  " : "") + body.substr(i, 1);
  }
  return text;
}

/// What stands below one heading of a page: a paragraph, or a list of them.
/// @param above  the heading
/// @param page   whose text stands before it
std::string text_of(std::span<const Paragraph> together, const std::string& above,
                    const std::string& page, Citations& citations) {
  const bool is_list = together.size() > 1;
  const Statement& first = together.front().statements.front();
  std::string text = label_of(first, above, page);
  if (!text.empty()) text += (is_list && !is_row(first)) || is_definition(first) ? "\n" : " ";
  bool after_item = false;
  for (const Paragraph& paragraph : together) {
    const Statement& one = paragraph.statements.front();
    const bool item = is_list && !is_row(one) && !is_definition(one);
    const std::string body = body_of(paragraph.statements, text, citations);
    const bool begins = text.ends_with('\n') && !text.ends_with("\n\n");
    if (begins && !(item && after_item) && !body.starts_with('\n')) text += "\n";
    after_item = item;
    text += item ? as_item(body) : body;
  }
  if (text.ends_with("\n\n")) text.pop_back();
  return "\n" + text;
}

std::string closing(const Synthesis& synthesis, const Citations& citations,
                    const std::string& before) {
  std::string text;
  if (!synthesis.notes.empty()) text += "\n## How this was found\n\n";
  for (const std::string& note : synthesis.notes) text += "- " + note + "\n";
  text += fmt::format("\n{}; {} on the {} cited.\n", counted(count_words(before), "word"),
                      citations.words(), counted(citations.size(), "page"));
  return text;
}

}  // namespace

std::string markdown(const Synthesis& synthesis) {
  Citations citations;
  std::string topic = synthesis.topic;
  if (!topic.empty()) {
    topic.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(topic.front())));
  }
  std::string text = fmt::format("# {}\n\n", topic);
  text += synthesis.made_by == "extractive"
              ? "*No model wrote this: it quotes the pages word for word.*\n"
              : fmt::format("*Worded by {}; under a statement is the sentence that it rests on.*\n",
                            synthesis.made_by);
  if (!synthesis.silent.empty()) {
    text += fmt::format(
        "\nNo page's text has the word{} \"{}\": what follows is about the rest of the topic.\n",
        synthesis.silent.size() == 1 ? "" : "s", fmt::join(synthesis.silent, "\", \""));
  }
  if (!synthesis.lead.empty()) text += "\n## In short\n\n";
  for (const auto& together : by_paragraph(synthesis.lead)) {
    text += "- " + run_of(together, citations);
  }
  for (const Section& section : synthesis.sections) {
    text += fmt::format("\n## {}\n", section.heading);
    const bool is_title = is_title_of_page(section);
    std::string page;
    for (auto one = section.paragraphs.begin(); one != section.paragraphs.end();) {
      const auto end = std::find_if_not(one, section.paragraphs.end(), [&](const Paragraph& next) {
        return are_of_one_place(*one, next);
      });
      const Finding& first = one->statements.front().finding;
      text += text_of({one, end}, section.heading, is_title ? page : first.url, citations);
      page = first.url;
      one = end;
    }
  }
  text += "\n## Sources\n\n" + citations.list();
  return text + closing(synthesis, citations, text.substr(text.find("\n## ")));
}

}  // namespace research
