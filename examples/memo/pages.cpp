#include "memo/pages.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>
#include <vector>

#include "memo/columns.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

using Lines = std::vector<std::string_view>;

/// A paragraph or an item of a page, with all its lines, or Markdown.
struct Piece {
  enum class Kind { text, item, numbered, section, markdown };

  Kind kind = Kind::text;
  std::string text;
  bool apart = false;  ///< a blank line stands before it
};

bool is_item(const Piece& piece) {
  return piece.kind == Piece::Kind::item || piece.kind == Piece::Kind::numbered;
}

bool is_a_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool ends_with_one_of(std::string_view text, std::string_view marks) {
  return !text.empty() && marks.find(text.back()) != npos;
}

bool is_closed(std::string_view text) { return ends_with_one_of(text, ".!?:;"); }

std::size_t indent_of(std::string_view line) { return line.find_first_not_of(' '); }

/// Tabs and no-break spaces as blanks, without carriage returns.
std::string with_blanks(std::string_view text) {
  constexpr std::size_t tab = 8;
  std::string out;
  std::size_t begin = 0;  // of the line
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\t') {
      out.append(tab - width_of(std::string_view{out}.substr(begin)) % tab, ' ');
    } else {
      out += c;
    }
    if (c == '\n' || c == '\f') begin = out.size();
  }
  return replace_all(std::move(out), "\u00a0", " ");
}

std::vector<Lines> pages_of(std::string_view text) {
  std::vector<Lines> pages;
  while (!text.empty()) {
    const auto end = text.find('\f');
    auto& page = pages.emplace_back();
    for (const auto line : lines(text.substr(0, end))) {
      if (!page.empty() || !trim(line).empty()) page.push_back(line);
    }
    while (!page.empty() && trim(page.back()).empty()) page.pop_back();
    if (page.empty()) pages.pop_back();
    text.remove_prefix(end == npos ? text.size() : end + 1);
  }
  return pages;
}

/// The words of a line, without figures and white space.
std::string mould_of(std::string_view line) {
  std::string mould;
  for (const char c : line) {
    if (c != ' ' && !is_a_digit(c)) mould += c;
  }
  return mould;
}

/// Takes out the first and last lines that most pages have, at least three; so are their numbers.
void drop_running_lines(std::vector<Lines>& pages) {
  constexpr std::size_t fewest = 3;
  std::map<std::string, std::size_t> seen;
  for (const Lines& page : pages) {
    ++seen[mould_of(page.front())];
    if (page.size() > 1) ++seen[mould_of(page.back())];
  }
  const auto runs = [&](std::string_view line) {
    const auto times = seen[mould_of(line)];
    return times >= fewest && 2 * times > pages.size();
  };
  for (std::size_t i = 0; i < pages.size(); ++i) {
    Lines& page = pages[i];
    if (page.size() > 1 && runs(page.back())) page.pop_back();
    const bool title = i == 0 && std::ranges::none_of(page.front(), is_a_digit);
    if (!title && page.size() > 1 && runs(page.front())) page.erase(page.begin());
  }
}

/// Length of `2. ` or `(2) ` at the head of a line, 0 if there is none.
std::size_t number_length(std::string_view line) {
  const std::size_t open = line.starts_with('(') ? 1 : 0;
  const auto end = line.find_first_not_of("0123456789", open);
  if (end == npos || end == open || end > open + 2) return 0;
  const auto mark = line.substr(end);
  if (!mark.starts_with(") ") && (open > 0 || !mark.starts_with(". "))) return 0;
  const auto text = line.find_first_not_of(' ', end + 1);
  return text == npos ? 0 : text;
}

/// Length of `2.1 ` or `2.1. ` at the head of a line, 0 if there is none.
std::size_t section_length(std::string_view line) {
  const auto end = line.find(' ');
  const auto number = line.substr(0, end);
  const bool levels = end != npos && is_a_digit(line[0]) &&
                      number.find_first_not_of("0123456789.") == npos &&
                      std::ranges::count(number.substr(0, end - 1), '.') > 0;
  const auto text = levels ? line.find_first_not_of(' ', end) : npos;
  return text != npos && std::isupper(static_cast<unsigned char>(line[text])) != 0 ? text : 0;
}

/// Whether the last word or mark asks for more behind it.
bool calls_for_more(std::string_view text) {
  static constexpr std::array<std::string_view, 16> words{"a",    "an",  "and", "at",  "by", "for",
                                                          "from", "in",  "of",  "on",  "or", "our",
                                                          "per",  "the", "to",  "with"};
  const auto last = text.substr(text.rfind(' ') + 1);
  return ends_with_one_of(text, ",(&/") || std::ranges::find(words, last) != words.end();
}

/// Whether `text` can name what stands below it.
bool can_name(std::string_view text, std::size_t most_words) {
  constexpr std::size_t longest = 60;
  const bool letter =
      std::ranges::any_of(text, [](char c) { return !is_a_digit(c) && is_word(c); });
  return letter && width_of(text) <= longest && words_in(text) <= most_words &&
         !begins_small(text) && !ends_with_one_of(text, ".,;!") && text.find(": ") == npos;
}

/// A few short lines that stand beside others tell about their first: `Ada Byron: CEO, two exits`.
std::vector<Piece> as_card(std::vector<Piece> column) {
  constexpr std::size_t most = 4;
  const bool lines = column.size() > 1 && column.size() <= most &&
                     std::ranges::all_of(column, [](const Piece& piece) {
                       return piece.kind == Piece::Kind::text && can_name(piece.text, 12);
                     });
  if (!lines) return column;
  Piece card = column[0];
  for (std::size_t i = 1; i < column.size(); ++i) {
    card.text += (i == 1 ? ": " : ", ") + column[i].text;
  }
  return {std::move(card)};
}

/// Collects the lines of a page into pieces.
class PageReader {
 public:
  explicit PageReader(const Lines& page) : page_(page) { look_for_prose(); }

  std::vector<Piece> read() {
    for (std::size_t at = 0; at < page_.size();) {
      if (const Columns columns = columns_at(page_, at); columns.lines > 0) {
        add(columns);
        at += columns.lines;
      } else {
        add(page_[at++]);
      }
    }
    return std::move(pieces_);
  }

 private:
  /// In prose most lines are full, and a third of them begins inside a sentence.
  void look_for_prose() {
    std::size_t small = 0;
    for (const auto line : page_) {
      widest_ = std::max(widest_, width_of(line));
      small += begins_small(trim(line)) ? 1U : 0U;
    }
    prose_ = 3 * small >= page_.size();
  }

  void add(std::string_view line) {
    const auto words = trim(line);
    if (words.empty()) {
      blank_ = true;
      return;
    }
    const bool table =
        words.find('|') != npos || words.starts_with('#') || words.starts_with("```");
    const auto bullet = bullet_length(words);
    const auto number = number_length(words);
    if (table) {
      begin(Piece::Kind::markdown, std::string{words} + '\n');
    } else if (bullet > 0) {
      begin(Piece::Kind::item, std::string{words.substr(bullet)});
      item_indent_ = indent_of(line);
    } else if (number > 0) {
      begin(Piece::Kind::numbered, std::string{words.substr(number)});
      item_indent_ = indent_of(line);
    } else if (const auto section = section_length(words); section > 0 && !goes_on(line)) {
      begin(Piece::Kind::section, std::string{words.substr(section)});
    } else if (goes_on(line)) {
      auto& text = pieces_.back().text;
      text += text.ends_with('-') ? "" : " ";
      text += words;
    } else {
      begin(Piece::Kind::text, std::string{words});
    }
    blank_ = false;
    full_ = width_of(line) * 100 >= widest_ * 85;
  }

  void add(const Columns& columns) {
    if (is_table(columns)) {
      begin(Piece::Kind::markdown, markdown_of(columns));
      blank_ = false;
      return;
    }
    for (std::size_t c = 0; c < columns.rows.front().size(); ++c) {
      Lines column;
      for (const auto& row : columns.rows) column.push_back(row[c]);
      for (auto& piece : as_card(PageReader{column}.read())) pieces_.push_back(std::move(piece));
    }
    blank_ = true;
  }

  void begin(Piece::Kind kind, std::string text) {
    pieces_.push_back({kind, std::move(text), std::exchange(blank_, false)});
  }

  [[nodiscard]] bool goes_on(std::string_view line) const {
    if (pieces_.empty() || blank_ || pieces_.back().kind == Piece::Kind::markdown) return false;
    const Piece& before = pieces_.back();
    if (is_item(before) && indent_of(line) > item_indent_ + 1) return true;
    if (is_closed(before.text)) return false;
    return begins_small(trim(line)) || calls_for_more(before.text) || (prose_ && full_);
  }

  const Lines& page_;
  std::vector<Piece> pieces_;
  std::size_t widest_ = 0;
  std::size_t item_indent_ = 0;
  bool prose_ = false;
  bool full_ = false;   ///< the line before reaches about as far as any
  bool blank_ = false;  ///< the line before is
};

/// Whether a line without a mark before it names the list, the table or the longer lines below it.
bool is_heading(const std::vector<Piece>& page, std::size_t at) {
  const Piece& piece = page[at];
  const Piece* next = at + 1 < page.size() ? &page[at + 1] : nullptr;
  if (piece.kind == Piece::Kind::section) return can_name(piece.text, 8);
  if (piece.kind == Piece::Kind::numbered) {
    const auto listed = [&](std::size_t i) {
      return i < page.size() && page[i].kind == Piece::Kind::numbered;
    };
    const bool alone = !listed(at + 1) && !listed(at - 1);
    return alone && next != nullptr && (at == 0 || piece.apart) && can_name(piece.text, 6);
  }
  if (piece.kind != Piece::Kind::text) return false;
  if (at == 0) return can_name(piece.text, 8);
  if (next == nullptr || !can_name(piece.text, 5)) return false;
  if (piece.text.ends_with(':')) return true;
  if (next->kind == Piece::Kind::numbered) return !next->apart;
  if (next->kind != Piece::Kind::text) return next->kind != Piece::Kind::section;
  const bool figure = std::ranges::any_of(piece.text, is_a_digit);
  return can_name(piece.text, 4) && !figure && piece.text.find(',') == npos &&
         words_in(next->text) >= 5 && width_of(next->text) > 2 * width_of(piece.text);
}

/// A heading that tells something is a statement, too.
bool tells(std::string_view heading) {
  return words_in(heading) > 4 || std::ranges::any_of(heading, is_a_digit);
}

std::string item(const std::string& text) {
  const bool open = sentences(text).size() > 1 && (is_word(text.back()) || text.ends_with(')'));
  return "- " + text + (open ? ".\n" : "\n");
}

std::string markdown_of(const std::vector<Piece>& page, bool first) {
  std::string out;
  for (std::size_t at = 0; at < page.size(); ++at) {
    const Piece& piece = page[at];
    if (is_heading(page, at)) {
      std::string title = piece.text;
      if (title.ends_with(':')) title.pop_back();
      out += std::string{out.empty() && first ? "# " : "\n## "} + title + "\n\n";
      if (tells(title)) out += item(title);
    } else if (piece.kind == Piece::Kind::markdown) {
      out += (piece.apart || !out.ends_with('\n') ? "\n" : "") + piece.text;
    } else {
      out += item(piece.text);
    }
  }
  return out + '\n';
}

/// Whether a page begins inside a sentence of the one before.
bool goes_on(const std::vector<Piece>& before, const std::vector<Piece>& page) {
  constexpr std::size_t sentence = 8;  // words
  const auto& last = before.back();
  return last.kind != Piece::Kind::markdown && !is_closed(last.text) &&
         words_in(last.text) >= sentence && page.front().kind == Piece::Kind::text &&
         begins_small(page.front().text);
}

}  // namespace

std::string markdown_of_pages(std::string_view text) {
  const std::string clean = with_blanks(text);
  auto pages = pages_of(clean);
  for (int time = 0; time < 2; ++time) drop_running_lines(pages);  // a number below a name
  std::vector<std::vector<Piece>> read;
  for (const Lines& page : pages) {
    auto pieces = PageReader{page}.read();
    if (!read.empty() && goes_on(read.back(), pieces)) {
      read.back().back().text += ' ' + pieces.front().text;
      pieces.erase(pieces.begin());
    }
    if (!pieces.empty()) read.push_back(std::move(pieces));
  }
  std::string out;
  for (const auto& pieces : read) out += markdown_of(pieces, out.empty());
  return out;
}

}  // namespace memo
