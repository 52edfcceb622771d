/// @file
/// A memo's text, written and read back: what is a statement in it, and what it cites. People edit
/// these texts, so everything that is judged is read from them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memo/types.hpp"

namespace memo {

inline constexpr std::string_view citations_heading = "## Citations";
inline constexpr std::string_view profiles_heading = "### Profiles and channels";
inline constexpr std::string_view table_mark = "<!-- viz:table -->";

/// ` [^deck.md:12]`: how a section cites until `cite` numbers its citations.
std::string citation_mark(const Quote& quote);
/// `deck.md:12` of the label of such a mark, in which blanks and brackets are written in
/// hexadecimal.
std::string citation_of(std::string_view label);

/// “Word for word.” [^deck.md:12]
std::string quoted(const Quote& quote);

/// `text` with what Markdown would take for markup escaped.
std::string escaped(std::string_view text);
/// Text without markup, escapes and links: what a reader sees.
std::string plain(std::string_view markdown);

struct Statement {
  std::string text;                    ///< as a reader sees it, without citations
  std::vector<std::string> citations;  ///< `deck.md:12`, or what else stands in the marks
  bool is_quote = false;               ///< the whole of it stands in quotation marks
  bool is_row = false;                 ///< of a table
};

/// The statements above the list of citations: sentences, quotations, items and rows of tables.
/// Headings, comments and the lines `own` are none. A mark belongs to the statement before it.
std::vector<Statement> statements(const std::string& markdown, const std::set<std::string>& own);

/// What the marks `[^1]` of a memo stand for, by the list of citations at its end.
std::vector<std::pair<std::string, std::string>> citation_list(std::string_view markdown);

/// Lines that the program writes itself.
inline constexpr std::string_view silence_line = "*Nothing found in the sources for:*";
inline constexpr std::string_view former_silence_line = "*Not in the sources:*";  // older memos
std::string silence_item(const Part& part);
std::string see_line(const std::string& heading);
std::string kind_line(const Request& request);
std::string origin_line(bool quoting);
/// All of them in this memo. Equality counts, so nobody hides a figure behind one.
std::set<std::string> own_lines(const Request& request, const std::vector<Brief>& briefs);

}  // namespace memo
