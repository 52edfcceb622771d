#include "insights/csv_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <new>
#include <regex>
#include <set>
#include <string_view>

#include <csv.h>
#include <fmt/format.h>

#include "text/charset.hpp"

namespace insights {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>{in}, {});
  } catch (const std::ios_base::failure&) {  // a folder opens, and cannot be read
    in.setstate(std::ios::badbit);
  }
  if (!in.is_open() || in.bad()) throw ReadingsError(path.string() + ": cannot be opened");
  return ::text::to_utf8(std::move(text));
}

/// Of comma, semicolon and tab the one that the first line has most of.
char separator_of(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  char best = ',';
  for (const char c : {';', '\t'}) {
    if (std::ranges::count(head, c) > std::ranges::count(head, best)) best = c;
  }
  return best;
}

/// What libcsv's callbacks fill in.
struct Filling {
  std::vector<CsvRow> rows;
  CsvRow row;

  static void cell(void* bytes, std::size_t size, void* self) {
    static_cast<Filling*>(self)->row.cells.emplace_back(static_cast<const char*>(bytes), size);
  }
  static void end(int /*terminator*/, void* self) {
    auto& filling = *static_cast<Filling*>(self);
    filling.rows.push_back(std::move(filling.row));
    filling.row = {};
  }
};

/// A parser of libcsv, freed at the end. Lines are handed to it one at a time, so that each row's
/// is known: libcsv does not count them, and drops empty ones.
class Parser {
 public:
  explicit Parser(char separator) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc{};
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  std::vector<CsvRow> read(std::string_view text, const std::string& name) {
    Filling filling;
    bool is_open = false;  // a quoted cell may go over several lines
    int line = 0;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t size = std::min(text.find('\n', from), text.size() - 1) + 1 - from;
      ++line;
      if (!is_open) filling.row.line = line;
      const std::size_t before = filling.rows.size();
      if (csv_parse(&parser_, text.data() + from, size, Filling::cell, Filling::end, &filling) !=
          size) {
        fail(name, line);
      }
      const bool is_blank = text.substr(from, size).find_first_not_of("\r\n") == text.npos;
      is_open = filling.rows.size() == before && (is_open || !is_blank);
      from += size;
    }
    if (csv_fini(&parser_, Filling::cell, Filling::end, &filling) != 0) fail(name, line);
    return std::move(filling.rows);
  }

 private:
  [[noreturn]] void fail(const std::string& name, int line) {
    const int error = csv_error(&parser_);
    throw ReadingsError(fmt::format("{}:{}: {}", name, line,
                                    error == CSV_EPARSE
                                        ? "is not a table: a quotation mark is misplaced"
                                        : csv_strerror(error)));
  }
  csv_parser parser_{};
};

void check_header(const CsvFile& file) {
  const std::string name = file.path.string();
  std::set<std::string> seen;
  for (const std::string& column : file.header) {
    if (column.empty()) throw ReadingsError(name + ":1: a column has no name");
    if (!seen.insert(column).second) {
      throw ReadingsError(fmt::format("{}:1: two columns are called '{}'", name, column));
    }
  }
  if (file.header.size() < 2) {
    throw ReadingsError(name + ":1: is not a table: one column, separated by none of , ; and tab");
  }
}

}  // namespace

CsvFile read_csv(const std::filesystem::path& path) {
  const std::string text = bytes_of(path);
  if (text.find('\0') != std::string::npos) {
    const auto line = 1 + std::count(text.begin(), std::ranges::find(text, '\0'), '\n');
    throw ReadingsError(
        fmt::format("{}:{}: is not a table: it has a zero byte", path.string(), line));
  }
  CsvFile file{path, path.stem().string(), separator_of(text), {}, {}};
  std::vector<CsvRow> rows = Parser{file.separator}.read(text, path.string());
  if (rows.empty()) throw ReadingsError(path.string() + ":1: is not a table: it is empty");
  file.header = std::move(rows.front().cells);
  check_header(file);
  rows.erase(rows.begin());
  for (const CsvRow& row : rows) {
    if (row.cells.size() == file.header.size()) continue;
    throw ReadingsError(
        fmt::format("{}:{}: is not a row of the table: it has {} cells, the header {}",
                    path.string(), row.line, row.cells.size(), file.header.size()));
  }
  file.rows = std::move(rows);
  return file;
}

bool has_decimal_comma(const CsvFile& file, std::size_t column) {
  static const std::regex with_thousands{R"([^\d,]*[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?[^\d,]*)"};
  static const std::regex with_points{R"([^\d.]*[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?[^\d.]*)"};
  static const std::regex with_point{R"(-?\d+\.\d{1,2})"};
  constexpr std::size_t longest = 40;  // of a number: std::regex recurses with each character
  const auto matches = [](const std::string& cell, const std::regex& pattern) {
    return cell.size() <= longest && std::regex_match(cell, pattern);
  };
  const auto is_hundreds = [](const std::string& cell) {
    return cell.find_first_of(",.") == cell.npos && std::ranges::count_if(cell, is_digit) == 3;
  };
  const auto any_cell = [&](const auto& is_it) {
    return std::ranges::any_of(file.rows,
                               [&](const CsvRow& row) { return is_it(row.cells[column]); });
  };
  const auto all_with = [&](char mark, const std::regex& pattern) {
    return !any_cell([&](const std::string& cell) {
      return cell.find(mark) != cell.npos && !matches(cell, pattern);
    });
  };
  const auto has = [&](char mark) {
    return any_cell([&](const std::string& cell) { return cell.find(mark) != cell.npos; });
  };
  const bool has_hundreds = any_cell(is_hundreds);
  if (has_hundreds && has('.') && all_with('.', with_points)) return true;
  if (file.separator == ',' || !has(',')) return false;
  if (!all_with(',', with_thousands)) return true;
  return !has_hundreds && std::ranges::none_of(file.rows, [&](const CsvRow& row) {
    return std::ranges::any_of(row.cells,
                               [&](const std::string& cell) { return matches(cell, with_point); });
  });
}

}  // namespace insights
