#include "model/refusals.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

#include "model/provider.hpp"

namespace model {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_bytes = 200;  // of a complaint

bool is_retryable(int status) {
  static constexpr std::array<int, 4> passing{408, 409, 425, 429};
  return status >= 500 || std::ranges::find(passing, status) != passing.end();
}

/// What the server says went wrong, short, and without the key should it echo that.
std::string complaint(const std::string& body, const std::string& key) {
  const Json json = Json::parse(body, nullptr, false);
  std::string text;
  if (json.is_object() && json.contains("error")) {
    const Json& error = json["error"];
    const Json& message = error.is_object() && error.contains("message") ? error["message"] : error;
    text = message.is_string() ? message.get<std::string>() : std::string{};
  }
  return text.empty() ? text : ": " + excerpt(text, key, most_bytes);
}

}  // namespace

std::optional<std::chrono::seconds> retry_after(const std::string& value) {
  unsigned seconds = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), seconds);
  const bool is_whole = read.ec == std::errc{} && read.ptr == value.data() + value.size();
  return is_whole ? std::optional{std::chrono::seconds{seconds}} : std::nullopt;
}

std::string excerpt(std::string text, const std::string& key, std::size_t most) {
  for (auto at = text.find(key); !key.empty() && at != text.npos; at = text.find(key, at)) {
    text.replace(at, key.size(), "***");
  }
  if (text.size() > most) {
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text.resize(end);  // at the end of a character
  }
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' '; }, ' ');
  // What is no UTF-8 cannot be recorded.
  const std::string good = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(good).get<std::string>();
}

std::string quoted(std::string text, const std::string& key, std::size_t most) {
  return "“" + excerpt(std::move(text), key, most) + "”";
}

void refuse(const httplib::Response& response, const std::string& key) {
  throw ProviderError{
      "the server answered " + std::to_string(response.status) + complaint(response.body, key),
      {.retryable = is_retryable(response.status),
       .retry_after = retry_after(response.get_header_value("Retry-After")),
       .http_status = response.status}};
}

std::string reason(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection: return "nothing listens there, or it does not accept";
    case httplib::Error::ConnectionTimeout: return "it did not accept in time";
    case httplib::Error::Read: return "it hung up, or took too long";
    case httplib::Error::Write: return "it hung up";
    case httplib::Error::SSLConnection: return "no secure connection to it could be made";
    case httplib::Error::SSLServerVerification: return "its certificate cannot be trusted";
    default: return httplib::to_string(error);
  }
}

}  // namespace model
