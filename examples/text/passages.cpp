// Which reader reads a file, and the two kinds that need no library: plain text, and PDF, whose
// text comes from pdftotext.
#include "text/passages.hpp"

#include <algorithm>
#include <regex>

#include "text/charset.hpp"
#include "text/html.hpp"
#include "text/tables.hpp"
#include "text/words.hpp"

namespace text {
namespace {

constexpr std::size_t most_words = 60;  // of a passage: a quote has to stay short

std::string extension_of(const std::filesystem::path& file) {
  return in_lower_case(file.extension().string());
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::ptrdiff_t words_in(std::string_view text) {
  return std::ranges::count(text, ' ') + std::ranges::count(text, '\n') + 1;
}

/// Where the words of a line begin that is an item of a list; 0 if it is none.
std::size_t item_words(const std::string& line) {
  static const std::regex item{R"(\s*([-*]|•|\d{1,2}[.)])\s+)"};
  std::smatch mark;
  const bool is_item = line.size() < 2000 &&
                       std::regex_search(line, mark, item, std::regex_constants::match_continuous);
  return is_item ? static_cast<std::size_t>(mark.length()) : 0;
}

/// A short line alone between empty ones is the title of what follows.
bool is_title(const std::string& block) {
  return block.size() < 70 && block.find('\n') == block.npos &&
         std::string_view{".!?:;,"}.find(block.back()) == std::string_view::npos;
}

/// Blocks between empty lines, list items one by one.
class Plain {
 public:
  Plain(Document& document, bool in_pages) : document_{document}, in_pages_{in_pages} {}

  void read(std::string_view text) {
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min({text.find('\n', from), text.find('\f', from), text.size()});
      take(std::string{text.substr(from, end - from)});
      const bool page = end < text.size() && text[end] == '\f';
      if (page) close();
      if (page || !in_pages_) ++line_;
      from = end + 1;
    }
    close();
  }

 private:
  void take(const std::string& line) {
    const bool is_ruler = line.find_first_not_of("=-_* \t\r") == line.npos;
    const std::size_t item = item_words(line);
    if (is_ruler || item > 0) close();
    if (is_ruler) return;
    if (block_.empty()) from_ = line_;
    is_item_ = block_.empty() ? item > 0 : is_item_;
    block_ += (block_.empty() ? "" : "\n") + line.substr(item);
  }

  void close() {
    if (block_.empty()) return;
    if (!is_item_ && block_.find('\n') == block_.npos && is_title(collapsed(block_))) {
      title_ = collapsed(block_);
      if (document_.title.empty()) document_.title = title_;
    } else {
      add(document_.passages, {title_, {}, document_.file, from_}, block_);
    }
    block_.clear();
  }

  Document& document_;
  bool in_pages_;
  std::string title_;
  std::string block_;
  bool is_item_ = false;
  int line_ = 1;
  int from_ = 1;
};

/// Addresses that stand in the text. They end where nobody would write one on.
std::vector<Link> bare_links(std::string_view text) {
  std::vector<Link> links;
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') ++line;
    const auto rest = text.substr(at);
    if (!rest.starts_with("http://") && !rest.starts_with("https://")) continue;
    auto url = rest.substr(0, rest.find_first_of(" \t\r\n\f<>\"')]|"));
    while (std::string_view{".,;:"}.find(url.back()) != std::string_view::npos)
      url.remove_suffix(1);
    links.push_back({{}, std::string{url}, line});
    at += url.size() - 1;
  }
  return links;
}

/// Whether the last word is one that a name follows, by its shape: `Dr`, `Rev`, the `J` of a first
/// name; a capital, and two small letters at most. (Behind `in May.` no sentence ends then,
/// either.)
bool ends_in_title(std::string_view text) {
  static const std::regex title{R"((^|.*[ \n(])[A-Z][a-z]{0,2})"};
  const auto word = text.substr(text.size() - std::min<std::size_t>(text.size(), 4));
  return std::regex_match(word.begin(), word.end(), title);
}

std::string in_words(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '_'; }, ' ');
  return name;
}

}  // namespace

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : c;
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::vector<std::string_view> sentences(std::string_view text) {
  const auto begins = [&](std::size_t at) {
    const auto c = static_cast<unsigned char>(at < text.size() ? text[at] : 'a');
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '"' || c == '(' || c >= 0x80;
  };
  std::vector<std::string_view> list;
  std::size_t from = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (std::string_view{".!?"}.find(text[at]) == std::string_view::npos) continue;
    if (text[at] == '.' && ends_in_title(text.substr(0, at))) continue;
    std::size_t end = at + 1;  // behind a quotation mark that closes with it
    if (text.substr(end).starts_with("”")) end += std::string_view{"”"}.size();
    if (end < text.size() && (text[end] == '"' || text[end] == ')')) ++end;
    if (end >= text.size() || (text[end] != ' ' && text[end] != '\n') || !begins(end + 1)) continue;
    list.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  if (from < text.size()) list.push_back(text.substr(from));
  return list;
}

void add(std::vector<Passage>& passages, Passage passage, std::string_view lines) {
  const int first = passage.line;
  const bool paged = passage.file.ends_with(".pdf");
  std::size_t from = 0;
  const auto close = [&](std::size_t end) {
    passage.body = collapsed(lines.substr(from, end - from));
    const auto before = lines.substr(0, lines.find_first_not_of(" \n\t\r", from));
    if (!paged) passage.line = first + static_cast<int>(std::ranges::count(before, '\n'));
    if (!passage.body.empty()) passages.push_back(passage);
    from = end;
  };
  for (const auto sentence : sentences(lines)) {
    const auto begin = static_cast<std::size_t>(sentence.data() - lines.data());
    const auto words = words_in(lines.substr(from, begin + sentence.size() - from));
    if (begin > from && words > static_cast<std::ptrdiff_t>(most_words)) close(begin);
  }
  close(lines.size());
}

bool is_readable(const std::filesystem::path& file) {
  return is_one_of(extension_of(file),
                   {".md", ".txt", ".csv", ".tsv", ".yml", ".yaml", ".html", ".htm", ".pdf"});
}

bool is_folder_note(const std::filesystem::path& file) {
  return is_one_of(in_lower_case(file.stem().string()),
                   {"readme", "provenance", "license", "licence", "copying"});
}

Document cut(const std::string& file, const std::string& bytes) {
  const std::string kind = extension_of(file);
  Document document{.file = file};
  try {
    const std::string text = kind == ".pdf" ? text_of_pdf(bytes) : to_utf8(bytes);
    if (text.find('\0') != text.npos) throw std::runtime_error{"it has a zero byte: it is no text"};
    if (kind == ".md") {
      read_markdown(document, text);
    } else if (is_one_of(kind, {".html", ".htm"})) {
      document = read_html(file, text).document;
    } else if (is_one_of(kind, {".csv", ".tsv"})) {
      Table table = read_csv(text);
      table.title = document.title = in_words(file);
      add_table(document, std::move(table));
    } else if (is_one_of(kind, {".yml", ".yaml"})) {
      read_yaml(document, text);
    } else {
      Plain{document, kind == ".pdf"}.read(text);
    }
    document.lines = static_cast<int>(std::ranges::count(text, kind == ".pdf" ? '\f' : '\n')) + 1;
    if (kind != ".md" && document.links.empty()) document.links = bare_links(text);
  } catch (const std::runtime_error& error) {
    throw Unreadable{file + " cannot be read: " + error.what()};
  }
  if (document.title.empty()) document.title = in_words(file);
  return document;
}

}  // namespace text
