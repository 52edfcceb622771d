/// @file
/// The values that a job keeps: what was asked, the tables as they were then, the turns of its
/// loop, and what came out. Plain structs, saved as JSON; a missing field is an error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace insights {

/// What a person asked for, and how long the job is kept. Part of the job's record.
struct Request {
  std::string custom_prompt{};
  std::string system_id{};  ///< a table's name, or a value of a column: `Seattle`
  int context_window_days = 30;
  int max_iterations = 20;
  std::string mode = "sync";
  std::string provider = "quote";  ///< or `openai:MODEL@URL`
  std::int64_t ttl_seconds = 86'400;
  bool pictures = false;  ///< whether charts may be drawn
  /// From so many bytes of turns on, the older ones are summarised by the model; 0: never.
  std::size_t summarize_above = 0;

  bool operator==(const Request&) const = default;
};

enum class Kind : std::uint8_t { time, number, text };

struct Column {
  std::string name;
  std::string unit;  ///< what the header has in brackets
  Kind kind = Kind::text;
  std::int64_t unreadable = 0;  ///< cells that are not empty, and not of this kind

  bool operator==(const Column&) const = default;
};

/// Null where it is empty, a number, or a text; times are texts such as `2015-12-08 00:00:00`.
using Cell = nlohmann::json;

/// A file's rows that belong to the job.
struct Table {
  std::string name;
  std::string file;
  std::vector<Column> columns{};
  std::vector<std::vector<Cell>> rows{};
  std::int64_t left_out = 0;         ///< rows before the window, or of other systems
  std::vector<std::string> notes{};  ///< what could not be read for certain

  /// Where the first column of a kind is; columns.size(): there is none.
  [[nodiscard]] std::size_t first(Kind kind) const {
    return static_cast<std::size_t>(std::ranges::find(columns, kind, &Column::kind) -
                                    columns.begin());
  }
  /// The different values of a column that are of a type.
  template <class Value>
  [[nodiscard]] std::set<Value> values(std::size_t column) const {
    std::set<Value> all;
    for (const auto& row : rows) {
      if (const auto* value = row[column].get_ptr<const Value*>()) all.insert(*value);
    }
    return all;
  }
  bool operator==(const Table&) const = default;
};

struct Readings {
  std::string system_id;
  std::vector<Table> tables;  ///< never empty; the one that is asked about comes first

  bool operator==(const Readings&) const = default;
};

/// A tool that the model asked for. What it gives is not recorded: it is a
/// function of the arguments and the tables.
struct ToolCall {
  std::string tool;
  nlohmann::json arguments = nlohmann::json::object();

  bool operator==(const ToolCall&) const = default;
};

/// One turn: a reply of the model. It is committed before anything else is done with it, so it is
/// never asked for again. The totals count every turn so far, also those that compaction leaves
/// out.
struct Exchange {
  std::int64_t turn = 1;
  std::string thought;
  std::vector<ToolCall> calls;
  std::string answer;           ///< of the last turn
  bool complete = false;        ///< the model says of its answer that nothing is left open
  std::string problem;          ///< why the reply could not be used; empty: it could
  std::int64_t tool_calls = 0;  ///< total
  std::int64_t elapsed_ms = 0;  ///< total, over all calls of the program

  bool operator==(const Exchange&) const = default;
};

/// The model's summary of the turns up to this one.
struct Summary {
  std::int64_t through = 0;
  std::string text;

  bool operator==(const Summary&) const = default;
};

/// What the answer was drawn from.
struct ContextSummary {
  std::string system_id;
  std::string from;
  std::string to;
  std::int64_t readings = 0;
  std::int64_t tables = 0;
  std::int64_t exchanges = 0;  ///< turns that called tools
  std::int64_t omitted = 0;    ///< of them, those left out or summarised

  bool operator==(const ContextSummary&) const = default;
};

/// A sentence about a table, and what proves it.
struct Finding {
  std::string text;
  std::string sql;
  nlohmann::json rows;  ///< the first that the query gives

  bool operator==(const Finding&) const = default;
};

/// What a finished job gives.
struct Insights {
  std::string outcome;  ///< `answered`, or `max_iterations`: the limit came before the end
  std::string raw_text;
  ContextSummary context_summary{};
  std::int64_t turns = 0;
  std::int64_t tool_calls = 0;
  std::vector<ToolCall> charts{};   ///< calls of `chart` that gave a picture
  std::vector<Finding> findings{};  ///< of `overview`, those that the text states

  /// Whether none of the model's replies could be used, so that more turns would not help.
  [[nodiscard]] bool is_in_vain() const {
    return tool_calls == 0 && turns == context_summary.exchanges;
  }
  bool operator==(const Insights&) const = default;
};

NLOHMANN_JSON_SERIALIZE_ENUM(Kind,
                             {{Kind::time, "time"}, {Kind::number, "number"}, {Kind::text, "text"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Column, name, unit, kind, unreadable)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Table, name, file, columns, rows, left_out, notes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ToolCall, tool, arguments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, text, sql, rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, custom_prompt, system_id, context_window_days,
                                   max_iterations, mode, provider, ttl_seconds, pictures,
                                   summarize_above)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Readings, system_id, tables)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Exchange, turn, thought, calls, answer, complete, problem,
                                   tool_calls, elapsed_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Summary, through, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ContextSummary, system_id, from, to, readings, tables, exchanges,
                                   omitted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Insights, outcome, raw_text, context_summary, turns, tool_calls,
                                   charts, findings)

}  // namespace insights
