/// @file
/// Cuts files into passages: what a source says, word for word, with the place where it says it.
/// All programs that quote begin here. The library is not in this file.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace text {

/// A paragraph, a list item, or a row of a table; at most about sixty words of it.
struct Passage {
  std::string title{};  ///< the headings above it, joined by " / "
  std::string
      body;  ///< word for word, white space collapsed; of a row `Header: cell; Header: cell`
  std::string file{};   ///< as it was named to cut(), with '/'
  int line = 0;         ///< of its first word; of a PDF the page
  std::string cells{};  ///< of a row, without the header, whose words count less

  bool operator==(const Passage&) const = default;
};

/// A table, to be shown whole; its rows are passages as well.
struct Table {
  struct Row {
    int line = 0;  ///< where it begins
    std::vector<std::string> cells;
  };

  std::string title;  ///< as that of its passages
  std::vector<std::string> header;
  std::vector<Row> rows;     ///< not always as many cells as the header
  std::vector<Row> notes{};  ///< of CSV: lines above the header that begin with `#`, without it
  char separator = ',';      ///< of CSV
};

struct Link {
  std::string text;  ///< empty for a bare address
  std::string url;   ///< as it is written
  int line = 0;

  bool operator==(const Link&) const = default;
};

struct Document {
  std::string file{};
  std::string title{};  ///< its first heading, else the file's name
  int lines = 0;        ///< how many it has; of a PDF pages
  std::vector<Passage> passages{};
  std::vector<Link> links{};
  std::vector<Table> tables{};  ///< of Markdown, HTML and CSV
};

/// A file cannot be read as what its name says it is; what() names file, line and cause.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether cut() reads files of this name: .md, .txt, .csv, .tsv, .yml, .yaml, .html, .htm, .pdf.
bool is_readable(const std::filesystem::path& file);

/// Whether a file tells about its folder, and nothing about what the other files are about: it is
/// called `README`, `PROVENANCE`, `LICENSE`, `LICENCE` or `COPYING`, in any case.
bool is_folder_note(const std::filesystem::path& file);

/// Reads a file's bytes as its name says. Markdown by cmark-gfm, HTML by gumbo, tables by libcsv,
/// YAML by yaml-cpp, PDF by pdftotext. Equal bytes give equal passages.
/// @throws Unreadable
Document cut(const std::string& file, const std::string& bytes);

/// Adds a text as one passage or, if it is long, as several that end where sentences do.
/// @param lines  line breaks of the file are '\n' in it; the first is line `passage.line`
void add(std::vector<Passage>& passages, Passage passage, std::string_view lines);

/// White space collapsed to single blanks, none at the ends.
std::string collapsed(std::string_view text);

/// The sentences of a text: they end in `.`, `!` or `?` before a blank and a capital letter, a
/// digit or a quotation mark, but not behind a word such as `Rev.`, `Dr.` or `J.`.
std::vector<std::string_view> sentences(std::string_view text);

/// Fills in the title, the passages and the links of Markdown: paragraphs, list items and rows of
/// tables; code, HTML and front matter are left out. Never fails: any text is Markdown.
void read_markdown(Document& document, const std::string& text);

/// The text of a PDF, a form feed behind each page. @throws std::runtime_error says why not
std::string text_of_pdf(const std::string& bytes);

}  // namespace text
