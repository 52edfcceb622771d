#include "s3/target.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "store/parameters.hpp"

namespace resumable::s3 {
namespace {

constexpr std::string_view scheme = "s3://";

Error bad(std::string what, std::string next) {
  return {Errc::bad_option, {.what = std::move(what), .next = std::move(next)}};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string first_of(std::string_view said, std::initializer_list<const char*> variables,
                     std::string_view otherwise) {
  if (!said.empty()) return std::string{said};
  for (const char* name : variables) {
    if (std::string value = variable(name); !value.empty()) return value;
  }
  return std::string{otherwise};
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool has_only(std::string_view text, std::string_view others) {
  return std::ranges::all_of(
      text, [&](char c) { return is_letter_or_digit(c) || others.find(c) != others.npos; });
}

void check(const S3Options& options) {
  const std::string& bucket = options.bucket;
  if (bucket.size() < 3 || bucket.size() > 63 || !has_only(bucket, ".-_")) {
    throw bad("the URL of the payloads names no bucket",
              "write payloads=s3://bucket/prefix; credentials come from the environment or from"
              " ~/.aws/credentials");
  }
  const std::string& prefix = options.prefix;
  const bool odd = prefix.starts_with('/') || prefix.ends_with('/') ||
                   prefix.find("//") != prefix.npos || prefix.find("..") != prefix.npos;
  if (odd || prefix.size() > 400 || !has_only(prefix, "._-/")) {
    throw bad(fmt::format("'{}' cannot be the prefix of objects", core::printable(prefix)),
              "use letters, digits and . _ - with single slashes between them");
  }
  constexpr std::uint64_t most_part = std::uint64_t{5} << 30U;
  if (options.part_bytes == 0 || options.part_bytes > most_part) {
    throw bad("the parts of objects do not have 1 byte to 5 GiB", "use 16 MiB");
  }
  constexpr std::chrono::hours most{1};
  if (options.timeout < std::chrono::milliseconds{100} || options.timeout > most) {
    throw bad("the timeout of requests to S3 is not between 100 ms and 1 hour",
              "choose another timeout");
  }
}

void check_endpoint(std::string_view endpoint) {
  const std::string_view host = endpoint.substr(std::min(endpoint.find("//") + 2, endpoint.size()));
  const bool known = endpoint.starts_with("https://") || endpoint.starts_with("http://");
  if (!known || host.empty() || !has_only(host, ".-:[]")) {
    throw bad("the endpoint of S3 is not https://host:port or http://host:port",
              "write one of these, without a path or credentials");
  }
}

std::uint64_t bytes_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const unsigned shift = unit == "KiB" ? 10 : unit == "MiB" ? 20 : unit == "GiB" ? 30 : 0;
  const bool known = unit.empty() || shift > 0;
  if (error != std::errc{} || !known || number > (std::uint64_t{1} << 60U) >> shift) {
    throw bad("'payloads_above' in the URL of the store is not a number of bytes",
              "write for instance payloads_above=256KiB");
  }
  return number << shift;
}

/// `s3://bucket/prefix`
void read_place(std::string_view url, S3Options& options) {
  if (!url.starts_with(scheme)) {
    throw bad("'payloads' in the URL of the store does not begin with s3://",
              "write payloads=s3://bucket/prefix");
  }
  url.remove_prefix(scheme.size());
  const std::size_t slash = std::min(url.find('/'), url.size());
  options.bucket = url.substr(0, slash);
  options.prefix = url.substr(std::min(slash + 1, url.size()));
  if (options.prefix.ends_with('/')) options.prefix.pop_back();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(spaces), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(spaces) + 1);
}

/// The lines `name = value` of one `[profile]`.
std::optional<Credentials> credentials_in(std::istream& file, std::string_view profile) {
  Credentials found;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = trimmed(line);
    if (text.starts_with('[')) {
      inside = text.ends_with(']') && trimmed(text.substr(1, text.size() - 2)) == profile;
    }
    const std::size_t equals = text.find('=');
    if (!inside || equals == text.npos || text.starts_with('#')) continue;
    const std::string_view name = trimmed(text.substr(0, equals));
    const std::string_view value = trimmed(text.substr(equals + 1));
    if (name == "aws_access_key_id") found.id = value;
    if (name == "aws_secret_access_key") found.secret = value;
    if (name == "aws_session_token") found.token = value;
  }
  if (found.id.empty() || found.secret.empty()) return std::nullopt;
  return found;
}

}  // namespace

Target target_of(const S3Options& options) {
  check(options);
  Target target{.options = options, .url = {}, .base = {}, .region = {}};
  target.url = fmt::format("{}{}{}{}", scheme, options.bucket, options.prefix.empty() ? "" : "/",
                           options.prefix);
  target.region = first_of(options.region, {"AWS_REGION", "AWS_DEFAULT_REGION"}, "us-east-1");
  if (!has_only(target.region, "-_")) throw bad("the region of S3 is not a name", "name a region");
  std::string endpoint =
      first_of(options.endpoint, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}, "");
  if (!endpoint.empty()) {
    if (endpoint.ends_with('/')) endpoint.pop_back();
    check_endpoint(endpoint);
    target.base = endpoint + '/' + options.bucket;
  } else if (has_only(options.bucket, "-")) {
    target.base = fmt::format("https://{}.s3.{}.amazonaws.com", options.bucket, target.region);
  } else {  // a certificate does not cover more names
    target.base = fmt::format("https://s3.{}.amazonaws.com/{}", target.region, options.bucket);
  }
  return target;
}

Credentials find_credentials() {
  Credentials own{.id = variable("AWS_ACCESS_KEY_ID"),
                  .secret = variable("AWS_SECRET_ACCESS_KEY"),
                  .token = variable("AWS_SESSION_TOKEN")};
  if (!own.id.empty() && !own.secret.empty()) return own;
  const std::string path =
      first_of("", {"AWS_SHARED_CREDENTIALS_FILE"}, variable("HOME") + "/.aws/credentials");
  const std::string profile = first_of("", {"AWS_PROFILE"}, "default");
  std::ifstream file{path};
  if (auto found = credentials_in(file, profile)) return *std::move(found);
  throw Error(Errc::bad_option,
              {.what = fmt::format("there are no credentials for S3: neither in the environment"
                                   " nor for the profile '{}'",
                                   core::printable(profile)),
               .file = path,
               .kept = "nothing was changed",
               .next = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write the profile into"
                       " the file"});
}

SplitUrl split(std::string_view url) {
  SplitUrl parts;
  S3Options options;
  bool named = false;
  parts.rest = store::take_parameters(url, store::parameters_at(url),
                                      [&](std::string_view name, std::string_view value) {
                                        if (name == "payloads") {
                                          read_place(value, options);
                                          named = true;
                                        } else if (name == "payloads_above") {
                                          options.above = bytes_of(value);
                                        } else if (name == "s3_endpoint") {
                                          options.endpoint = value;
                                        } else if (name == "s3_region") {
                                          options.region = value;
                                        } else {
                                          return false;
                                        }
                                        return true;
                                      });
  if (!named) return {.rest = std::string{url}};
  parts.options = std::move(options);
  return parts;
}

std::string parameters_of(const S3Options& options) {
  std::string text = fmt::format("payloads={}{}{}{}", scheme, options.bucket,
                                 options.prefix.empty() ? "" : "/", options.prefix);
  if (options.above != S3Options{}.above) text += fmt::format("&payloads_above={}", options.above);
  if (!options.endpoint.empty()) text += "&s3_endpoint=" + options.endpoint;
  if (!options.region.empty()) text += "&s3_region=" + options.region;
  return text;
}

}  // namespace resumable::s3
