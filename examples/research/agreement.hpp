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
  std::set<std::string> context;  ///< and of what stands above it: its heading, its columns
  std::set<std::string> label;    ///< of the first cell, if it is a row
  /// The numbers in the text by what they count: `euro`, `clock`, a currency's sign.
  std::map<std::string, std::set<std::string>> figures;
  std::set<std::string> bare;  ///< numbers with no unit of their own: `18 have to be tested`
  /// Of the numbers those that it says do not hold (`9,500 litres, not 6,000`); with the unit of
  /// the figure before it if it has none, "" if there is none.
  std::map<std::string, std::set<std::string>> denied;
};

Said said_of(const std::string& text, const std::string& above = {});

/// Terms that few of these have: at most three, or a sixth.
std::set<std::string> rare_terms(const std::vector<const Said*>& all);

/// Whether `one` says that a figure of `other` does not hold.
bool takes_back(const Said& one, const Said& other);

/// Whether `one` is about the same thing as `other`: most of its terms are there, or half of them
/// with other figures; or it has the label of a row, takes a figure of the other back, or names one
/// beside a new one.
bool is_about(const Said& one, const Said& other, const std::set<std::string>& rare);

/// Whether they name different figures for the same unit.
bool disagree(const Said& one, const Said& other);

/// Names the pages when there are several, and says which one is the latest when their figures for
/// the same unit differ; empty for statements of one page.
std::string note_on(const std::vector<Statement>& statements);

}  // namespace research
