#include "memo/columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/table.hpp"

namespace memo {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t most_blank_lines = 2;  // between two rows

bool is_tail(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool holds_numeral(std::string_view text) { return text.find_first_of("0123456789") != npos; }

bool is_dash(std::string_view text) {
  return text.starts_with('-') || text.starts_with("–") || text.starts_with("—");
}

/// A letter for each character of `line` that is not blank; so is the gap behind a bullet.
std::string inked(std::string_view line) {
  std::string ink;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool apart = ink.empty() || ink.back() == ' ';
    const auto marker = apart ? bullet_length(line.substr(at)) : 0;
    const bool none = is_dash(line.substr(at)) && at > line.find_first_not_of(' ');  // in a cell
    if (marker > 0 && !none) {
      ink.append(width_of(line.substr(at, marker)), 'x');
      at += marker - 1;
    } else if (!is_tail(line[at])) {
      ink += line[at] == ' ' ? ' ' : 'x';
    }
  }
  return ink.substr(0, ink.find_last_not_of(' ') + 1);
}

/// Where a column begins and ends, in characters.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Span> spans_in(std::string_view ink) {
  std::vector<Span> spans;
  for (std::size_t at = ink.find('x'); at != npos; at = ink.find('x', at)) {
    const auto end = std::min(ink.find("  ", at), ink.size());
    spans.push_back({at, end});
    at = end;
  }
  return spans;
}

std::string both(std::string one, std::string_view other) {
  one.resize(std::max(one.size(), other.size()), ' ');
  for (std::size_t at = 0; at < other.size(); ++at) {
    if (other[at] != ' ') one[at] = 'x';
  }
  return one;
}

std::string cell_at(std::string_view line, Span span) {
  std::string cell;
  std::size_t place = 0;
  for (const char c : line) {
    if (!is_tail(c)) ++place;
    if (place > span.begin && place <= span.end) cell += c;
  }
  return cell.substr(0, cell.find_last_not_of(' ') + 1);
}

/// `2024`, `FY24`, `Q1 2025`: a figure that names a column.
bool names_a_column(std::string_view cell) {
  if (!holds_numeral(cell)) return true;
  const auto figure = cell.find_first_of("0123456789");
  const auto end = std::min(cell.find_first_not_of("0123456789", figure), cell.size());
  const bool year = end - figure == 4 && (cell[figure] == '1' || cell[figure] == '2') &&
                    (end == cell.size() || cell[end] == ' ' || end + 1 == cell.size());
  const bool word = std::isalpha(static_cast<unsigned char>(cell[0])) != 0;
  const bool bare = std::ranges::all_of(amounts_in(cell), &std::string::empty, &Amount::unit);
  return year || (word && bare);
}

bool has_header(const std::vector<Row>& rows) {
  const Row& head = rows.front();
  const auto rest = std::ranges::subrange(rows.begin() + 1, rows.end());
  if (head.size() == 2) {
    return !holds_numeral(head[1]) &&
           std::ranges::all_of(rest, [](const Row& row) { return holds_numeral(row[1]); });
  }
  return std::all_of(head.begin() + 1, head.end(), names_a_column);
}

/// Whether a line belongs to the row above it: its first cell is empty, or the only one and small.
bool is_rest(const Row& line) {
  const bool only =
      std::all_of(line.begin() + 1, line.end(), [](const auto& c) { return c.empty(); });
  return line[0].empty() || (only && begins_small(trim(line[0])));
}

std::vector<Row> joined_rows(const std::vector<Row>& lines) {
  std::vector<Row> rows;
  for (const Row& line : lines) {
    if (rows.empty() || !is_rest(line)) {
      rows.push_back(line);
      continue;
    }
    for (std::size_t c = 0; c < line.size(); ++c) {
      auto& cell = rows.back()[c];
      cell += (cell.empty() || line[c].empty() ? "" : " ") + line[c];
    }
  }
  for (Row& row : rows) {
    for (auto& cell : row) cell = plain(cell);
  }
  return rows;
}

bool begins_with_figure(std::string_view cell) {
  const auto figure = cell.find_first_of("0123456789");
  return figure != npos && std::ranges::none_of(cell.substr(0, figure), [](char c) {
           return c == ' ' || std::isalpha(static_cast<unsigned char>(c)) != 0;
         });
}

/// Names above or below their figures; empty for other rows.
std::string paired(const std::vector<Row>& rows) {
  if (rows.size() != 2) return {};
  const auto figures = std::ranges::find_if(
      rows, [](const Row& row) { return std::ranges::all_of(row, begins_with_figure); });
  if (figures == rows.end()) return {};
  const Row& names = figures == rows.begin() ? rows[1] : rows[0];
  if (std::ranges::any_of(names,
                          [](const auto& name) { return name.empty() || holds_numeral(name); })) {
    return {};
  }
  std::string out;
  for (std::size_t c = 0; c < names.size(); ++c)
    out += "- " + names[c] + ": " + (*figures)[c] + '\n';
  return out;
}

std::string as_items(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows) {
    std::string values;
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (!row[c].empty()) values += (values.empty() ? "" : ", ") + row[c];
    }
    out += "- " + row[0] + (row[0].empty() || values.empty() ? "" : ": ") + values + '\n';
  }
  return out;
}

/// Whether a line of one cell, below columns that have `ink`, belongs to them: in one of the later
/// columns, or in the first one, going on or before a line of several that has figures.
bool belongs(const std::vector<std::string_view>& all, std::size_t at, std::string_view ink) {
  if (begins_small(trim(all[at])) || inked(all[at]).find('x') >= spans_in(ink)[1].begin)
    return true;
  if (at + 1 >= all.size() || !holds_numeral(all[at + 1])) return false;
  const auto next = inked(all[at + 1]);
  return spans_in(next).size() > 1 && spans_in(both(std::string{ink}, next)).size() > 1;
}

}  // namespace

Columns columns_at(const std::vector<std::string_view>& all, std::size_t at) {
  std::string ink = inked(all[at]);
  if (spans_in(ink).size() < 2) return {};
  std::vector<std::size_t> taken{at};
  std::size_t several = 1;  // lines of several cells
  for (std::size_t i = at + 1; i < all.size() && i - taken.back() <= most_blank_lines + 1; ++i) {
    if (trim(all[i]).empty()) continue;
    const auto own = inked(all[i]);
    const auto together = both(ink, own);
    if (spans_in(together).size() < spans_in(ink).size()) break;
    const auto cells = spans_in(own).size();
    const bool blank = i > taken.back() + 1;
    if (blank && several > 1 && cells != spans_in(inked(all[taken.back()])).size()) break;
    const bool one = cells < 2;
    if (one && !belongs(all, i, ink)) break;
    ink = together;
    taken.push_back(i);
    several += one ? 0U : 1U;
  }
  if (several < 2) return {};
  Columns found{taken.back() - at + 1, {}};
  const auto spans = spans_in(ink);
  for (const auto i : taken) {
    auto& row = found.rows.emplace_back();
    for (const Span span : spans) row.push_back(cell_at(all[i], span));
  }
  return found;
}

bool is_table(const Columns& columns) {
  constexpr std::size_t longest = 40;
  constexpr std::size_t most_words = 7;
  std::size_t cells = 0;
  std::size_t long_ones = 0;
  for (const Row& row : columns.rows) {
    const bool goes_on = std::ranges::all_of(row, [](const auto& cell) {
      return begins_small(trim(cell)) && trim(cell).find(' ') != npos;
    });
    if (goes_on) return false;
    for (const auto& cell : row) {
      const auto words = trim(cell);
      if (words.size() > 1 && bullet_length(words) > 0) return false;
      cells += words.empty() ? 0U : 1U;
      long_ones += width_of(words) > longest || words_in(words) > most_words ? 1U : 0U;
    }
  }
  return long_ones * 6 < cells;
}

std::string markdown_of(const Columns& table) {
  const auto rows = joined_rows(table.rows);
  if (auto pairs = paired(rows); !pairs.empty()) return pairs;
  if (rows.size() < 2 || !has_header(rows)) return as_items(rows);
  return render({{}, {}, rows.front(), {rows.begin() + 1, rows.end()}, {}});
}

std::size_t bullet_length(std::string_view line) noexcept {
  static constexpr std::array<std::string_view, 25> bullets{
      "•", "◦", "●", "○", "■", "□", "▪", "▫", "‣", "⁃", "∙", "·", "►",
      "▶", "▸", "➢", "➤", "→", "✓", "✔", "-", "–", "—", "*", "o "};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(line[at]); };
  std::size_t end = 0;
  for (const auto bullet : bullets) end = line.starts_with(bullet) ? bullet.size() : end;
  const bool own_symbol =  // of a font, U+E000 to U+F8FF
      line.size() > 3 && (byte(0) == 0xEE || (byte(0) == 0xEF && byte(1) < 0xA4));
  if (own_symbol) end = 3;
  if (end == 0 || end >= line.size() || line[end] != ' ') return 0;
  const auto text = line.find_first_not_of(' ', end);
  return text == npos ? 0 : text;
}

std::size_t width_of(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !is_tail(c); }));
}

bool begins_small(std::string_view text) noexcept {
  return !text.empty() && std::islower(static_cast<unsigned char>(text[0])) != 0;
}

}  // namespace memo
