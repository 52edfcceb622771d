/// @file
/// The rows of a report: stages, and the items of fan-outs as columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "resumable/plan.hpp"
#include "survey/graph_view.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

using Document = core::OrderedJson;

/// A text that records have, as milliseconds since 1970.
[[nodiscard]] std::optional<std::int64_t> milliseconds_of(std::string_view utc);

/// Each text once: rows have its number.
struct Texts {
  std::vector<std::string> all{};

  int operator()(const std::string& text) {
    const auto [known, added] = numbers.try_emplace(text, static_cast<int>(all.size()));
    if (added) all.push_back(text);
    return known->second;
  }

  std::map<std::string, int> numbers{};
};

class PageRows {
 public:
  struct Place {
    std::size_t stage = 0;
    std::size_t row = 0;
    std::uint64_t order = 0;  ///< of the export
  };

  PageRows(const std::vector<survey::RecordView>& records, std::int64_t zero, Texts& texts);
  ~PageRows();
  PageRows(const PageRows&) = delete;
  PageRows& operator=(const PageRows&) = delete;

  /// All nodes of the graph, with what the plan decides.
  void add(const survey::GraphView& view, const Plan& plan);
  /// Those that have records, as far as add() has not named them.
  void add_recorded();
  /// What failed attempts said, by path.
  void add_errors(const std::map<std::string, std::string>& errors);

  [[nodiscard]] Document json();
  [[nodiscard]] Document space() const;
  /// By path, the row that exports it.
  [[nodiscard]] const std::map<std::string, Place>& exported() const { return exported_; }
  [[nodiscard]] std::size_t stages() const { return stages_; }
  [[nodiscard]] std::size_t items() const { return items_; }

 private:
  struct Row {
    std::string key;
    int action = -1;
    int reason = -1;
    int why = -1;    ///< in the plan's words
    int error = -1;  ///< of the last attempt
    std::vector<const survey::RecordView*> records{};
  };
  struct Node;

  std::size_t node_of(const std::string& name, const std::string& kind);
  Row& row_of(Node& node, const std::string& path, const std::string& key);
  void add_decision(Node& node, const Decision& decision, const Plan& plan);
  void place(const survey::RecordView& record);
  [[nodiscard]] Document row_json(const Row& row, bool in_full);
  [[nodiscard]] Document generation_json(const survey::RecordView& record,
                                         const survey::RecordView* before, bool in_full);

  const std::vector<survey::RecordView>& records_;
  std::int64_t zero_;
  Texts& texts_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> by_name_{};  ///< by the first component of the path
  std::map<std::string, Place> exported_{};
  std::size_t stages_ = 0;
  std::size_t items_ = 0;
};

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
