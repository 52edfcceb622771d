// The tool that finds what people have noted beside the readings.
#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_remarks = 8;

/// How many of the words a remark has; what half of all remarks have says nothing.
class Sought {
 public:
  Sought(const std::vector<std::string>& words, const Table& table, const Rows& rows) {
    std::map<std::string, std::size_t> counts;
    std::size_t all = 0;
    for (const std::size_t row : rows.rows) {
      if (table.remarks[row].empty()) continue;
      ++all;
      for (const std::string& word : words) counts[word] += has(table.remarks[row], word) ? 1U : 0U;
    }
    for (const auto& [word, count] : counts) {
      if (count > 0 && (2 * count <= all || all <= 2)) telling_.push_back(word);
    }
  }

  [[nodiscard]] std::size_t in(const std::string& remark) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        telling_, [&](const std::string& word) { return has(remark, word); }));
  }

 private:
  static bool has(const std::string& remark, const std::string& word) {
    return std::ranges::any_of(words_in(remark),
                               [&](const std::string& one) { return speaks_of(word, one); });
  }
  std::vector<std::string> telling_;
};

Json remark(const Table& table, std::size_t row) {
  Json json{{"line", table.place(row)}, {"text", table.remarks[row]}};
  if (!table.moments.empty()) json["date"] = table.when(row);
  for (const std::string& key : table.keys) {
    const std::string& value = table.find(key)->words[row];
    if (!value.empty() && value != table.remarks[row]) json["of"].push_back(value);
  }
  return json;
}

}  // namespace

Json remarks(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const std::vector<std::string> words = arguments.list("words");
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  if (table.remarks.empty()) throw ToolError("the table has no column of remarks");
  const Sought sought{words, table, rows};
  std::size_t most = 0;
  for (const std::size_t row : rows.rows) most = std::max(most, sought.in(table.remarks[row]));
  std::vector<std::size_t> found;
  std::set<std::string> said;
  for (const std::size_t row : rows.rows) {
    const std::string& text = table.remarks[row];
    if (!text.empty() && sought.in(text) == most && said.insert(text).second) found.push_back(row);
  }
  Json result{{"remarks", Json::array()}, {"words", most}, {"count", found.size()}};
  if (!rows.where.empty()) result["where"] = rows.where;
  if (found.size() > most_remarks) found.resize(most_remarks);
  for (const std::size_t row : found) result["remarks"].push_back(remark(table, row));
  return result;
}

}  // namespace insights::tool
