/// @file
/// Statements of several pages on one thing: whether they are, and whether their figures agree.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "research/types.hpp"

namespace research {

/// A text as it is compared with others.
struct Said {
  std::set<std::string> terms;    ///< of the text
  std::set<std::string> context;  ///< and of what stands above it: columns, heading, title
  std::set<std::string> words;    ///< of the text, terms that are part of no figure or date
  std::set<std::string> above;    ///< likewise of what stands above it, without those of the text
  bool tells_end = false;         ///< it says that something is no longer so
  bool tells_change = false;      ///< it does, or it or its heading speaks of a change
  bool plans = false;             ///< it speaks of a plan or an estimate
  bool is_of_plan = false;        ///< it does, or what stands above it
  bool tells_outcome = false;     ///< it says what came of a plan: `opened`, `cost`, `in the end`
  bool names_end = false;         ///< a date in it is a last one: `until 31 March`
  /// The numbers in the text by what they count (Figure::unit).
  std::map<std::string, std::set<std::string>> figures;
  std::set<std::string> bare;  ///< numbers with no unit of their own: `18 have to be tested`
  /// Of the numbers those that it says do not hold (`9,500 litres, not 6,000`); with the unit of
  /// the figure before it if it has none, "" if there is none.
  std::map<std::string, std::set<std::string>> denied;
};

Said said_of(const std::string& text, const std::string& columns = {},
             const std::string& heading = {}, const std::string& title = {});

/// Whether `one` says that a figure of `other` does not hold.
bool takes_back(const Said& one, const Said& other);

}  // namespace research
