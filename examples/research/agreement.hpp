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
  /// The numbers in the text by what they count: `euro`, `clock`, a currency's sign.
  std::map<std::string, std::set<std::string>> figures;
};

Said said_of(const std::string& text, const std::string& above = {});

/// Terms that few of these have: at most three, or a sixth.
std::set<std::string> rare_terms(const std::vector<const Said*>& all);

/// Whether `one` is about the same thing as `other`: most of its terms are there, or it names a
/// figure of the other beside a new one (`8 minutes, not 15 minutes`).
bool is_about(const Said& one, const Said& other, const std::set<std::string>& rare);

/// Whether they name different figures for the same unit.
bool disagree(const Said& one, const Said& other);

/// Names the pages when there are several, and says which one is the latest when their figures for
/// the same unit differ; empty for statements of one page.
std::string note_on(const std::vector<Statement>& statements);

}  // namespace research
