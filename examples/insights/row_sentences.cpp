// What the result of look_up says: single rows with their cells.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/periods.hpp"
#include "insights/phrases.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Cells = std::vector<std::pair<std::string, std::string>>;

Cells cells_of_row(const Json& row) {
  Cells cells;
  for (const Json& cell : row.at("cells")) cells.emplace_back(cell.at(0), cell.at(1));
  return cells;
}

/// `Buyer Ann, Price 3, Paid on empty`; nothing of what all rows lack.
std::string text_of(const Cells& cells) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : cells)
    texts.push_back(fmt::format("{} {}", name, value.empty() ? "empty" : value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// What is said of the rows that are looked up: `Ticket 4300`, `the last row with Ann`.
std::string rows_called(const Json& r) {
  std::vector<std::string> of;
  if (r.contains("column"))
    of.push_back(fmt::format("{} {}", word_at(r, "column"),
                             fmt::join(r.at("values").get<std::vector<std::string>>(), " and ")));
  const Json where = r.value("where", Json::object());
  for (const auto& [column, value] : where.items()) {
    if (!r.contains("column") || column != word_at(r, "column"))
      of.push_back(value_text(column, value.get<std::string>()));
  }
  if (r.contains("time")) of.push_back(period_name(word_at(r, "time")));
  const std::string subject = fmt::format("{}", fmt::join(of, ", "));
  const std::string end = r.value("end", "");
  if (r.contains("empty")) {
    const auto zeros = r.at("zeros").get<std::size_t>();
    const auto blanks = r.at("count").get<std::size_t>() - zeros;
    const std::string what = zeros == 0    ? "empty"
                             : blanks == 0 ? "0"
                                           : fmt::format("0 ({}) or empty ({})", zeros, blanks);
    return fmt::format("{}{}{}, of {} rows", subject, subject.empty() ? "" : ", ",
                       word_at(r, "empty") + " " + what, r.at("of").get<std::size_t>());
  }
  if (end.empty()) return subject;
  const std::string which = r.contains("variable")
                                ? fmt::format("{} {}", end == "most" ? "the highest" : "the lowest",
                                              word_at(r, "variable"))
                                : fmt::format("the {} of {} rows", end, value_at(r, "of"));
  return subject.empty() ? which : fmt::format("{}, {}", subject, which);
}

/// The cells that all rows have alike are taken out of them.
Cells common(std::vector<Cells>& rows) {
  Cells alike;
  for (const auto& cell : rows.front()) {
    if (std::ranges::all_of(
            rows, [&](const Cells& row) { return std::ranges::find(row, cell) != row.end(); }))
      alike.push_back(cell);
  }
  for (Cells& row : rows)
    std::erase_if(row,
                  [&](const auto& cell) { return std::ranges::find(alike, cell) != alike.end(); });
  return alike;
}

/// Those that are asked for.
Cells asked_of(Cells& cells, const std::set<std::string>& asked) {
  const auto rest = std::ranges::stable_partition(
      cells, [&](const auto& cell) { return asked.contains(cell.first); });
  Cells found{cells.begin(), rest.begin()};
  cells.erase(cells.begin(), rest.begin());
  return found;
}

std::string single_row(Cells cells, const Json& r, const std::string& line) {
  const auto tell = r.value("tell", std::set<std::string>{});
  const Cells asked = asked_of(cells, tell);
  std::erase_if(cells, [](const auto& cell) { return cell.second.empty(); });
  std::string text = text_of(asked);
  if (!asked.empty() && !cells.empty()) text += "; also ";
  return fmt::format("{}{} ({})", text, text_of(cells), line);
}

}  // namespace

std::vector<Finding> row_findings(const Json& r) {
  const auto count = r.at("count").get<std::size_t>();
  const std::string called = rows_called(r);
  if (count == 0) return {{"record", 100, fmt::format("{}: no row.", called)}};
  std::vector<Cells> rows;
  for (const Json& row : r.at("rows")) {
    rows.push_back(cells_of_row(row));
    std::erase_if(rows.back(), [&](const auto& cell) {
      const bool is_known = r.value("where", Json::object()).value(cell.first, "") == cell.second;
      return is_known || (cell.first == r.value("column", "") && r.at("values").size() == 1);
    });
  }
  if (count == 1)
    return {{"record", 100,
             fmt::format("{}: {}.", called,
                         single_row(rows.front(), r, word_at(r.at("rows").front(), "line")))}};
  Cells alike = common(rows);
  std::erase_if(alike, [](const auto& cell) { return cell.second.empty(); });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string own = text_of(rows[i]);
    texts.push_back(fmt::format("{}{}{}", own, own.empty() ? "" : " ",
                                fmt::format("({})", word_at(r.at("rows").at(i), "line"))));
  }
  const std::string more =
      count > rows.size() ? fmt::format("; and {} more", count - rows.size()) : "";
  return {{"record", 100,
           fmt::format("{}: {} rows{}: {}{}.", called, count,
                       alike.empty() ? "" : fmt::format(", all with {}", text_of(alike)),
                       fmt::join(texts, "; "), more)}};
}

}  // namespace insights
