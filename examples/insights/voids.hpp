/// @file
/// Rows that are no part of a ratio: they lack one of its columns, or nothing came of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/table.hpp"

namespace insights::tool {

/// What says of a row that nothing came of it: `Status Cancelled`.
class Voids {
 public:
  explicit Voids(const Table& table);

  /// "": nothing does.
  [[nodiscard]] std::string of(std::size_t row) const;

 private:
  struct Saying {
    const Column* column;
    std::set<std::string> values;
  };
  std::vector<Saying> all_;
};

/// Which rows a ratio is not of.
class LeftOut {
 public:
  explicit LeftOut(const Table& table) : voids_(table) {}

  /// Whether the row is left out; counts it if so.
  /// @param part  what is divided
  bool leaves_out(std::size_t row, const std::optional<double>& part,
                  const std::optional<double>& whole);
  /// `lacking`, `void` and `why`, where there are any.
  void put(nlohmann::json& result) const;

 private:
  Voids voids_;
  std::size_t lacking_ = 0;
  std::size_t void_ = 0;
  std::set<std::string> why_;
};

}  // namespace insights::tool
