/// @file
/// On what terms a server is asked: the flags --price-in, --price-out, --max-tokens and --record,
/// which all programs with a provider have. None of them is recorded or runs anything again.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace model {

struct Terms {
  double usd_per_million_input = 0.0;  ///< what the server charges, to report costs
  double usd_per_million_output = 0.0;
  int max_tokens = 4096;  ///< of an answer; one that is cut off there has a flaw
  std::string record{};   ///< a file to which answers are appended, for `recorded:FILE`

  /// The flags that give these terms in a command: ` --price-in 1.5`, or "" for the defaults.
  [[nodiscard]] std::string flags() const;
};

void add_terms_flags(CLI::App& command, Terms& terms);

}  // namespace model
