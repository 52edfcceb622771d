#include "model/terms.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace model {
namespace {

/// Also of `nan` and `inf`, which CLI11 reads as numbers.
std::string not_a_price(const std::string& text) {
  double usd = -1;
  const bool good = CLI::detail::lexical_cast(text, usd) && usd >= 0 && usd <= 1e6;
  return good ? "" : fmt::format("'{}' is not a price from 0 to 1000000", text);
}

}  // namespace

std::string Terms::flags() const {
  const Terms usual;
  std::string flags;
  const auto add = [&](const char* flag, auto value, auto otherwise) {
    if (value != otherwise) flags += fmt::format(" {} {}", flag, value);
  };
  add("--price-in", usd_per_million_input, usual.usd_per_million_input);
  add("--price-out", usd_per_million_output, usual.usd_per_million_output);
  add("--max-tokens", max_tokens, usual.max_tokens);
  return flags;
}

void add_terms_flags(CLI::App& command, Terms& terms) {
  const CLI::Validator price{not_a_price, ""};
  command
      .add_option("--price-in", terms.usd_per_million_input,
                  "openai: USD for a million tokens read, to report costs")
      ->check(price)
      ->type_name("USD");
  command
      .add_option("--price-out", terms.usd_per_million_output,
                  "openai: USD for a million tokens written")
      ->check(price)
      ->type_name("USD");
  command
      .add_option("--max-tokens", terms.max_tokens,
                  "openai: how long an answer may be; one that is longer is cut off")
      ->check(CLI::Range{1, 10'000'000})
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--record", terms.record,
                  "append each answer to this file, for --provider recorded:FILE")
      ->type_name("FILE");
}

}  // namespace model
