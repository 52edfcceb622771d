// The library is not in here: what keeps a model's SQL from doing anything but reading.
#include "insights/database.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <ranges>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t most_work = 50'000'000;  // steps of SQLite's virtual machine
constexpr int look_every = 1'000;               // of them

constexpr std::array allowed_functions{
    "abs",         "acos",      "asin",      "atan",       "atan2",        "avg",
    "ceil",        "ceiling",   "char",      "coalesce",   "cos",          "count",
    "cume_dist",   "date",      "datetime",  "degrees",    "dense_rank",   "exp",
    "first_value", "floor",     "format",    "glob",       "group_concat", "hex",
    "ifnull",      "iif",       "instr",     "julianday",  "lag",          "last_value",
    "lead",        "length",    "like",      "likelihood", "likely",       "ln",
    "log",         "log10",     "log2",      "lower",      "ltrim",        "max",
    "min",         "mod",       "nth_value", "ntile",      "nullif",       "percent_rank",
    "pi",          "pow",       "power",     "printf",     "quote",        "radians",
    "rank",        "replace",   "round",     "row_number", "rtrim",        "sign",
    "sin",         "sqrt",      "strftime",  "substr",     "substring",    "sum",
    "tan",         "time",      "total",     "trim",       "trunc",        "typeof",
    "unicode",     "unixepoch", "unlikely",  "upper"};

int authorize(void* /*self*/, int action, const char* /*first*/, const char* second,
              const char* /*database*/, const char* /*trigger*/) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: {
      const bool is_allowed = std::ranges::any_of(
          allowed_functions, [&](const char* name) { return sqlite3_stricmp(name, second) == 0; });
      return is_allowed ? SQLITE_OK : SQLITE_DENY;
    }
    default: return SQLITE_DENY;
  }
}

/// SQLite asks its VFS for the time: this one says that it is the end of the readings.
class FixedClock {
 public:
  FixedClock() {
    static std::atomic<unsigned> count{0};
    name_ = fmt::format("readings-{}", count++);
    vfs_ = *sqlite3_vfs_find(nullptr);
    vfs_.zName = name_.c_str();
    vfs_.pAppData = this;
    vfs_.xCurrentTime = [](sqlite3_vfs* vfs, double* day) {
      *day = static_cast<double>(static_cast<FixedClock*>(vfs->pAppData)->ms) / 86'400'000.0;
      return SQLITE_OK;
    };
    vfs_.xCurrentTimeInt64 = [](sqlite3_vfs* vfs, sqlite3_int64* time) {
      *time = static_cast<FixedClock*>(vfs->pAppData)->ms;
      return SQLITE_OK;
    };
    sqlite3_vfs_register(&vfs_, 0);
  }
  ~FixedClock() { sqlite3_vfs_unregister(&vfs_); }
  FixedClock(const FixedClock&) = delete;
  FixedClock& operator=(const FixedClock&) = delete;

  [[nodiscard]] const char* name() const { return name_.c_str(); }
  sqlite3_int64 ms = 210'866'760'000'000;  ///< since noon of -4713-11-24; at first: 1970

 private:
  std::string name_;
  sqlite3_vfs vfs_{};
};

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

bool is_month_or_year(const std::string& name) {
  static constexpr std::array months{"jan", "feb", "mar", "apr", "may", "jun",
                                     "jul", "aug", "sep", "oct", "nov", "dec"};
  const bool is_year =
      name.size() == 4 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  return is_year || std::ranges::any_of(months, [&](const char* month) {
           return sqlite3_strnicmp(name.c_str(), month, 3) == 0 && name.size() <= 9;
         });
}

/// Whether the names have as many words, of which one differs.
bool differ_in_one(const std::string& a, const std::string& b) {
  const auto first = words_of(a);
  const auto second = words_of(b);
  if (first.size() != second.size() || first.size() < 2) return false;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < first.size(); ++i) differ += first[i] != second[i] ? 1U : 0U;
  return differ == 1;
}

/// The columns of the table that are one quantity; none: the table is not wide.
std::vector<std::string> wide_columns(const Table& table) {
  for (const Column& first : table.columns) {
    if (first.kind != Kind::number) continue;
    std::vector<std::string> all;
    for (const Column& other : table.columns) {
      const bool is_alike = &other == &first ||
                            (is_month_or_year(first.name) ? is_month_or_year(other.name)
                                                          : differ_in_one(first.name, other.name));
      if (other.kind == Kind::number && other.unit == first.unit && is_alike) {
        all.push_back(other.name);
      }
    }
    if (all.size() >= 3) return all;
  }
  return {};
}

}  // namespace

std::string in_quotes(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string{c};
  return text + "\"";
}

struct Database::State {
  FixedClock clock;
  sqlite3* db = nullptr;
  std::vector<LongView> views;

  State() {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY;
    if (sqlite3_open_v2(":memory:", &db, flags, clock.name()) != SQLITE_OK) fail();
  }
  ~State() { sqlite3_close_v2(db); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail() const { throw std::runtime_error(sqlite3_errmsg(db)); }

  void run(const std::string& sql) const {
    if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  void add(const Table& table) {
    std::vector<std::string> columns;
    std::vector<std::string> places;
    for (const Column& column : table.columns) {
      columns.push_back(in_quotes(column.name) + (column.kind == Kind::number ? " REAL" : " TEXT"));
      places.emplace_back("?");
    }
    run(fmt::format("CREATE TABLE {} ({})", in_quotes(table.name), fmt::join(columns, ", ")));
    const std::string sql =
        fmt::format("INSERT INTO {} VALUES ({})", in_quotes(table.name), fmt::join(places, ", "));
    sqlite3_stmt* insert = nullptr;
    if (sqlite3_prepare_v2(db, sql.c_str(), -1, &insert, nullptr) != SQLITE_OK) fail();
    for (const auto& row : table.rows) {
      for (int i = 0; i < static_cast<int>(row.size()); ++i) {
        const Cell& cell = row[static_cast<std::size_t>(i)];
        if (const auto* number = cell.get_ptr<const double*>()) {
          sqlite3_bind_double(insert, i + 1, *number);
        } else if (const auto* text = cell.get_ptr<const std::string*>()) {
          sqlite3_bind_text(insert, i + 1, text->data(), static_cast<int>(text->size()),
                            SQLITE_STATIC);
        } else {
          sqlite3_bind_null(insert, i + 1);
        }
      }
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
  }

  void add_view(const Table& table) {
    const std::vector<std::string> wide = wide_columns(table);
    if (wide.empty()) return;
    LongView view{table.name + "_long", table.name, {}, wide};
    std::string keys;
    for (const Column& column : table.columns) {
      if (column.kind == Kind::number || column.name == "name" || column.name == "value") continue;
      view.keys.push_back(column.name);
      keys += in_quotes(column.name) + ", ";
    }
    std::vector<std::string> parts;
    for (const std::string& column : wide) {
      std::string name = column;
      for (std::size_t at = 0; (at = name.find('\'', at)) != name.npos; at += 2) {
        name.insert(at, 1, '\'');
      }
      parts.push_back(fmt::format("SELECT {}'{}' AS name, {} AS value FROM {}", keys, name,
                                  in_quotes(column), in_quotes(table.name)));
    }
    run(fmt::format("CREATE VIEW {} AS {}", in_quotes(view.name), fmt::join(parts, " UNION ALL ")));
    views.push_back(std::move(view));
  }

  /// After this only query() is left to do.
  void lock() const {
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1'000'000);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 10'000);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 100);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    run("PRAGMA query_only = 1");
    sqlite3_set_authorizer(db, authorize, nullptr);
  }
};

Database::Database(const Readings& readings) : state_(std::make_unique<State>()) {
  std::string last;
  for (const Table& table : readings.tables) {
    state_->add(table);
    state_->add_view(table);
    const std::size_t time = table.first(Kind::time);
    for (const auto& row : table.rows) {
      if (time == row.size()) break;
      if (row[time].is_string()) last = std::max(last, row[time].get<std::string>());
    }
  }
  state_->lock();
  if (!last.empty()) {
    const Json day = query(fmt::format("SELECT julianday('{}')", last), {});
    state_->clock.ms =
        static_cast<sqlite3_int64>(day.at("rows").at(0).at(0).get<double>() * 86'400'000.0 + 0.5);
  }
}

Database::~Database() = default;

const std::vector<LongView>& Database::views() const { return state_->views; }

namespace {

struct Work {
  std::int64_t done = 0;
  std::stop_token stop;

  static int look(void* self) {
    auto& work = *static_cast<Work*>(self);
    work.done += look_every;
    return work.done > most_work || work.stop.stop_requested() ? 1 : 0;
  }
};

Json value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_NULL: return nullptr;
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
  }
}

}  // namespace

Json Database::query(const std::string& sql, const std::stop_token& stop,
                     const Limits& limits) const {
  sqlite3* db = state_->db;
  const auto failed = [&](const std::string& why) { return Json{{"error", why}}; };
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int prepared =
      sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &raw, &tail);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement{raw, sqlite3_finalize};
  if (prepared != SQLITE_OK) return failed(sqlite3_errmsg(db));
  if (raw == nullptr) return failed("there is no statement");
  if (std::string_view{tail}.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
    return failed("one statement at a time");
  }
  if (sqlite3_stmt_readonly(raw) == 0) return failed("only SELECT is allowed");
  Work work{0, stop};
  sqlite3_progress_handler(db, look_every, Work::look, &work);
  Json result{{"columns", Json::array()}, {"rows", Json::array()}};
  for (int i = 0; i < sqlite3_column_count(raw); ++i) {
    result["columns"].push_back(sqlite3_column_name(raw, i));
  }
  std::size_t bytes = 0;
  int step = SQLITE_ROW;
  while ((step = sqlite3_step(raw)) == SQLITE_ROW) {
    Json row = Json::array();
    for (int i = 0; i < sqlite3_column_count(raw); ++i) row.push_back(value_of(raw, i));
    bytes += row.dump(-1, ' ', false, Json::error_handler_t::replace).size();
    if (result["rows"].size() == limits.rows || bytes > limits.bytes) {
      result["more"] = true;
      break;
    }
    result["rows"].push_back(std::move(row));
  }
  sqlite3_progress_handler(db, 0, nullptr, nullptr);
  if (step == SQLITE_INTERRUPT) return failed("too much work: ask for less, or group the rows");
  if (step != SQLITE_ROW && step != SQLITE_DONE) return failed(sqlite3_errmsg(db));
  return result;
}

}  // namespace insights
