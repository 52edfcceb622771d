#include "insights/readings.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/children.hpp"
#include "insights/columns.hpp"
#include "insights/dating.hpp"
#include "insights/lookup.hpp"
#include "insights/shapes.hpp"
#include "insights/spellings.hpp"
#include "insights/unfold.hpp"
#include "insights/usual.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_beside = 3;
constexpr std::size_t fewest_beside = 10;  // rows in the window

bool is_table(const fs::path& path) {
  const std::string ending = slug(path.extension().string());
  return ending == "csv" || ending == "tsv";
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {path};
  std::vector<fs::path> files;
  for (fs::directory_iterator at{path, error}, end; !error && at != end; at.increment(error)) {
    if (is_table(at->path())) files.push_back(at->path());
  }
  if (error) {
    throw ReadingsError(fmt::format("{}: cannot be opened: {}", path.string(), error.message()));
  }
  if (files.empty()) throw ReadingsError(path.string() + ": has no .csv and no .tsv file");
  std::ranges::sort(files);
  return files;
}

/// Whether a file's name is the system's, or begins with it: `sales`, `sales-2025`.
bool is_named(const Table& table, const std::string& system) {
  if (system.find_first_of("/\\") != system.npos) return false;  // no path, a name
  const std::string file = slug(table.name);
  const std::string wanted = slug(system);
  return !wanted.empty() && (file == wanted || file.starts_with(wanted + "-"));
}

/// The category that has the value; nullptr when none has.
const Column* split_by(const Table& table, const std::string& system) {
  for (const Column& column : table.columns) {
    if (std::ranges::find(column.words, system) != column.words.end()) return &column;
  }
  return nullptr;
}

Table only(Table table, const Column& column, const std::string& system) {
  std::vector<bool> keep;
  for (const std::string& word : column.words) keep.push_back(is_spelt_alike(word, system));
  keep_rows(table, keep);
  return table;
}

bool has_same_columns(const Table& a, const Table& b) {
  return a.time == b.time && std::ranges::equal(a.columns, b.columns, [](const auto& x, auto& y) {
           return x.name == y.name && x.unit == y.unit && x.kind == y.kind;
         });
}

std::string known_systems(const std::vector<Table>& tables) {
  std::vector<std::string> all;
  for (const Table& table : tables) {
    for (const Column& column : table.columns) {
      const std::set<std::string> values{column.words.begin(), column.words.end()};
      if (values.empty() || values.size() > 20) continue;
      all.push_back(fmt::format("{}: {}", column.name, fmt::join(values, ", ")));
    }
  }
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  all.push_back(fmt::format("by file: {}", fmt::join(names, ", ")));
  return fmt::format("{}", fmt::join(all, "; "));
}

/// The tables that speak of the system, those of normals apart.
struct Chosen {
  std::vector<Table> tables;
  std::vector<Table> normals;
  std::vector<Table> others;  ///< that do not name it
  std::vector<std::string> left_out;
};

Chosen choose(const std::vector<Table>& tables, const std::string& system) {
  Chosen chosen;
  for (const Table& table : tables) {
    const Column* split = split_by(table, system);
    const bool named = is_named(table, system);
    if (split == nullptr && !named) {
      chosen.others.push_back(table);
    } else {
      auto& to = is_normals(table) ? chosen.normals : chosen.tables;
      to.push_back(split != nullptr ? only(table, *split, system) : table);
    }
  }
  if (chosen.tables.empty()) chosen.tables.swap(chosen.normals);
  return chosen;
}

/// The table with most rows, and the rows of others that have the same columns.
Table joined(Chosen& chosen) {
  auto& tables = chosen.tables;
  std::ranges::stable_sort(tables, std::ranges::greater{}, &Table::rows);
  Table all = std::move(tables.front());
  for (auto table = tables.begin() + 1; table != tables.end(); ++table) {
    if (has_same_columns(all, *table)) {
      append(all, *table);
    } else {
      chosen.others.push_back(std::move(*table));
    }
  }
  return all;
}

void set_window(Table& table, int days) {
  if (table.moments.empty()) return;
  const Moment begin = day_of(table.moments.back()) - Moment{days - 1} * day_length;
  const auto first = std::ranges::lower_bound(table.moments, begin) - table.moments.begin();
  const auto history = std::min<std::ptrdiff_t>(first, most_history);
  std::vector<bool> keep(table.rows(), true);
  std::fill(keep.begin(), keep.begin() + (first - history), false);
  keep_rows(table, keep);
  table.first = history;
}

bool has_column_of(const Table& a, const Table& b) {
  return std::ranges::any_of(a.columns, [&](const Column& column) {
    return column.kind == Column::Kind::number && !column.is_count && b.has_numbers(column.name);
  });
}

/// Takes those of the other tables whose rows belong to rows of the job's table, with what these
/// are, and puts them first; their files.
std::set<std::string> find_children(const Readings& readings, const std::vector<CsvFile>& lists,
                                    std::vector<Table>& others, const std::string& prompt) {
  std::set<std::string> children;
  if (!is_named(readings.table, readings.system_id)) return children;
  for (const CsvFile& parent : lists) {
    const std::string name = parent.path.filename().string();
    if (std::ranges::find(readings.table.files, name) == readings.table.files.end()) continue;
    for (const CsvFile& child : lists) {
      const std::string file = child.path.filename().string();
      const auto other = std::ranges::find_if(
          others, [&](const Table& one) { return one.files[0] == file && !one.moments.empty(); });
      const auto key = other == others.end() ? std::nullopt : key_to(parent, child);
      if (!key || !children.insert(file).second) continue;
      *other = table_of_child(child, parent, *key, prompt);
    }
  }
  std::ranges::stable_partition(others,
                                [&](const Table& one) { return children.contains(one.files[0]); });
  return children;
}

/// What others say of the same time stands beside the readings; tables with one of their columns
/// speak of another system. What belongs to their rows may come long after the last of these.
void put_beside(Readings& readings, std::vector<Table>& others,
                const std::set<std::string>& children) {
  const Table& table = readings.table;
  for (Table& other : others) {
    const std::string file = other.files[0];
    const bool is_child = children.contains(file);
    const bool has_room = readings.beside.size() < most_beside;
    if (has_room && other.moments.empty() && other.files == table.files) {
      finish(other);
      readings.beside.push_back(std::move(other));
      continue;
    }
    if (has_room && !table.moments.empty() && !other.moments.empty() && !is_normals(other) &&
        (is_child || !has_column_of(other, table))) {
      const Moment from = day_of(table.moments[static_cast<std::size_t>(table.first)]);
      const Moment to = day_of(table.moments.back()) + day_length;
      finish(other);
      std::vector<bool> keep;
      for (const Moment moment : other.moments)
        keep.push_back(moment >= from && (is_child || moment < to));
      keep_rows(other, keep);
      if (other.rows() >= fewest_beside) {
        readings.beside.push_back(std::move(other));
        continue;
      }
    }
    readings.left_out.push_back(file + ": it does not name the system");
  }
}

/// The order of the numbers in dates with slashes, if the files that show one show the same.
Slashes common_order(const std::vector<CsvFile>& files) {
  std::set<Slashes> orders;
  for (const CsvFile& file : files) {
    for (std::size_t column = 0; column < file.header.size(); ++column) {
      std::vector<std::string> cells;
      for (const CsvRow& row : file.rows) {
        if (std::ranges::count(row.cells[column], '/') == 2) cells.push_back(row.cells[column]);
      }
      if (!cells.empty()) orders.insert(slashes_of(cells));
    }
  }
  orders.erase(Slashes::unknown);
  return orders.size() == 1 ? *orders.begin() : Slashes::unknown;
}

}  // namespace

Readings load_readings(const fs::path& path, const std::string& system_id, int window_days,
                       const std::string& prompt) {
  std::vector<Table> tables;
  std::vector<CsvFile> lists;  // that could say what values of the others stand for
  for (const fs::path& file : files_of(path)) lists.push_back(dated(read_csv(file)));
  const Slashes order = common_order(lists);
  for (CsvFile& csv : lists) {
    csv.slashes = order;
    for (CsvFile& table : unfolded(csv)) {
      table.slashes = order;
      tables.push_back(table_of(table, prompt));
    }
  }
  Chosen chosen = choose(tables, system_id);
  if (chosen.tables.empty()) {
    throw ReadingsError(fmt::format("there are no readings of '{}' in {}; there are those of {}",
                                    system_id, path.string(), known_systems(tables)));
  }
  Readings readings{system_id, joined(chosen), {}, {}, {}};
  settle_spellings(readings.table);  // lists name the common ones
  for (const CsvFile& list : lists) {
    const std::string file = list.path.filename().string();
    const bool own = std::ranges::find(readings.table.files, file) != readings.table.files.end();
    if (own || !look_up(readings.table, list)) continue;
    // A list with dates also stands beside the table.
    std::erase_if(chosen.others, [&](const Table& other) {
      return other.files[0] == file && other.moments.empty();
    });
  }
  const auto children = find_children(readings, lists, chosen.others, prompt);
  finish(readings.table);
  set_window(readings.table, window_days);
  for (const Table& normals : chosen.normals) add_usual(readings, normals);
  put_beside(readings, chosen.others, children);
  return readings;
}

}  // namespace insights
