#include "insights/voids.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/words.hpp"

namespace insights::tool {
namespace {

bool says_void(const std::string& value) {
  const std::vector<std::string> said = words_in(value);
  const bool is_no_show = said == std::vector<std::string>{"no", "show"};
  return is_no_show || std::ranges::any_of(
                           said, [](const std::string& word) { return words().has("void", word); });
}

}  // namespace

Voids::Voids(const Table& table) {
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::category) continue;
    const std::set<std::string> all(column.words.begin(), column.words.end());
    Saying saying{&column, {}};
    for (const std::string& value : all) {
      if (says_void(value)) saying.values.insert(value);
    }
    if (!saying.values.empty()) all_.push_back(std::move(saying));
  }
}

std::string Voids::of(std::size_t row) const {
  for (const Saying& one : all_) {
    const std::string& value = one.column->words[row];
    if (one.values.contains(value)) return one.column->name + " " + value;
  }
  return "";
}

bool LeftOut::leaves_out(std::size_t row, const std::optional<double>& part,
                         const std::optional<double>& whole) {
  if (!part || !whole) {
    ++lacking_;
    return true;
  }
  const std::string why = *part == 0 ? voids_.of(row) : "";
  if (why.empty()) return false;
  ++void_;
  why_.insert(why);
  return true;
}

void LeftOut::put(nlohmann::json& result) const {
  if (lacking_ > 0) result["lacking"] = lacking_;
  if (void_ == 0) return;
  result["void"] = void_;
  result["why"] = why_;
}

}  // namespace insights::tool
