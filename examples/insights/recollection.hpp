/// @file
/// What a model is shown of a long conversation: a summary of its older turns, then the latest as
/// they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "insights/types.hpp"
#include "model/provider.hpp"

namespace insights {

/// The same turns always give the same summaries' tasks, so that a conversation that was
/// interrupted is put together again from replies that are kept.
class Recollection {
 public:
  /// What a model replies to a task.
  using Ask = std::function<std::string(const model::Task&)>;

  /// @param above  so many bytes of conversation are summarised; 0: none are
  Recollection(std::string prompt, std::size_t above, Ask ask);

  /// The next turn. Before it the conversation was as conversation() gives it.
  /// @throws what `ask` throws
  void add(const Exchange& turn);

  /// An array: turns as `thought`, `calls` and perhaps `problem`. In front there may be one element
  /// with a `summary` of so many `turns`, and the tools that they have `called`. Asks for a summary
  /// when the turns are too long: of all but the last three, and of the summary before, if there
  /// are at least three more of them.
  /// @throws what `ask` throws
  [[nodiscard]] const nlohmann::json& conversation();

  /// How many turns the summary stands for.
  [[nodiscard]] std::int64_t summarised() const;

 private:
  [[nodiscard]] bool has_summary() const;
  void summarise(std::size_t count);

  std::string prompt_;
  std::size_t above_;
  Ask ask_;
  nlohmann::json shown_ = nlohmann::json::array();
};

/// A turn as a model sees it: the counts and times of the record are no business of its.
[[nodiscard]] nlohmann::json shown(const Exchange& turn);

}  // namespace insights
