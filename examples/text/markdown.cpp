// cmark-gfm, because plain cmark knows no tables: it makes one paragraph of their bars.
#include <algorithm>
#include <memory>
#include <mutex>
#include <string_view>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "text/tables.hpp"

namespace text {
namespace {

struct FreeNode {
  void operator()(cmark_node* node) const noexcept { cmark_node_free(node); }
};
using Tree = std::unique_ptr<cmark_node, FreeNode>;

Tree parse(const std::string& text) {
  static std::once_flag registered;
  std::call_once(registered, cmark_gfm_core_extensions_ensure_registered);
  cmark_parser* parser = cmark_parser_new(CMARK_OPT_DEFAULT);
  for (const char* name : {"table", "autolink"}) {
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name));
  }
  cmark_parser_feed(parser, text.data(), text.size());
  Tree tree{cmark_parser_finish(parser)};
  cmark_parser_free(parser);
  return tree;
}

std::string_view type_of(cmark_node* node) { return cmark_node_get_type_string(node); }

/// The words of a node; a line break of the file is one of the text.
std::string inline_text(cmark_node* node) {
  const std::string_view type = type_of(node);
  if (type == "softbreak" || type == "linebreak") return "\n";
  if (type == "image" || type == "html_inline") return {};
  const char* literal = cmark_node_get_literal(node);
  std::string words = literal == nullptr ? "" : literal;
  for (cmark_node* child = cmark_node_first_child(node); child != nullptr;
       child = cmark_node_next(child)) {
    words += inline_text(child);
  }
  return words;
}

/// The front matter that static sites have, as empty lines, and the title that it gives.
std::string without_front_matter(std::string text, std::string& title) {
  const auto end = text.starts_with("---\n") ? text.find("\n---", 3) : std::string::npos;
  if (end == std::string::npos) return text;
  const std::string_view matter{text.data(), end};
  if (const auto at = matter.find("\ntitle:"); at != matter.npos) {
    const auto line = matter.substr(at + 7);
    title = collapsed(line.substr(0, line.find('\n')));
    std::erase_if(title, [](char c) { return c == '"'; });
  }
  const auto body = std::min(text.find('\n', end + 1), text.size());
  std::replace_if(
      text.begin(), text.begin() + static_cast<std::ptrdiff_t>(body),
      [](char c) { return c != '\n'; }, ' ');
  return text;
}

class MarkdownReading {
 public:
  explicit MarkdownReading(Document& document) : document_{document} {
    if (!document.title.empty()) headings_ = {{0, document.title}};
  }

  void read(cmark_node* node) {
    const std::string_view type = type_of(node);
    const int line = cmark_node_get_start_line(node);
    if (type == "heading") return take_heading(node);
    if (type == "code_block" || type == "html_block") return;
    if (type == "link")
      document_.links.push_back({collapsed(inline_text(node)), url_of(node), line_});
    if (line > 0 && type != "link") line_ = line;
    if (type == "paragraph")
      add(document_.passages, {title(), {}, document_.file, line}, inline_text(node));
    if (type == "table") return take_table(node);
    for (cmark_node* child = cmark_node_first_child(node); child != nullptr;
         child = cmark_node_next(child)) {
      if (type_of(child) == "softbreak") ++line_;
      read(child);
    }
  }

 private:
  struct Heading {
    int level;
    std::string text;
  };

  static std::string url_of(cmark_node* link) {
    const char* url = cmark_node_get_url(link);
    return url == nullptr ? "" : url;
  }

  static std::vector<std::string> cells_of(cmark_node* row) {
    std::vector<std::string> cells;
    for (cmark_node* cell = cmark_node_first_child(row); cell != nullptr;
         cell = cmark_node_next(cell)) {
      cells.push_back(collapsed(inline_text(cell)));
    }
    return cells;
  }

  void take_table(cmark_node* node) {
    Table table{title(), {}, {}};
    for (cmark_node* row = cmark_node_first_child(node); row != nullptr;
         row = cmark_node_next(row)) {
      if (type_of(row) == "table_header")
        table.header = cells_of(row);
      else
        table.rows.push_back({cmark_node_get_start_line(row), cells_of(row)});
    }
    add_table(document_, std::move(table));
  }

  void take_heading(cmark_node* node) {
    const int level = cmark_node_get_heading_level(node);
    std::erase_if(headings_, [&](const Heading& heading) { return heading.level >= level; });
    headings_.push_back({level, collapsed(inline_text(node))});
    if (document_.title.empty()) document_.title = headings_.back().text;
  }

  std::string title() const {
    std::string title;
    for (const auto& heading : headings_) title += (title.empty() ? "" : " / ") + heading.text;
    return title;
  }

  Document& document_;
  std::vector<Heading> headings_;
  int line_ = 1;
};

}  // namespace

void read_markdown(Document& document, const std::string& text) {
  const std::string body = without_front_matter(text, document.title);
  const Tree tree = parse(body);
  MarkdownReading{document}.read(tree.get());
}

}  // namespace text
