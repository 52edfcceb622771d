#include "research/html.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "research/dates.hpp"
#include "research/html_text.hpp"
#include "research/text.hpp"

namespace research {
namespace {

struct Tag {
  std::string name;  ///< lower case; `/p` ends a `p`
  std::map<std::string, std::string> attributes;

  [[nodiscard]] std::string operator[](const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::string{} : found->second;
  }
};

/// `text` is what stands between < and >.
Tag read_tag(std::string_view text) {
  std::size_t at = 0;
  const auto word = [&](auto ends) {
    const std::size_t begin = at;
    while (at < text.size() && !ends(text[at])) ++at;
    return text.substr(begin, at - begin);
  };
  Tag tag{lower(word(is_space)), {}};
  while (at < text.size()) {
    word([](char c) { return !is_space(c) && c != '/'; });
    const std::string name = lower(word([](char c) { return is_space(c) || c == '='; }));
    std::string_view value;
    if (at < text.size() && text[at] == '=') {
      ++at;
      const char quote = at < text.size() ? text[at] : ' ';
      const bool quoted = quote == '"' || quote == '\'';
      if (quoted) ++at;
      value = word([&](char c) { return quoted ? c == quote : is_space(c); });
      if (quoted) ++at;
    }
    if (!name.empty()) tag.attributes.emplace(name, unescape(value));
  }
  return tag;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string part = tidy(std::string_view{text}.substr(at, end - at));
    if (!part.empty()) parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

/// Whether what stands beside links only parts them: `Home › Prices`, `Contact · Home`.
bool parts_links(std::string_view beside) {
  static constexpr std::array<std::string_view, 7> signs{"\u203A", "\u00BB", "\u2192", "\u00B7",
                                                         "\u2022", "/",      "|"};
  constexpr std::size_t most_words = 3;  // the page itself is no link
  const bool parts =
      std::ranges::any_of(signs, [&](auto sign) { return beside.find(sign) != beside.npos; });
  const auto all = words(beside);
  return parts && all.size() <= most_words && !has_figure(all);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

class Reader {
 public:
  Document read(std::string_view html) {
    for (std::size_t at = 0; at < html.size();) {
      const std::size_t open = std::min(html.find('<', at), html.size());
      text(html.substr(at, open - at));
      if (open == html.size()) break;
      if (html.substr(open, 4) == "<!--") {
        const std::size_t end = html.find("-->", open);
        at = end == html.npos ? html.size() : end + 3;
        continue;
      }
      const std::size_t close = std::min(html.find('>', open), html.size());
      const Tag read = read_tag(html.substr(open + 1, close - open - 1));
      tag(read);
      at = close + 1;
      // No tags are in there, whatever it looks like.
      if (is_one_of(read.name, {"script", "style"})) {
        const std::size_t end = std::min(html.find("</" + read.name, at), html.size());
        linked_data(html.substr(std::min(at, end), end - std::min(at, end)));
        at = end;
      }
    }
    end_row();
    end_block();
    return std::move(document_);
  }

 private:
  void text(std::string_view raw) {
    if (in_title_) document_.title += unescape(raw);
    if (silent_ > 0 || in_title_) return;
    block_ += unescape(raw);
    if (!in_link_) beside_links_ += unescape(raw);
  }

  void tag(const Tag& tag) {
    const bool ends = tag.name.starts_with('/');
    const std::string name = ends ? tag.name.substr(1) : tag.name;
    if (is_one_of(name, {"nav", "pre", "script", "style", "template", "select", "svg"})) {
      end_block();
      if (!ends) {
        ++silent_;
      } else if (silent_ > 0) {
        --silent_;
      }
    } else if (name == "title") {
      in_title_ = !ends;
      if (ends) document_.title = tidy(document_.title);
    } else if (is_one_of(name, {"h1", "h2", "h3", "h4", "h5", "h6"})) {
      if (ends) {
        heading_ = tidy(std::exchange(block_, {}));
      } else {
        end_block();
      }
    } else if (is_one_of(name, {"table", "tr", "td", "th"})) {
      table(name, ends);
    } else if (is_one_of(name, {"dl", "dt", "dd"}) && depth_ == 0) {
      definition(name, ends);
    } else if (is_one_of(name,
                         {"p",       "li",         "ul",      "ol",         "div",     "article",
                          "section", "blockquote", "figure",  "figcaption", "caption", "dl",
                          "dt",      "dd",         "main",    "header",     "footer",  "aside",
                          "address", "details",    "summary", "form",       "body",    "hr"})) {
      end_block();
    } else if (name == "time") {
      dated(1, tag["datetime"]);
    } else if (name == "br") {
      block_ += ' ';
    } else if (name == "a") {
      in_link_ = !ends && !tag["href"].empty();
      if (!in_link_) return;
      document_.links.push_back(tag["href"]);
      ++links_;
    } else if (name == "link" && lower(tag["rel"]) == "canonical") {
      document_.canonical = tag["href"];
    } else if (name == "meta") {
      meta(tag);
    }
  }

  /// The first of the most telling says it: when a page was changed, not when it was made.
  void dated(int telling, const std::string& text) {
    const auto date = date_in(text);
    if (!date || telling <= telling_) return;
    telling_ = telling;
    document_.date = *date;
  }

  /// What search engines are told: `"datePublished": "2025-03-01T09:00:00Z"`.
  void linked_data(std::string_view script) {
    for (const auto& [key, telling] :
         {std::pair{"\"dateModified\"", 4}, {"\"datePublished\"", 2}}) {
      const std::size_t at = script.find(key);
      if (at != script.npos) dated(telling, std::string{script.substr(at, 48)});
    }
  }

  void meta(const Tag& tag) {
    const std::string name = lower(tag["name"] + tag["property"]);
    if (is_one_of(name, {"date", "dc.date", "dcterms.date"}) && telling_ < 4) {
      telling_ = 3;
      document_.date = tag["content"];
    }
    if (is_one_of(name, {"dcterms.modified", "article:modified_time", "last-modified"})) {
      dated(4, tag["content"]);
    }
    if (is_one_of(name, {"dcterms.created", "article:published_time"})) dated(2, tag["content"]);
    if (name == "keywords") document_.tags = split_at_commas(tag["content"]);
  }

  /// A row of links leads to other pages and says nothing itself.
  void end_block() {
    if (in_cell_) {
      block_ += ' ';  // a paragraph within a cell
      return;
    }
    std::string text = tidy(std::exchange(block_, {}));
    const std::string beside = tidy(std::exchange(beside_links_, {}));
    const std::size_t links = std::exchange(links_, 0);
    const bool only_links = (links > 1 && beside.empty()) || (links > 0 && parts_links(beside));
    if (!text.empty() && !only_links) {
      document_.passages.push_back({heading_, std::move(text), {}, false});
    }
  }

  /// A table within a cell is text of that cell. Cells of one column are paragraphs: such a table
  /// is for the layout.
  void table(const std::string& name, bool ends) {
    if (name == "table") {
      depth_ = ends ? std::max(0, depth_ - 1) : depth_ + 1;
      if (depth_ == (ends ? 0 : 1)) {
        end_row();
        end_block();
        columns_.clear();
      }
    }
    if (depth_ != 1) {
      block_ += ' ';
    } else if (name == "tr") {
      end_row();
    } else if (name != "table") {
      end_cell();
      in_cell_ = !ends;
      heads_ += !ends && name == "th" ? 1U : 0U;
    }
  }

  /// A term and what is said of it are a row.
  void definition(const std::string& name, bool ends) {
    if (name == "dd" || (name == "dt" && ends)) {
      end_cell();
    } else {
      end_row();
      columns_.clear();
    }
    in_cell_ = !ends && name != "dl";
  }

  void end_cell() {
    std::string text = tidy(std::exchange(block_, {}));
    if (std::exchange(in_cell_, false)) {
      cells_.push_back(std::move(text));
    } else if (!text.empty()) {
      document_.passages.push_back({heading_, std::move(text), {}, false});
    }
  }

  void end_row() {
    end_cell();
    const std::vector<std::string> cells = std::exchange(cells_, {});
    const bool head = std::exchange(heads_, 0) == cells.size() && cells.size() > 1;
    std::string row;
    bool empty = true;
    for (const std::string& cell : cells) {
      row += (&cell == cells.data() ? "" : " | ") + cell;
      empty = empty && cell.empty();
    }
    if (empty) return;
    if (head) {
      columns_ = std::move(row);
    } else {
      const bool one = cells.size() == 1;
      document_.passages.push_back({heading_, std::move(row), one ? "" : columns_, !one});
    }
  }

  Document document_;
  std::string heading_;
  std::string block_;
  std::vector<std::string> cells_;  ///< of the row that is being read
  std::string columns_;
  std::size_t heads_ = 0;  ///< cells of the row that are `th`
  int depth_ = 0;          ///< of tables in tables
  bool in_cell_ = false;
  bool in_link_ = false;
  std::size_t links_ = 0;     ///< in the block
  std::string beside_links_;  ///< its text that is in no link
  bool in_title_ = false;
  int silent_ = 0;
  int telling_ = 0;  ///< how much the source of the date tells
};

}  // namespace

Document read_html(std::string_view html) { return Reader{}.read(html); }

}  // namespace research
