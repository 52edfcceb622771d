/// @file
/// Which of the columns that a question names it is about.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// A column and the words of a question that name it.
struct Naming {
  const nlohmann::json* column = nullptr;
  std::set<std::string> by;
  bool is_whole = false;  ///< all words of its name are said
};

/// Without those of which a part of the name is said, where another's whole name has these words
/// and more: gross takings do not name the net ones.
[[nodiscard]] std::vector<const nlohmann::json*> best_named(const std::vector<Naming>& names);

/// Without those that have another label than the one that the prompt says: `Pump 2`.
void keep_labelled(std::vector<const nlohmann::json*>& named,
                   const std::vector<std::string>& asked);

/// A unit that the prompt says is not that of a time between dates: `how long are they in miles`.
/// @param all  the columns of numbers
void keep_in_unit(std::vector<const nlohmann::json*>& named,
                  const std::vector<const nlohmann::json*>& all,
                  const std::vector<std::string>& asked);

/// Without those that are named only as belonging to those of whom it is asked how many they are:
/// `how many members paid their fee`.
void leave_out_belongings(std::vector<Naming>& names, const std::vector<std::string>& asked);

/// Leaves out a sum of money that is named by a word for the things that have one: `share of my
/// quotes`, of a column Quote, is one of rows.
void leave_out_things(std::vector<Naming>& names, const std::vector<std::string>& asked);

}  // namespace insights
