#include "model/openai.hpp"

#include <cstdlib>

#include <httplib.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "model/refusals.hpp"

namespace model {
namespace {

using Ordered = nlohmann::ordered_json;  // a model writes the keys in the order of its schema
using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& message) {
  throw ProviderError{message, {.retryable = false, .retry_after = std::nullopt, .http_status = 0}};
}

Ordered messages(const Task& task) {
  const std::string system = "Never use knowledge from outside the input.\n" + task.instructions +
                             "\nAnswer with JSON only, in this shape: " + task.schema;
  const std::string user =
      R"({"task":)" + Ordered(task.name).dump() + R"(,"input":)" + task.input + "}";
  return Ordered::array(
      {{{"role", "system"}, {"content", system}}, {{"role", "user"}, {"content", user}}});
}

/// The JSON schema of values like `example`: the same fields, all of them required.
Ordered schema_of(const Ordered& example) {
  if (example.is_object()) {
    Ordered schema{{"type", "object"},
                   {"properties", Ordered::object()},
                   {"required", Ordered::array()},
                   {"additionalProperties", false}};
    for (const auto& field : example.items()) {
      schema["properties"][field.key()] = schema_of(field.value());
      schema["required"].push_back(field.key());
    }
    return schema;
  }
  if (example.is_array() && !example.empty()) {
    return {{"type", "array"}, {"items", schema_of(example.front())}};
  }
  if (example.is_boolean()) return {{"type", "boolean"}};
  if (example.is_number()) return {{"type", example.is_number_float() ? "number" : "integer"}};
  return {{"type", "string"}};
}

/// A task without a schema has an example that gives one; where several are told apart in words,
/// any JSON object will do.
Ordered response_format(const Task& task) {
  const Ordered example = Ordered::parse(task.schema, nullptr, false);
  const bool is_one = example.is_object() && !example.empty();
  if (task.json_schema.empty() && !is_one) return {{"type", "json_object"}};
  Ordered schema = task.json_schema.empty() ? schema_of(example) : Ordered::parse(task.json_schema);
  return {{"type", "json_schema"},
          {"json_schema", {{"name", task.name}, {"strict", true}, {"schema", std::move(schema)}}}};
}

Ordered functions(const std::vector<Tool>& tools) {
  Ordered list = Ordered::array();
  for (const Tool& tool : tools) {
    list.push_back({{"type", "function"},
                    {"function",
                     {{"name", tool.name},
                      {"description", tool.description},
                      {"parameters", Ordered::parse(tool.json_schema)}}}});
  }
  return list;
}

/// The tools of a task in words, for a server that takes no functions.
Task with_tools_in_words(Task task) {
  task.instructions +=
      "\nTo call a tool, answer {\"calls\":[{\"name\":\"…\",\"arguments\":{…}}]} instead. The "
      "tools: " +
      functions(std::exchange(task.tools, {})).dump();
  return task;
}

httplib::Request request_for(const OpenAiOptions& options, const std::string& path,
                             const Task& task, bool with_format) {
  httplib::Request request;
  request.method = "POST";
  request.path = path;
  request.set_header("Content-Type", "application/json");
  request.set_header("Accept", "application/json");
  if (!options.key.empty()) request.set_header("Authorization", "Bearer " + options.key);
  Ordered body{{"model", options.model},
               {"temperature", 0},
               {"seed", options.seed},
               {"max_tokens", options.terms.max_tokens},
               {"messages", messages(task)}};
  if (with_format) body["response_format"] = response_format(task);
  if (!task.tools.empty()) body["tools"] = functions(task.tools);
  request.body = body.dump();
  return request;
}

void set_timeouts(httplib::Client& client, const OpenAiOptions& options) {
  client.set_connection_timeout(options.connect_timeout);
  client.set_read_timeout(options.timeout);
  client.set_write_timeout(options.timeout);
}

/// A stop before the socket exists would go unseen by client.stop(): look for it here, the first
/// moment at which it exists. Leaving by exception, httplib would not close it.
void leave_if_stopped(httplib::Client& client, const std::stop_token& stop) {
  client.set_socket_options([&stop](socket_t socket) {
    if (!stop.stop_requested()) return;
    ::close(socket);
    throw Stopped{};
  });
}

}  // namespace

std::string key_from_environment() {
  const char* key = std::getenv("OPENAI_API_KEY");
  return key == nullptr ? std::string{} : std::string{key};
}

OpenAiProvider::OpenAiProvider(OpenAiOptions options) : options_{std::move(options)} {
  const std::string& url = options_.base_url;
  const auto scheme = url.find("://");
  const std::string name = url.substr(0, scheme);
  if (scheme == std::string::npos || (name != "http" && name != "https")) {
    fail("cannot read the base URL '" + url + "': write http://host:port or https://host");
  }
#ifndef CPPHTTPLIB_OPENSSL_SUPPORT
  if (name == "https") fail("this program is built without https: use an http:// base URL");
#endif
  const auto slash = url.find('/', scheme + 3);
  origin_ = url.substr(0, slash);
  if (origin_.size() == scheme + 3) fail("the base URL '" + url + "' names no host");
  path_ = slash == std::string::npos ? "" : url.substr(slash);
  while (path_.ends_with('/')) path_.pop_back();
  path_ += path_.ends_with("/v1") ? "/chat/completions" : "/v1/chat/completions";
}

Answer OpenAiProvider::do_ask(const Task& task, const std::stop_token& stop) {
  const bool with_format = knows_formats_;
  const bool with_tools = knows_tools_ && !task.tools.empty();
  const bool in_words = !task.tools.empty() && !with_tools;
  try {
    return send(
        request_for(options_, path_, in_words ? with_tools_in_words(task) : task, with_format),
        stop);
  } catch (const ProviderError& error) {
    const bool refused = error.http_status() == 400 || error.http_status() == 422;
    const std::string_view what = error.what();
    const bool format = with_format && what.find("response_format") != what.npos;
    const bool tools = with_tools && what.find("tool") != what.npos;
    if (!refused || !(format || tools)) throw;
    if (format) knows_formats_ = false;
    if (tools) knows_tools_ = false;
  }
  return do_ask(task, stop);
}

Answer OpenAiProvider::send(httplib::Request request, const std::stop_token& stop) const {
  httplib::Client client{origin_};
  if (!client.is_valid()) fail("cannot read the base URL '" + options_.base_url + "'");
  set_timeouts(client, options_);
  leave_if_stopped(client, stop);
  const auto deadline = Clock::now() + options_.timeout;
  request.progress = [&](std::uint64_t, std::uint64_t) {
    return !stop.stop_requested() && Clock::now() < deadline;
  };
  const std::stop_callback on_stop{stop, [&client] { client.stop(); }};
  const httplib::Result result = client.send(request);
  if (stop.stop_requested()) throw Stopped{};
  if (!result) {
    throw ProviderError{"no answer from " + origin_ + ": " + reason(result.error()),
                        {.retryable = true, .retry_after = std::nullopt, .http_status = 0}};
  }
  if (result->status != 200) refuse(*result, options_.key);
  return answer_from(*result, options_);
}

}  // namespace model
