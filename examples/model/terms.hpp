/// @file
/// Flags of programs with a provider. On what terms a server is asked: --price-in, --price-out,
/// --max-tokens and --record; none of them is recorded or runs anything again. Which provider:
/// --provider, --base-url and --model.
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

/// Which provider a command line names; empty texts: not given.
struct Choice {
  std::string provider{};  ///< `quote`, `openai`, `openai:MODEL@URL` or `recorded:FILE`
  std::string base_url{};
  std::string model{};

  [[nodiscard]] bool is_given() const;
  /// The provider's full name: `before`, with what was given replaced.
  /// @throws resumable::Error{Errc::bad_option}  a URL or a model, and no server
  [[nodiscard]] std::string name(const std::string& before) const;
};

void add_provider_flags(CLI::App& command, Choice& choice);

}  // namespace model
