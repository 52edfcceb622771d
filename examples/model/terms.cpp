#include "model/terms.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <resumable/error.hpp>

#include "model/quoting.hpp"

namespace model {
namespace {

constexpr std::string_view openai = "openai:";

/// Also of `nan` and `inf`, which CLI11 reads as numbers.
std::string not_a_price(const std::string& text) {
  double usd = -1;
  const bool good = CLI::detail::lexical_cast(text, usd) && usd >= 0 && usd <= 1e6;
  return good ? "" : fmt::format("'{}' is not a price from 0 to 1000000", text);
}

std::string not_a_provider(const std::string& name) {
  const bool is_server = name.starts_with(openai) && name.find('@') != name.npos;
  const bool known =
      is_quoting(name) || name == "openai" || is_server || name.starts_with("recorded:");
  return known ? "" : "'" + name + "' is none of quote, openai[:MODEL@URL] and recorded:FILE";
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

bool Choice::is_given() const { return !(provider.empty() && base_url.empty() && model.empty()); }

std::string Choice::name(const std::string& before) const {
  const bool was_openai = before.starts_with(openai);
  const bool is_openai = provider.empty() ? was_openai : provider == "openai";
  if (!is_openai) {
    if (!base_url.empty() || !model.empty()) {
      throw resumable::Error(resumable::Errc::bad_option,
                             {.what = "--base-url and --model are of a server",
                              .kept = "nothing was changed",
                              .next = "add --provider openai"});
    }
    if (provider.empty()) return before;
    return provider.find(':') == provider.npos ? "quote" : provider;
  }
  const std::string usual = was_openai ? before : "openai:gpt-4o-mini@https://api.openai.com";
  const std::size_t at = usual.find('@');
  return fmt::format("{}{}@{}", openai,
                     model.empty() ? usual.substr(openai.size(), at - openai.size()) : model,
                     base_url.empty() ? usual.substr(at + 1) : base_url);
}

void add_provider_flags(CLI::App& command, Choice& choice) {
  command
      .add_option("--provider", choice.provider,
                  "quote (the usual one: offline, word for word), openai, openai:MODEL@URL, or "
                  "recorded:FILE")
      ->check(CLI::Validator{not_a_provider, ""});
  command.add_option("--base-url", choice.base_url,
                     "openai: any server that speaks /v1/chat/completions (usually "
                     "https://api.openai.com); key from OPENAI_API_KEY");
  command.add_option("--model", choice.model, "openai: the model (usually gpt-4o-mini)");
}

}  // namespace model
