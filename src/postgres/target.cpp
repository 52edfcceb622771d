#include "postgres/target.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <libpq-fe.h>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "store/parameters.hpp"

namespace resumable::postgres {
namespace {

constexpr std::string_view mark = "[redacted]";

Error bad(std::string what, std::string next) {
  return {Errc::bad_option, {.what = std::move(what), .next = std::move(next)}};
}

bool is_secret(std::string_view keyword) {
  return keyword == "password" || keyword == "sslpassword";
}

void check(const PostgresStoreOptions& options) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const std::string& schema = options.schema;
  if (schema.empty() || schema.size() > 48 || !std::ranges::all_of(schema, plain)) {
    throw bad(
        "the name of the schema has other characters than letters, digits and underscores,"
        " or not 1 to 48",
        "choose another name");
  }
  constexpr std::chrono::hours most{1};
  if (options.ttl < std::chrono::seconds{1} || options.ttl > most) {
    throw bad("the ttl of leases is not between 1 second and 1 hour", "choose another ttl");
  }
  if (options.timeout < std::chrono::milliseconds{100} || options.timeout > most) {
    throw bad("the timeout of the store is not between 100 ms and 1 hour",
              "choose another timeout");
  }
}

/// The first parameter of the query that libpq does not know, or "". Not of a query that may be a
/// part of a password.
std::string unknown_parameter(std::string_view url) {
  std::string_view query = url.substr(store::parameters_at(url));
  if (query.find('@') != query.npos) return {};
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> known{PQconndefaults(),
                                                                           &PQconninfoFree};
  while (known && !query.empty()) {
    query.remove_prefix(1);
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(pair.size());
    const std::string_view name = pair.substr(0, pair.find('='));
    bool found = name == "ssl";
    for (const PQconninfoOption* one = known.get(); one->keyword != nullptr; ++one) {
      found = found || name == one->keyword;
    }
    if (!found) return std::string{name};
  }
  return {};
}

/// As it may be typed again: a password comes from elsewhere.
std::string url_of(const std::map<std::string, std::string>& keywords, const std::string& schema) {
  const auto get = [&](const char* keyword) {
    const auto found = keywords.find(keyword);
    return found == keywords.end() ? std::string{} : found->second;
  };
  std::string url = "postgres://";
  if (!get("user").empty()) url += get("user") + '@';
  const std::string host = get("host");
  const bool socket = host.starts_with('/');
  if (!socket) url += host;
  if (!socket && !get("port").empty()) url += ':' + get("port");
  url += '/' + get("dbname");
  char before = '?';
  const auto add = [&](std::string_view keyword, const std::string& value) {
    url += fmt::format("{}{}={}", before, keyword, value);
    before = '&';
  };
  if (socket) add("host", host);
  if (socket && !get("port").empty()) add("port", get("port"));
  if (schema != PostgresStoreOptions{}.schema) add("schema", schema);
  return url;
}

std::chrono::milliseconds seconds_of(std::string_view name, std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds >= 0) ||
      seconds > 1e6) {
    throw bad(fmt::format("'{}' in the URL of the store is not a number of seconds", name),
              fmt::format("write for instance {}=30", name));
  }
  return std::chrono::milliseconds{static_cast<std::int64_t>(seconds * 1000)};
}

}  // namespace

std::string Target::masked(std::string text) const {
  for (const auto& [keyword, value] : keywords) {
    if (!is_secret(keyword) || value.empty()) continue;
    for (std::size_t at = 0; (at = text.find(value, at)) != text.npos; at += mark.size()) {
      text.replace(at, value.size(), mark);
    }
  }
  return text;
}

Target target_of(std::string_view url, const PostgresStoreOptions& options) {
  check(options);
  char* problem = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed{
      PQconninfoParse(std::string{url}.c_str(), &problem), &PQconninfoFree};
  // It quotes what it cannot read, which may be a password.
  if (problem != nullptr) PQfreemem(problem);
  if (!parsed) {
    if (const std::string name = unknown_parameter(url); !name.empty()) {
      throw bad(fmt::format("the URL of the store has the parameter '{}', which does not exist",
                            core::printable(name)),
                "the store's are schema, ttl and timeout; the others are those of libpq, such as"
                " host and sslmode");
    }
    throw bad("the URL of the store is not one of a PostgreSQL database",
              "write postgres://user@host:port/database; in a password, write special characters"
              " as %XX");
  }
  std::map<std::string, std::string> keywords;
  for (const PQconninfoOption* one = parsed.get(); one->keyword != nullptr; ++one) {
    if (one->val != nullptr) keywords[one->keyword] = one->val;
  }
  Target target{.keywords = {}, .options = options, .url = url_of(keywords, options.schema)};
  keywords.try_emplace("application_name", "resumable");
  keywords.try_emplace("tcp_user_timeout", fmt::format("{}", options.timeout.count()));
  if (keywords["host"].find(',') != std::string::npos) {
    keywords.try_emplace("target_session_attrs", "read-write");
  }
  keywords["client_encoding"] = "UTF8";
  target.keywords.assign(keywords.begin(), keywords.end());
  return target;
}

std::string take_options(std::string_view url, PostgresStoreOptions& options) {
  return store::take_parameters(url, store::parameters_at(url),
                                [&](std::string_view name, std::string_view value) {
                                  if (name == "schema") {
                                    options.schema = value;
                                  } else if (name == "ttl") {
                                    options.ttl = seconds_of(name, value);
                                  } else if (name == "timeout") {
                                    options.timeout = seconds_of(name, value);
                                  } else {
                                    return false;
                                  }
                                  return true;
                                });
}

}  // namespace resumable::postgres
