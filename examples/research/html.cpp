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

/// `Note`, `Warning:`: the label of an aside.
bool is_aside_label(std::string_view text) {
  const auto all = words(text);
  return all.size() == 1 && is_one_of(all[0], {"note", "tip", "hint", "warning", "caution",
                                               "important", "danger", "remark"});
}

/// What leads to a list: what stands behind the last sentence of a text that ends with a colon.
std::string lead_in_of(const std::string& text) {
  constexpr std::size_t most_words = 15;
  if (!text.ends_with(':')) return {};
  const auto all = sentences(text);
  const std::size_t at = all.empty() ? 0 : text.rfind(all.back()) + all.back().size();
  std::string lead_in = tidy(std::string_view{text}.substr(at));
  return words(lead_in).size() > most_words ? "" : lead_in;
}

std::string without_colon(std::string text) {
  while (text.ends_with(':')) text.pop_back();
  return text;
}

/// A cell of a table.
struct Cell {
  std::string text;
  bool is_link = false;  ///< it has links and nothing else
};

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
    end_table();
    end_block();
    end_definition();
    if (is_index()) document_.passages.clear();
    return std::move(document_);
  }

 private:
  void text(std::string_view raw) {
    if (in_title_) document_.title += unescape(raw);
    if (silent_ > 0 || in_title_ || struck_) return;
    block_ += unescape(raw);
    if (!in_link_) beside_links_ += unescape(raw);
  }

  void tag(const Tag& tag) {
    const bool ends = tag.name.starts_with('/');
    const std::string name = ends ? tag.name.substr(1) : tag.name;
    if (is_one_of(name, {"nav", "pre", "script", "style", "template", "select", "svg"})) {
      end_block();
      if (name == "pre" && !ends) leave_out_lead();
      if (!ends) {
        ++silent_;
      } else if (silent_ > 0) {
        --silent_;
      }
    } else if (is_one_of(name, {"del", "s", "strike"})) {
      struck_ = !ends;
    } else if (name == "title") {
      in_title_ = !ends;
      if (ends) document_.title = tidy(document_.title);
    } else if (is_one_of(name, {"h1", "h2", "h3", "h4", "h5", "h6"})) {
      heading(ends);
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
      if (name == "ol" || name == "ul") list(ends);
    } else if (name == "time") {
      dated(1, tag["datetime"]);
    } else if (name == "br") {
      block_ += ' ';
    } else if (name == "a") {
      const bool leads = !ends && !tag["href"].empty();
      in_link_ = leads || (!ends && !tag["onclick"].empty());
      if (leads) document_.links.push_back(tag["href"]);
      links_ += in_link_ ? 1U : 0U;
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

  void add(std::string text, std::string columns = {}, bool is_row = false) {
    document_.passages.push_back({heading_, std::move(text), std::move(columns), is_row, false});
  }
  void add_link(std::string text) {
    document_.passages.push_back({heading_, std::move(text), {}, false, true});
  }

  /// A table without columns that has headings is for the layout.
  void heading(bool ends) {
    if (!ends && in_cell_ && columns_.empty()) {
      end_table();
      depth_ = 0;
    }
    if (!ends || in_cell_ || in_definition_) return end_block();
    links_ = 0;
    beside_links_.clear();
    std::string text = tidy(std::exchange(block_, {}));
    if (!is_aside_label(text)) heading_ = std::move(text);
  }

  /// What leads to an example says nothing without it, unless it is a sentence.
  void leave_out_lead() {
    auto& all = document_.passages;
    const bool leads = !in_cell_ && !in_definition_ && !all.empty() && !all.back().is_row;
    if (leads && all.back().heading == heading_ && sentences(all.back().text).empty()) {
      all.pop_back();
    }
  }

  /// The words that lead to a list belong to each of its items.
  void list(bool ends) {
    const auto& all = document_.passages;
    if (ends) {
      if (!lead_ins_.empty()) lead_ins_.pop_back();
    } else if (!all.empty() && all.back().heading == heading_) {
      lead_ins_.push_back(lead_in_of(all.back().text));
    } else {
      lead_ins_.emplace_back();
    }
  }

  enum class Links { none, one, several };

  /// Whether the block that ends has links and nothing else: it leads to other pages and says
  /// nothing itself.
  Links take_links(const std::string& text) {
    const std::string beside = tidy(std::exchange(beside_links_, {}));
    const std::size_t links = std::exchange(links_, 0);
    if (text.empty()) return Links::none;
    const bool said = links == 0 || !sentences(text).empty();
    if (links > 0 && ((links > 1 && beside.empty()) || parts_links(beside))) return Links::several;
    if (beside.empty() && !said) return Links::one;
    ++(said ? others_ : entries_);
    return Links::none;
  }

  /// Entries such as `wheel, of oak, <a>The mill</a>` say where something is said.
  [[nodiscard]] bool is_index() const {
    constexpr std::size_t fewest = 20;
    return entries_ >= fewest && entries_ > others_;
  }

  void end_block() {
    if (in_cell_) {
      block_ += ' ';  // a paragraph within a cell
      return;
    }
    std::string text = tidy(std::exchange(block_, {}));
    const Links links = take_links(text);
    if (text.empty()) return;
    if (in_term_) {
      term_ += (term_.empty() ? "" : ", ") + text;
      is_term_link_ = links != Links::none;
    } else if (links == Links::several) {
      return;
    } else if (in_definition_) {
      said_.push_back(std::move(text));
    } else if (links == Links::one) {
      add_link(std::move(text));
    } else {
      add(std::move(text), lead_ins_.empty() ? "" : lead_ins_.back());
    }
  }

  /// A table within a cell is text of that cell.
  void table(const std::string& name, bool ends) {
    if (name == "table") {
      if (depth_ == (ends ? 1 : 0)) end_table();
      depth_ = ends ? std::max(0, depth_ - 1) : depth_ + 1;
    }
    if (depth_ == 0) {
      end_block();
    } else if (depth_ > 1) {
      block_ += ' ';
    } else if (name == "tr") {
      end_row();
    } else if (name != "table") {
      end_cell();
      in_cell_ = !ends;
      heads_ += !ends && name == "th" ? 1U : 0U;
    }
  }

  /// A term, or several terms, and what is said of it.
  void definition(const std::string& name, bool ends) {
    end_block();
    if (name == "dl" || (name == "dt" && !ends && !said_.empty())) end_definition();
    in_term_ = name == "dt" && !ends;
    in_definition_ = name == "dd" && !ends;
  }

  /// Of several paragraphs those that are no sentences lead to examples.
  void end_definition() {
    std::string term = without_colon(std::exchange(term_, {}));
    const bool is_link = std::exchange(is_term_link_, false);
    std::string all;
    const auto said = std::exchange(said_, {});
    for (const std::string& part : said) {
      const bool tells = said.size() == 1 || !sentences(part).empty();
      if (tells && !is_aside_label(part)) all += (all.empty() ? "" : " ") + part;
    }
    if (!all.empty()) {
      add(std::move(all), std::move(term));
    } else if (!term.empty()) {
      is_link ? add_link(std::move(term)) : add(std::move(term));
    }
  }

  void end_cell() {
    if (!std::exchange(in_cell_, false)) return end_block();
    std::string text = tidy(std::exchange(block_, {}));
    const bool is_link = take_links(text) != Links::none;
    cells_.push_back({std::move(text), is_link});
  }

  void end_row() {
    end_cell();
    std::vector<Cell> cells = std::exchange(cells_, {});
    const bool head = std::exchange(heads_, 0) == cells.size() && cells.size() > 1;
    if (std::ranges::all_of(cells, [](const Cell& one) { return one.text.empty(); })) return;
    if (columns_.empty() && !head) return rows_.push_back(std::move(cells));
    end_rows();
    const std::string row = joined(cells, " | ");
    if (head) {
      columns_ = row;
    } else {
      const bool one = cells.size() == 1;
      add(row, one ? "" : columns_, !one);
    }
  }

  static std::string joined(const std::vector<Cell>& cells, const char* between) {
    std::string text;
    for (const Cell& cell : cells) text += (&cell == cells.data() ? "" : between) + cell.text;
    return text;
  }

  /// Rows without columns: if most of their cells are links, they lead to other pages. The first
  /// cell of each names what the others are about, unless it is a text itself.
  void end_rows() {
    std::size_t links = 0;
    std::size_t all = 0;
    for (std::vector<Cell>& cells : rows_) {
      std::erase_if(cells, [](const Cell& one) { return one.text.empty(); });
      links += static_cast<std::size_t>(std::ranges::count_if(cells, &Cell::is_link));
      all += cells.size();
    }
    for (std::vector<Cell>& cells : std::exchange(rows_, {})) {
      if (links * 2 > all) continue;
      std::erase_if(cells, [](const Cell& one) { return is_aside_label(one.text); });
      if (cells.empty()) continue;
      if (cells.size() == 1 || !sentences(cells[0].text).empty()) {
        for (Cell& cell : cells) add(std::move(cell.text));
      } else {
        const std::string term = without_colon(cells[0].text);
        cells.erase(cells.begin());
        add(joined(cells, "; "), term);
      }
    }
  }

  void end_table() {
    end_row();
    end_rows();
    columns_.clear();
  }

  Document document_;
  std::string heading_;
  std::string block_;
  std::vector<Cell> cells_;              ///< of the row that is being read
  std::vector<std::vector<Cell>> rows_;  ///< of a table without columns
  std::string columns_;
  std::size_t heads_ = 0;  ///< cells of the row that are `th`
  int depth_ = 0;          ///< of tables in tables
  bool in_cell_ = false;
  std::vector<std::string> lead_ins_;  ///< of the lists that the text is in
  std::string term_;
  bool is_term_link_ = false;
  std::vector<std::string> said_;  ///< of the term
  bool in_term_ = false;
  bool in_definition_ = false;
  bool in_link_ = false;
  std::size_t links_ = 0;     ///< in the block
  std::string beside_links_;  ///< its text that is in no link
  std::size_t entries_ = 0;   ///< blocks with links that have no sentence
  std::size_t others_ = 0;
  bool in_title_ = false;
  bool struck_ = false;  ///< what was struck out holds no longer
  int silent_ = 0;
  int telling_ = 0;  ///< how much the source of the date tells
};

}  // namespace

Document read_html(std::string_view html) { return Reader{}.read(html); }

}  // namespace research
