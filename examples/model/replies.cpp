#include <optional>

#include <httplib.h>
#include <nlohmann/json.hpp>

#include "model/openai.hpp"
#include "model/refusals.hpp"

namespace model {
namespace {

using Json = nlohmann::json;

constexpr std::size_t told_bytes = 80;  // of a reply

/// Parts of replies that were looked for and are not there.
const Json nothing;

const Json& field(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return found == json.end() ? nothing : *found;
}

/// The JSON in a reply: models like to wrap it into a fence or a sentence.
std::string json_in(const std::string& content) {
  const auto begin = content.find('{');
  const auto end = content.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return content;
  return content.substr(begin, end - begin + 1);
}

/// Calls of functions as the JSON that an answer with calls is. Arguments come as a text; if that
/// is no JSON it stays one, so that whoever reads it can say so to the model.
std::string calls_in(const Json& tool_calls) {
  Json calls = Json::array();
  for (const Json& call : tool_calls) {
    Json arguments = field(field(call, "function"), "arguments");
    const bool is_text = arguments.is_string();
    Json parsed = is_text ? Json::parse(arguments.get<std::string>(), nullptr, false) : arguments;
    calls.push_back(
        {{"name", field(field(call, "function"), "name")},
         {"arguments", parsed.is_discarded() ? std::move(arguments) : std::move(parsed)}});
  }
  return Json{{"calls", std::move(calls)}}.dump();
}

std::uint64_t count(const Json& usage, const char* name) {
  const Json& number = field(usage, name);
  return number.is_number() && number > 0 ? number.get<std::uint64_t>() : 0;
}

/// In USD, if the server says so itself.
std::optional<double> cost(const Json& usage) {
  const Json& usd = field(usage, "cost");
  return usd.is_number() && usd >= 0 ? std::optional{usd.get<double>()} : std::nullopt;
}

Spent spent(const Json& usage, const Terms& terms) {
  const auto input = count(usage, "prompt_tokens");
  const auto output = count(usage, "completion_tokens");
  const double by_price = (static_cast<double>(input) * terms.usd_per_million_input +
                           static_cast<double>(output) * terms.usd_per_million_output) /
                          1e6;
  return {input + output, cost(usage).value_or(by_price)};
}

/// A server may end an answer before the limit, when the model can hold no more.
std::string cut_off(const Json& usage, const Terms& terms) {
  const auto tokens = count(usage, "completion_tokens");
  return "the answer was cut off after " +
         (tokens > 0 ? std::to_string(tokens) : std::string{"some"}) +
         " tokens: " + std::to_string(terms.max_tokens) +
         " are allowed (--max-tokens), and the model may hold fewer";
}

class Reading {
 public:
  Reading(const httplib::Response& response, const OpenAiOptions& options)
      : text_(response.body), options_(options) {}

  Answer answer() const {
    const Json body = parse();
    const Json& choices = field(body, "choices");
    if (!choices.is_array() || choices.empty()) {
      fail("the server's reply is not one of the chat API: it has no 'choices'", true);
    }
    const Json& content = field(field(choices.front(), "message"), "content");
    const Json& calls = field(field(choices.front(), "message"), "tool_calls");
    const Json& usage = field(body, "usage");
    const bool whole = field(choices.front(), "finish_reason") != "length";
    if (whole && calls.is_array() && !calls.empty()) {
      return {calls_in(calls), spent(usage, options_.terms)};
    }
    if (whole && !content.is_string()) fail("the server's reply has no text in 'content'", true);
    const std::string said = content.is_string() ? content.get<std::string>() : "";
    return {json_in(said), spent(usage, options_.terms),
            whole ? "" : cut_off(usage, options_.terms)};
  }

 private:
  Json parse() const {
    try {
      return Json::parse(text_);
    } catch (const Json::exception& error) {
      if (text_.empty()) fail("the server's reply is empty", false);
      const auto* syntax = dynamic_cast<const Json::parse_error*>(&error);
      const bool half = syntax != nullptr && syntax->byte > text_.size();
      fail(half ? "half an answer: the server's reply ends in the middle of its JSON"
                : "the server's reply is not JSON, as those of the chat API are",
           true);
    }
  }

  [[noreturn]] void fail(std::string what, bool tell) const {
    if (tell) what += "; it begins with " + quoted(text_, options_.key, told_bytes);
    throw ProviderError{what, {.retryable = true, .retry_after = std::nullopt, .http_status = 200}};
  }

  const std::string& text_;
  const OpenAiOptions& options_;
};

}  // namespace

Answer answer_from(const httplib::Response& response, const OpenAiOptions& options) {
  return Reading{response, options}.answer();
}

}  // namespace model
