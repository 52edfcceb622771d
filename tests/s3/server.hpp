/// @file
/// A server of one bucket that is as strict as S3: for tests, on a port of the loopback interface.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "resumable/s3.hpp"

namespace resumable::test {

/// What goes wrong with one request.
enum class S3Fault : std::uint8_t {
  none,
  error_500,
  slow_down,    ///< 503
  refused,      ///< 403, as if the signature did not fit
  cut,          ///< the connection ends before anything happens
  lost_answer,  ///< it happens, and then the connection ends
  half_answer,  ///< it happens, and the connection ends in the middle of the answer's body
  failed_end,   ///< of an upload in parts: 200 with an error in the body
  silent,       ///< no answer, until the client gives up
};

/// One request, as the server sees it.
struct S3Request {
  std::string method;
  std::string target;  ///< as it was sent, with the query
  std::string key;     ///< below the bucket, decoded
  std::map<std::string, std::string> query;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;

  [[nodiscard]] bool is_put() const { return method == "PUT" && query.empty(); }
};

/// Keeps objects in memory. Refuses requests whose signature, digest or time does not fit, or that
/// leave out of the signature what S3 wants in it.
class S3Server {
 public:
  S3Server();
  ~S3Server();
  S3Server(const S3Server&) = delete;
  S3Server& operator=(const S3Server&) = delete;

  /// Of a store with payloads here; sets the environment's credentials.
  [[nodiscard]] S3Options options() const;
  [[nodiscard]] std::string endpoint() const;

  /// Asked for each request; called by the threads of the server.
  void on_request(std::function<S3Fault(const S3Request&)> fault);
  void require_token(std::string token);

  [[nodiscard]] std::map<std::string, std::string> objects() const;
  /// Those that are values.
  [[nodiscard]] std::map<std::string, std::string> values() const;
  void put(const std::string& key, const std::string& bytes);
  void erase(const std::string& key);
  [[nodiscard]] std::size_t uploads() const;  ///< unfinished ones
  [[nodiscard]] std::size_t requests() const { return count_; }
  /// Of requests that were refused although no fault was wanted.
  [[nodiscard]] std::vector<std::string> refusals() const;

  static constexpr const char* id = "AKIDEXAMPLE";
  static constexpr const char* secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

 private:
  struct Answer;

  void accept_all();
  void serve(int connection);
  /// false: the connection ends.
  bool serve_one(int connection, std::string& buffered);
  [[nodiscard]] Answer answer(const S3Request& request);
  [[nodiscard]] Answer list(const S3Request& request) const;
  [[nodiscard]] Answer in_parts(const S3Request& request);
  [[nodiscard]] std::string why_refused(const S3Request& request) const;

  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> ends_{false};
  std::atomic<std::size_t> count_{0};
  mutable std::mutex guard_;
  std::map<std::string, std::string> objects_;
  std::map<std::string, std::map<int, std::string>> uploads_;
  std::function<S3Fault(const S3Request&)> fault_;
  std::string token_;
  std::vector<std::string> refusals_;
  std::set<int> open_;
  std::vector<std::thread> connections_;
  std::thread acceptor_;
};

}  // namespace resumable::test
