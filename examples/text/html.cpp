// Gumbo, not libxml2: it follows the rules of HTML5 for broken pages, and knows the line of each
// node.
#include "text/html.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <gumbo.h>

#include "text/tables.hpp"

namespace text {
namespace {

std::string attribute(const GumboNode* node, const char* name) {
  const GumboAttribute* found = gumbo_get_attribute(&node->v.element.attributes, name);
  return found == nullptr ? "" : found->value;
}

bool is_any(GumboTag tag, std::initializer_list<GumboTag> tags) {
  return std::ranges::find(tags, tag) != tags.end();
}

bool is_left_out(GumboTag tag) {
  return is_any(tag, {GUMBO_TAG_NAV, GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER, GUMBO_TAG_ASIDE,
                      GUMBO_TAG_FORM, GUMBO_TAG_BUTTON, GUMBO_TAG_SELECT, GUMBO_TAG_SCRIPT,
                      GUMBO_TAG_STYLE, GUMBO_TAG_NOSCRIPT, GUMBO_TAG_TEMPLATE, GUMBO_TAG_SVG});
}

/// What a browser does not show, too.
bool is_left_out(const GumboNode* node) {
  return is_left_out(node->v.element.tag) ||
         gumbo_get_attribute(&node->v.element.attributes, "hidden") != nullptr;
}

/// What stands inside a line of text; all other elements begin a passage, and end one.
bool is_inline(GumboTag tag) {
  return is_any(tag,
                {GUMBO_TAG_A,      GUMBO_TAG_ABBR, GUMBO_TAG_B,   GUMBO_TAG_CITE,  GUMBO_TAG_CODE,
                 GUMBO_TAG_DEL,    GUMBO_TAG_EM,   GUMBO_TAG_I,   GUMBO_TAG_INS,   GUMBO_TAG_KBD,
                 GUMBO_TAG_MARK,   GUMBO_TAG_Q,    GUMBO_TAG_S,   GUMBO_TAG_SMALL, GUMBO_TAG_SPAN,
                 GUMBO_TAG_STRONG, GUMBO_TAG_SUB,  GUMBO_TAG_SUP, GUMBO_TAG_TIME,  GUMBO_TAG_U,
                 GUMBO_TAG_VAR,    GUMBO_TAG_FONT, GUMBO_TAG_WBR});
}

int heading_level(GumboTag tag) {
  return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6 ? tag - GUMBO_TAG_H1 + 1 : 0;
}

std::string inner_text(const GumboNode* node) {
  if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE)
    return node->v.text.text;
  if (node->type != GUMBO_NODE_ELEMENT || is_left_out(node)) return {};
  std::string words = is_inline(node->v.element.tag) ? "" : " ";
  const GumboVector& children = node->v.element.children;
  for (unsigned i = 0; i < children.length; ++i) {
    words += inner_text(static_cast<const GumboNode*>(children.data[i]));
  }
  return words;
}

class HtmlReading {
 public:
  explicit HtmlReading(Page& page) : page_{page}, document_{page.document} {}

  void read(const GumboNode* node, bool left_out = false) {
    const bool is_text = node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE;
    if (is_text && !left_out)
      return take(node->v.text.text, static_cast<int>(node->v.text.start_pos.line));
    if (node->type != GUMBO_NODE_ELEMENT) return;
    const GumboTag tag = node->v.element.tag;
    note(node, tag);
    left_out = left_out || is_left_out(node) || tag == GUMBO_TAG_HEAD;
    if (heading_level(tag) > 0) take_heading(node, heading_level(tag), left_out);
    const bool is_whole = heading_level(tag) > 0 || (tag == GUMBO_TAG_TR && !left_out);
    if (tag == GUMBO_TAG_TR && !left_out) take_row(node);
    if (tag == GUMBO_TAG_BR) text_ += '\n';
    const bool is_block = !is_inline(tag) && tag != GUMBO_TAG_BR;
    if (is_block && tag != GUMBO_TAG_DD) close();
    const GumboVector& children = node->v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
      read(static_cast<const GumboNode*>(children.data[i]), left_out || is_whole);
    }
    if (tag == GUMBO_TAG_DT) text_ += ": ";  // its description follows in the same passage
    if (is_block && tag != GUMBO_TAG_DT) close();
    if (tag == GUMBO_TAG_TABLE) close_table();
  }

  void close() {
    const std::string body = collapsed(text_);
    if (!body.empty()) add(document_.passages, {title(), {}, document_.file, line_}, text_);
    text_.clear();
  }

 private:
  struct Heading {
    int level;
    std::string text;
  };

  void take(std::string_view text, int line) {
    if (collapsed(text_).empty()) {
      text_.clear();
      const auto first = std::min(text.find_first_not_of(" \n\r\t"), text.size());
      line_ = line + static_cast<int>(std::ranges::count(text.substr(0, first), '\n'));
      text.remove_prefix(first);
    }
    text_ += text;
  }

  void take_heading(const GumboNode* node, int level, bool left_out) {
    const std::string words = collapsed(inner_text(node));
    if (level == 1 && !has_h1_ && !words.empty()) document_.title = words;
    has_h1_ = has_h1_ || level == 1;
    if (left_out && level > 1) return;
    std::erase_if(headings_, [&](const Heading& heading) { return heading.level >= level; });
    if (!words.empty()) headings_.push_back({level, words});
  }

  void close_table() {
    table_.title = title();
    if (!table_.rows.empty()) add_table(document_, std::exchange(table_, {}));
  }

  void take_row(const GumboNode* row) {
    close();
    std::vector<std::string> cells;
    bool is_header = true;
    const GumboVector& children = row->v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
      const auto* cell = static_cast<const GumboNode*>(children.data[i]);
      if (cell->type != GUMBO_NODE_ELEMENT) continue;
      is_header = is_header && cell->v.element.tag == GUMBO_TAG_TH;
      cells.push_back(collapsed(inner_text(cell)));
    }
    const int line = static_cast<int>(row->v.element.start_pos.line);
    if (is_header) {
      table_.header = std::move(cells);
    } else {
      table_.rows.push_back({line, std::move(cells)});
    }
  }

  /// What an element tells beside its text.
  void note(const GumboNode* node, GumboTag tag) {
    const int line = static_cast<int>(node->v.element.start_pos.line);
    if (tag == GUMBO_TAG_A && !attribute(node, "href").empty()) {
      document_.links.push_back({collapsed(inner_text(node)), attribute(node, "href"), line});
    }
    if (tag == GUMBO_TAG_TITLE && document_.title.empty())
      document_.title = collapsed(inner_text(node));
    if (tag == GUMBO_TAG_LINK && attribute(node, "rel") == "canonical") {
      page_.canonical = attribute(node, "href");
    }
    const std::string name = attribute(node, "name") + attribute(node, "property");
    const bool dated = name == "date" || name == "dcterms.date" || name == "article:published_time";
    if (tag == GUMBO_TAG_META && dated) page_.date = attribute(node, "content");
    if (tag == GUMBO_TAG_TIME && page_.date.empty()) page_.date = attribute(node, "datetime");
  }

  std::string title() const {
    std::string title;
    for (const auto& heading : headings_) title += (title.empty() ? "" : " / ") + heading.text;
    return title.empty() ? document_.title : title;
  }

  Page& page_;
  Document& document_;
  std::vector<Heading> headings_;
  Table table_;
  std::string text_;
  int line_ = 0;
  bool has_h1_ = false;
};

}  // namespace

Page read_html(const std::string& file, const std::string& html) {
  Page page{.document = {.file = file}};
  GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size());
  HtmlReading{page}.read(output->root);
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  return page;
}

std::string words_of_html(const std::string& html) {
  GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size());
  std::string words = collapsed(inner_text(output->root));
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  return words;
}

}  // namespace text
