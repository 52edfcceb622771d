// The library is not in here: what keeps a model's SQL from doing anything but reading.
#include "insights/database.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include "text/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t most_work = 50'000'000;  // steps of SQLite's virtual machine
constexpr int look_every = 1'000;               // of them

using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

constexpr std::string_view allowed_functions =
    " abs acos asin atan atan2 avg ceil ceiling char coalesce cos count cume_dist date datetime "
    "degrees dense_rank exp first_value floor format glob group_concat hex ifnull iif instr "
    "julianday lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim max "
    "min mod nth_value ntile nullif percent_rank pi pow power printf quote radians rank replace "
    "round row_number rtrim sign sin sqrt strftime substr substring sum tan time total trim trunc "
    "typeof unicode unixepoch unlikely upper ";

int authorize(void* /*self*/, int action, const char* /*first*/, const char* second,
              const char* /*database*/, const char* /*trigger*/) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: {
      const std::string name = fmt::format(" {} ", text::in_lower_case(second));
      return allowed_functions.find(name) != allowed_functions.npos ? SQLITE_OK : SQLITE_DENY;
    }
    default: return SQLITE_DENY;
  }
}

bool is_month_or_year(const std::string& name) {
  std::tm time{};
  return std::ranges::any_of(std::array{"%B", "%Y"}, [&](const char* form) {
    const char* end = strptime(name.c_str(), form, &time);
    return end != nullptr && *end == '\0';
  });
}

/// Whether the names have as many words, of which one differs.
bool differ_in_one(const std::string& a, const std::string& b) {
  const auto first = text::words_of(a);
  const auto second = text::words_of(b);
  if (first.size() != second.size() || first.size() < 2) return false;
  return std::inner_product(first.begin(), first.end(), second.begin(), 0, std::plus{},
                            std::not_equal_to{}) == 1;
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

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string in_quotes(const std::string& name, char mark) {
  std::string text{mark};
  for (const char c : name) text += c == mark ? std::string(2, c) : std::string{c};
  return text + mark;
}

struct Database::State {
  sqlite3* db = nullptr;
  std::vector<LongView> views;

  State() {
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) fail();
  }
  ~State() { sqlite3_close_v2(db); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail() const { throw std::runtime_error(sqlite3_errmsg(db)); }

  [[nodiscard]] Statement prepare(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
    return {statement, sqlite3_finalize};
  }

  void run(const std::string& sql) const {
    if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  void add(const Table& table) const {
    std::vector<std::string> columns;
    std::vector<std::string> cells;
    for (const Column& column : table.columns) {
      columns.push_back(in_quotes(column.name) + (column.kind == Kind::number ? " REAL" : " TEXT"));
      cells.push_back(fmt::format("json_extract(value, '$[{}]')", cells.size()));
    }
    run(fmt::format("CREATE TABLE {} ({})", in_quotes(table.name), fmt::join(columns, ", ")));
    const Statement insert = prepare(fmt::format("INSERT INTO {} SELECT {} FROM json_each(?)",
                                                 in_quotes(table.name), fmt::join(cells, ", ")));
    const std::string rows = dump(table.rows);
    sqlite3_bind_text(insert.get(), 1, rows.data(), static_cast<int>(rows.size()), SQLITE_STATIC);
    if (sqlite3_step(insert.get()) != SQLITE_DONE) fail();
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
      parts.push_back(fmt::format("SELECT {}{} AS name, {} AS value FROM {}", keys,
                                  in_quotes(column, '\''), in_quotes(column),
                                  in_quotes(table.name)));
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
  for (const Table& table : readings.tables) {
    state_->add(table);
    state_->add_view(table);
  }
  state_->lock();
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
  const Statement statement{raw, sqlite3_finalize};
  if (prepared != SQLITE_OK) return failed(sqlite3_errmsg(db));
  if (raw == nullptr) return failed("there is no statement");
  if (std::string_view{tail}.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
    return failed("one statement at a time");
  }
  if (sqlite3_stmt_readonly(raw) == 0) return failed("only SELECT is allowed");
  if (text::in_lower_case(sql).find("'now'") != sql.npos) {
    return failed("there is no 'now': use the last time of the table");
  }
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
    bytes += dump(row).size();
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
