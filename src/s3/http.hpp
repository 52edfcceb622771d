/// @file
/// Signed requests to one bucket, by libcurl.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/error.hpp"
#include "resumable/lease.hpp"
#include "resumable/record.hpp"
#include "s3/target.hpp"

namespace resumable::s3 {

struct Request {
  std::string_view method;  ///< GET, HEAD, PUT, POST or DELETE
  std::string_view key{};   ///< "": the bucket
  /// Parameters in byte order, encoded, each with its `=`: what is signed stands as it is sent.
  std::string query{};
  std::string range{};  ///< `bytes=0-99`
  const Payload* body = nullptr;
  std::string_view sha256{};       ///< of the body
  std::uint64_t most = 4U << 20U;  ///< bytes of an answer; of a longer one some more are kept
};

struct Response {
  long status = 0;
  std::string body{};
  std::string etag{};
  std::uint64_t size = 0;  ///< Content-Length
  std::string code{};      ///< of an error: `NoSuchKey`
  std::string message{};

  [[nodiscard]] bool ok() const noexcept { return status >= 200 && status < 300; }
};

/// Percent-encoded as signatures want it: all but letters, digits and `-._~`.
[[nodiscard]] std::string encoded(std::string_view text, std::string_view also_plain = "");

/// The text of the first element of this name, without entities; "" where there is none.
[[nodiscard]] std::string element(std::string_view xml, std::string_view name);

/// Safe to use from several threads.
class Http {
 public:
  /// @throws Error{Errc::bad_option}
  explicit Http(const S3Options& options);
  ~Http();
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;

  [[nodiscard]] const Target& target() const noexcept { return target_; }

  /// The answer, whatever its status, once the request was repeated as long as that may help.
  /// @param code  of the error that says that no answer came
  /// @throws Error{code}, Error{Errc::cancelled}, Error{Errc::forked},
  ///         Error{Errc::bad_option} (no credentials)
  [[nodiscard]] Response send(const Request& request, Errc code, const Wait& wait);

  /// That the server refused a request.
  [[nodiscard]] Error refused(const Request& request, const Response& response, Errc code) const;
  /// `s3://bucket/key`
  [[nodiscard]] std::string url_of(std::string_view key) const;

 private:
  struct Exchange;
  struct Handle;
  struct Failure;
  class Lent;

  [[nodiscard]] Response once(const Request& request, const Wait& wait);
  [[nodiscard]] std::unique_ptr<Handle> take();
  void give_back(std::unique_ptr<Handle> handle) noexcept;
  void check_process() const;

  Target target_;
  std::int64_t pid_;
  std::mutex guard_;
  std::vector<std::unique_ptr<Handle>> idle_;  ///< with open connections
  bool answered_ = false;                      ///< the server was there once
};

}  // namespace resumable::s3
