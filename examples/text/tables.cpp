// libcsv reads what people call CSV; lines are handed to it one at a time, because it does not
// count them. yaml-cpp's nodes know their lines.
#include "text/tables.hpp"

#include <algorithm>
#include <new>

#include <csv.h>
#include <yaml-cpp/yaml.h>

#include "text/html.hpp"

namespace text {
namespace {

/// What libcsv's callbacks fill in.
struct CsvRows {
  std::vector<Table::Row> rows;
  Table::Row row;

  static void cell(void* bytes, std::size_t size, void* self) {
    const std::string_view text{static_cast<const char*>(bytes), size};
    static_cast<CsvRows*>(self)->row.cells.push_back(collapsed(text));
  }
  static void end(int /*terminator*/, void* self) {
    auto& filling = *static_cast<CsvRows*>(self);
    filling.rows.push_back(std::move(filling.row));
    filling.row = {};
  }
};

class CsvParser {
 public:
  explicit CsvParser(char separator) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc{};
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
  }
  ~CsvParser() { csv_free(&parser_); }
  CsvParser(const CsvParser&) = delete;
  CsvParser& operator=(const CsvParser&) = delete;

  /// @param line  the number of the text's first line
  std::vector<Table::Row> read(std::string_view text, int line) {
    CsvRows filling;
    for (std::size_t from = 0; from < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
      const auto part = text.substr(from, end - from);
      if (filling.row.cells.empty() && !is_open_) filling.row.line = line;
      const std::size_t before = filling.rows.size();
      if (csv_parse(&parser_, part.data(), part.size(), CsvRows::cell, CsvRows::end, &filling) !=
          part.size()) {
        fail(line);
      }
      const bool blank = part.find_first_not_of("\r\n") == part.npos;
      is_open_ = filling.rows.size() == before && (is_open_ || !blank);
      from = end;
    }
    if (csv_fini(&parser_, CsvRows::cell, CsvRows::end, &filling) != 0) fail(line - 1);
    return std::move(filling.rows);
  }

 private:
  [[noreturn]] static void fail(int line) {
    throw std::runtime_error{"line " + std::to_string(line) + ": a quotation mark is misplaced"};
  }

  csv_parser parser_{};
  bool is_open_ = false;  // a quoted cell may go over several lines
};

char separator_of(std::string_view header) {
  char best = ',';
  for (const char c : {';', '|', '\t'}) {
    if (std::ranges::count(header, c) > std::ranges::count(header, best)) best = c;
  }
  return best;
}

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + " / " + key;
}

/// A value as text; sites keep HTML in their data.
std::string plain(const std::string& value) {
  return value.find("</") == value.npos ? value : words_of_html(value);
}

void add_yaml(Document& document, const YAML::Node& node, const std::string& path, int depth = 0) {
  constexpr int deepest = 50;  // an alias may stand inside what it names
  if (depth > deepest) throw std::runtime_error{"it is nested too deeply"};
  const int line = node.Mark().line + 1;
  if (node.IsScalar())
    return add(document.passages, {path, {}, document.file, line}, node.Scalar());
  if (node.IsSequence()) {
    for (const YAML::Node& item : node) add_yaml(document, item, path, depth + 1);
  }
  if (!node.IsMap()) return;
  std::string fields;
  for (const auto& field : node) {
    if (!field.second.IsScalar() || field.second.Scalar().empty()) continue;
    fields +=
        (fields.empty() ? "" : "; ") + field.first.Scalar() + ": " + plain(field.second.Scalar());
  }
  if (!fields.empty()) {
    document.passages.push_back({path, collapsed(fields), document.file, line});
  }
  for (const auto& field : node) {
    if (!field.second.IsScalar()) {
      add_yaml(document, field.second, joined(path, field.first.Scalar()), depth + 1);
    }
  }
}

}  // namespace

std::string row_text(const std::vector<std::string>& header,
                     const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const bool named = i < header.size() && !header[i].empty();
    text += (text.empty() ? "" : "; ") + (named ? header[i] + ": " : "") + cells[i];
  }
  return text;
}

Table read_csv(const std::string& text) {
  Table table;
  std::string_view rest = text;
  int line = 1;
  for (; rest.starts_with('#') || rest.starts_with('\n') || rest.starts_with('\r'); ++line) {
    const auto note = rest.substr(0, rest.find('\n'));
    const auto words = collapsed(note.substr(std::min(note.find_first_not_of("# "), note.size())));
    if (!words.empty()) table.notes.push_back({line, {words}});
    rest.remove_prefix(std::min(note.size() + 1, rest.size()));
  }
  table.separator = separator_of(rest.substr(0, rest.find('\n')));
  table.rows = CsvParser{table.separator}.read(rest, line);
  if (table.rows.empty()) return table;
  table.header = std::move(table.rows.front().cells);
  table.rows.erase(table.rows.begin());
  return table;
}

void add_table(Document& document, Table table) {
  for (const auto& note : table.notes) {
    document.passages.push_back({table.title, note.cells.front(), document.file, note.line});
  }
  for (const auto& row : table.rows) {
    const std::string body = row_text(table.header, row.cells);
    if (body.empty()) continue;
    document.passages.push_back(
        {table.title, body, document.file, row.line, row_text({}, row.cells)});
  }
  document.tables.push_back(std::move(table));
}

void read_yaml(Document& document, const std::string& text) {
  for (const YAML::Node& node : YAML::LoadAll(text)) add_yaml(document, node, {});
}

}  // namespace text
