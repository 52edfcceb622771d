/// @file
/// The tools that a model may call: `tables`, `columns`, `overview`, `query` and `chart`. Each is a
/// function of its arguments and the tables.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/database.hpp"
#include "insights/types.hpp"
#include "model/provider.hpp"

namespace insights {

/// A file for people.
struct Picture {
  std::string name;  ///< from its title
  std::string svg;

  bool operator==(const Picture&) const = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Picture, name, svg)

class Tools {
 public:
  explicit Tools(const Readings& readings) : readings_(readings), database_(readings) {}

  /// What a model is told of them.
  /// @param charts  whether charts may be drawn
  [[nodiscard]] static std::vector<model::Tool> list(bool charts);

  /// What a tool gives, as JSON; `{"error": why}` if it cannot do what was asked.
  [[nodiscard]] std::string use(const ToolCall& call, const std::stop_token& stop) const;

  /// The names, times and sizes of all tables, as `tables` gives them.
  [[nodiscard]] nlohmann::json tables() const;
  [[nodiscard]] const Readings& readings() const { return readings_; }

  /// nullopt: the call is none of `chart`, or gives an error.
  [[nodiscard]] std::optional<Picture> picture(const ToolCall& call) const;
  /// What a call of `overview` finds, with its proof; none: it is another call, or gives an error.
  [[nodiscard]] std::vector<Finding> findings(const ToolCall& call,
                                              const std::stop_token& stop) const;

 private:
  [[nodiscard]] nlohmann::json columns(const std::string& table) const;
  [[nodiscard]] nlohmann::json overview_of(const ToolCall& call, const std::stop_token& stop) const;
  [[nodiscard]] const LongView* view_of(const Table& table) const;
  [[nodiscard]] nlohmann::json chart(const nlohmann::json& arguments, const std::stop_token& stop,
                                     std::optional<Picture>& picture) const;

  const Readings& readings_;
  Database database_;
};

}  // namespace insights
