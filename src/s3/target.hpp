/// @file
/// Where the objects are, and with whose credentials requests are signed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "resumable/s3.hpp"

namespace resumable::s3 {

struct Target {
  S3Options options;
  std::string url;  ///< for people: `s3://bucket/prefix`
  std::string
      base;  ///< of requests: `https://host[:port]`, with the bucket where it is in the path
  std::string region;
};

/// @throws Error{Errc::bad_option}
[[nodiscard]] Target target_of(const S3Options& options);

struct Credentials {
  std::string id;
  std::string secret;
  std::string token{};  ///< of temporary ones
};

/// From the environment, or from the file of profiles.
/// @throws Error{Errc::bad_option}  there are none
[[nodiscard]] Credentials find_credentials();

/// A store's URL without the parameters of with_s3_payloads(), and these.
struct SplitUrl {
  std::string rest;
  std::optional<S3Options> options{};  ///< nullopt: it has no `payloads`
};
/// @throws Error{Errc::bad_option}
[[nodiscard]] SplitUrl split(std::string_view url);
/// The parameters that give these options again.
[[nodiscard]] std::string parameters_of(const S3Options& options);

}  // namespace resumable::s3
