#include "memo/records.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <csv.h>
#include <yaml-cpp/yaml.h>

#include "memo/markdown.hpp"

namespace memo {
namespace {

/// The text of a scalar, or of a list's scalars; deeper structure is left out.
std::string cell_of(const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  std::string cell;
  if (!node.IsSequence()) return cell;
  for (const auto& item : node) {
    if (item.IsScalar()) cell += (cell.empty() ? "" : ", ") + item.Scalar();
  }
  return cell;
}

std::size_t column_of(Rows& out, const std::string& field) {
  const auto found = std::ranges::find(out.columns, field);
  if (found == out.columns.end()) {
    out.columns.push_back(field);
    return out.columns.size() - 1;
  }
  return static_cast<std::size_t>(found - out.columns.begin());
}

void add_record(Rows& out, const YAML::Node& record) {
  auto& row = out.rows.emplace_back();
  for (const auto& field : record) {
    if (!field.first.IsScalar()) continue;
    const std::size_t column = column_of(out, field.first.Scalar());
    row.resize(std::max(row.size(), column + 1));
    row[column] = cell_of(field.second);
  }
}

/// The values of a record in one cell: `Ada Byron, president`.
std::string joined(const YAML::Node& record) {
  std::string cell;
  for (const auto& field : record) {
    const std::string value = cell_of(field.second);
    if (!value.empty()) cell += (cell.empty() ? "" : ", ") + value;
  }
  return cell;
}

/// Whether a list has an item of several words, which is a fact of its own.
bool lists_phrases(const YAML::Node& list) {
  constexpr std::ptrdiff_t few = 3;
  return list.IsSequence() && std::any_of(list.begin(), list.end(), [](const YAML::Node& item) {
           return std::ranges::count(cell_of(item), ' ') >= few;
         });
}

/// A row for each fact of a map and of the maps in it, under its key and those above it.
void add_facts(Rows& out, const std::string& above, const YAML::Node& map) {
  const auto add = [&](const std::string& item, const std::string& cell) {
    if (!cell.empty()) out.rows.push_back({item, cell});
  };
  for (const auto& field : map) {
    std::string item = above + (above.empty() ? "" : " ") + cell_of(field.first);
    std::ranges::replace(item, '_', ' ');
    if (field.second.IsMap()) {
      add_facts(out, item, field.second);
    } else if (field.second.IsSequence() && field.second.size() > 0 && field.second[0].IsMap()) {
      for (const auto& record : field.second) {
        if (record.IsMap()) add(item, joined(record));
      }
    } else if (lists_phrases(field.second)) {
      for (const auto& phrase : field.second) add(item, cell_of(phrase));
    } else {
      add(item, cell_of(field.second));
    }
  }
}

void pad(Rows& rows) {
  for (auto& row : rows.rows) row.resize(rows.columns.size());
}

/// How many of `c` a line has outside quotation marks.
std::ptrdiff_t count_outside(std::string_view line, char c) {
  std::ptrdiff_t count = 0;
  bool inside = false;
  for (const char one : line) {
    if (one == '"') inside = !inside;
    if (!inside && one == c) ++count;
  }
  return count;
}

/// How well a separator divides a table: in how many lines it stands as often as in most of those
/// that have it, and how often that is.
std::pair<std::ptrdiff_t, std::ptrdiff_t> regularity(std::string_view text, char separator) {
  std::map<std::ptrdiff_t, std::ptrdiff_t> sizes{{0, 0}};
  for (const auto line : lines(text)) {
    const auto count = count_outside(line, separator);
    if (count > 0) ++sizes[count];
  }
  const auto most = std::ranges::max_element(sizes, {}, [](const auto& one) {
    return std::pair{one.second, one.first};
  });
  return {most->second, most->first};
}

/// The separator that divides most lines alike; a title above them may have another one.
unsigned char separator_of(std::string_view text) {
  static constexpr std::string_view separators = ",;\t|";
  return static_cast<unsigned char>(std::ranges::max(
      separators, {}, [&](char separator) { return regularity(text, separator); }));
}

/// What libcsv's callbacks fill in.
struct CsvLines {
  std::vector<std::vector<std::string>> lines;
  bool in_line = false;
};

void take_cell(void* cell, std::size_t size, void* data) {
  auto& reading = *static_cast<CsvLines*>(data);
  if (!reading.in_line) reading.lines.emplace_back();
  reading.in_line = true;
  reading.lines.back().emplace_back(static_cast<const char*>(cell), size);
}

void end_line(int /*terminator*/, void* data) { static_cast<CsvLines*>(data)->in_line = false; }

/// A parser of libcsv, freed at the end.
class Parser {
 public:
  Parser(unsigned char separator, unsigned char options) {
    if (csv_init(&parser_, options) != 0) throw std::bad_alloc{};
    csv_set_delim(&parser_, separator);
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Whether all of `text` could be read.
  bool read(std::string_view text, CsvLines& reading) {
    done_ = csv_parse(&parser_, text.data(), text.size(), take_cell, end_line, &reading);
    return done_ == text.size() && csv_fini(&parser_, take_cell, end_line, &reading) == 0;
  }

  /// How much of the text could be read, in bytes.
  [[nodiscard]] std::size_t done() const noexcept { return done_; }

 private:
  csv_parser parser_{};
  std::size_t done_ = 0;
};

/// The line of the quotation mark that opens the last cell of `text`.
std::ptrdiff_t opening_line(std::string_view text) {
  std::size_t open = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '"') continue;
    inside = !inside;
    if (inside) open = at;
  }
  return std::ranges::count(text.substr(0, open), '\n') + 1;
}

/// People type tables by hand: a quotation mark inside a cell is then a character as any other. One
/// that is never closed is an error.
CsvLines read(std::string_view text) {
  const auto separator = separator_of(text);
  CsvLines strict;
  Parser parser{separator, CSV_STRICT | CSV_STRICT_FINI};
  if (parser.read(text, strict)) return strict;
  CsvLines lenient;
  const bool closed = std::ranges::count(text, '"') % 2 == 0;
  if (closed && Parser{separator, 0}.read(text, lenient)) return lenient;
  throw std::invalid_argument{"line " +
                              std::to_string(opening_line(text.substr(0, parser.done()))) +
                              ": a cell begins with a quotation mark and does not end with one"};
}

using CellLines = std::vector<std::vector<std::string>>;

/// How many cells most lines have.
std::size_t usual_size(const CellLines& all) {
  std::map<std::size_t, std::size_t> sizes;
  for (const auto& line : all) ++sizes[line.size()];
  const auto most = std::ranges::max_element(sizes, {}, [](const auto& one) { return one.second; });
  return most->first;
}

/// `# Sales, EUR thousand` as `Sales, EUR thousand`.
std::string joined_title(const std::vector<std::string>& line) {
  std::string title;
  for (const auto& cell : line) {
    if (!trim(cell).empty()) title += (title.empty() ? "" : ", ") + std::string{trim(cell)};
  }
  return title.substr(std::min(title.find_first_not_of("# "), title.size()));
}

/// `# as of May`, but not `# of customers`, nor the `#` above a column of numbers.
bool is_comment(std::string_view cell) {
  return cell.starts_with('#') && cell != "#" && !cell.starts_with("# of ");
}

/// The names of the columns: the first line that is no title or comment above them.
CellLines::const_iterator head_of(const CellLines& all) {
  const auto usual = usual_size(all);
  const auto found = std::ranges::find_if(
      all, [&](const auto& line) { return 2 * line.size() > usual && !is_comment(line.front()); });
  return found == all.end() ? all.begin() : found;
}

}  // namespace

Rows yaml_rows(const std::string& text) {
  Rows out;
  try {
    const YAML::Node root = YAML::Load(text);
    if (root.IsSequence()) {
      for (const auto& record : root) {
        if (record.IsMap()) add_record(out, record);
      }
    } else if (root.IsMap()) {
      out.columns = {"item", "value"};
      add_facts(out, "", root);
    }
  } catch (const YAML::Exception& error) {
    throw std::invalid_argument{error.what()};
  }
  pad(out);
  return out;
}

Rows csv_rows(std::string_view text) {
  static constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const CsvLines reading = read(text);
  Rows out;
  if (reading.lines.empty()) return out;
  const auto head = head_of(reading.lines);
  if (head != reading.lines.begin()) out.title = joined_title(reading.lines.front());
  out.columns = *head;
  out.rows.assign(head + 1, reading.lines.end());
  const auto is_alone = [](const auto& row) {
    return std::all_of(row.begin() + 1, row.end(), [](const auto& cell) { return cell.empty(); });
  };
  std::erase_if(out.rows,
                [&](const auto& row) { return is_alone(row) && is_comment(row.front()); });
  pad(out);
  return out;
}

}  // namespace memo
