/// @file
/// What happened to each stage and item in this call, as it is found out.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph.hpp"
#include "plan/state.hpp"
#include "resumable/resume.hpp"

namespace resumable::run {

/// Of the stages, what a plan says of them.
[[nodiscard]] Counts count_stages(const detail::Graph& graph,
                                  const std::vector<plan::NodeState>& states);

/// Of one fan-out, when the call ends.
struct FanOutReport {
  std::shared_ptr<const plan::ItemList> list;          ///< null while it is not known
  std::vector<StageOutcome> outcomes;                  ///< of each item of the list
  std::unordered_map<std::string, ItemReport> worked;  ///< by key: items this call worked on

  /// nullptr where this call did not work on it.
  [[nodiscard]] const ItemReport* find(std::string_view key) const {
    const auto found = worked.empty() ? worked.end() : worked.find(std::string{key});
    return found == worked.end() ? nullptr : &found->second;
  }
};

/// Of one thread.
class Reports {
 public:
  Reports(const detail::Graph& graph, const std::vector<plan::NodeState>& planned);

  [[nodiscard]] StageReport& of(std::uint32_t node) { return stages_[node]; }

  /// What working on a stage or item took, however it ended.
  struct Work {
    unsigned attempts = 0;
    Seconds duration{};
    Cost cost{};
    Savings continued{};  ///< earlier calls' work in the loops that it continued
  };
  /// `item` is empty for a stage.
  void add(std::uint32_t node, const std::string& item, const Work& work);
  void ran(std::uint32_t node, const std::string& item);
  void adopted(std::uint32_t node, const std::string& item);
  /// Failed, waiting or interrupted. A stage has the worst outcome and the first message of its
  /// items.
  void stopped(std::uint32_t node, std::string_view item, StageOutcome how,
               const std::string& message, std::exception_ptr error = nullptr);

  /// Work::continued, by the path of the stage's or the item's value, where there was any.
  using Continued = std::map<std::string, Savings, std::less<>>;
  [[nodiscard]] const Continued& continued() const noexcept { return continued_; }
  /// In the order of declaration.
  [[nodiscard]] std::vector<StageReport> stages() const;
  /// By node; empty for stages without items.
  [[nodiscard]] std::vector<FanOutReport> fan_outs(const std::vector<plan::NodeState>& states);

 private:
  const detail::Graph& graph_;
  std::vector<StageReport> stages_;
  std::vector<std::unordered_map<std::string, ItemReport>> items_;
  Continued continued_;
};

}  // namespace resumable::run
