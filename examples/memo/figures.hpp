/// @file
/// Figures and what they count: `261 security controls`. Compares them across sources.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "memo/review.hpp"
#include "memo/source.hpp"

namespace memo {

struct Figure {
  std::string number;
  std::string thing;  ///< the two words behind it, lower case
};

/// Figures that are followed by two words of four letters or more.
std::vector<Figure> figures(std::string_view text);

/// The figures of all sources. Immutable.
class Figures {
 public:
  explicit Figures(const Sources& sources);

  /// Other sources that give a figure of `statement` for the same thing.
  std::vector<std::string> also_in(std::string_view statement, const std::string& source) const;

  /// Adds what other sources say differently, each pair once.
  void find_conflicts(std::string_view statement, const std::string& source,
                      std::vector<Conflict>& conflicts) const;

 private:
  struct Use {
    std::string number;
    std::string source;
  };

  std::map<std::string, std::vector<Use>> uses_;  // by thing
};

}  // namespace memo
