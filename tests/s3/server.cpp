#include "s3/server.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/socket.h>
#include <unistd.h>

namespace resumable::test {
namespace {

constexpr std::string_view bucket_path = "/bucket";

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, 32> sum{};
  EVP_Digest(bytes.data(), bytes.size(), sum.data(), nullptr, EVP_sha256(), nullptr);
  return hex({reinterpret_cast<const char*>(sum.data()), sum.size()});
}

std::string hmac(std::string_view key, std::string_view text) {
  std::array<unsigned char, 32> sum{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), sum.data(), &size);
  return {reinterpret_cast<const char*>(sum.data()), size};
}

std::string decoded(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      all += static_cast<char>(std::stoi(std::string{text.substr(i + 1, 2)}, nullptr, 16));
      i += 2;
    } else {
      all += text[i];
    }
  }
  return all;
}

/// As S3 encodes before it signs, whatever the client has sent.
std::string canonical(std::string_view text, bool is_path) {
  std::string all;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ||
                       c == '_' || c == '~' || (is_path && c == '/');
    all += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return all;
}

std::string between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == text.npos) return {};
  const std::size_t from = begin + open.size();
  return std::string{text.substr(from, std::min(text.find(close, from), text.size()) - from)};
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> all;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive(int connection, std::string& to) {
  std::array<char, 65536> piece{};
  const ssize_t count = ::recv(connection, piece.data(), piece.size(), 0);
  if (count <= 0) return false;
  to.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

S3Request parse(std::string_view head) {
  S3Request request;
  const std::vector<std::string> lines = parts(std::string{head}, '\n');
  const std::vector<std::string> first = parts(lines.front(), ' ');
  request.method = first.at(0);
  request.target = first.at(1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t colon = lines[i].find(':');
    if (colon == std::string::npos) continue;
    std::string name = lines[i].substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    std::string value = lines[i].substr(colon + 1);
    while (!value.empty() && (value.back() == '\r' || value.back() == ' ')) value.pop_back();
    value.erase(0, value.find_first_not_of(' '));
    request.headers[name] = value;
  }
  const std::size_t query = request.target.find('?');
  if (query != std::string::npos) {
    for (const std::string& pair : parts(request.target.substr(query + 1), '&')) {
      const std::size_t equals = std::min(pair.find('='), pair.size());
      request.query[decoded(pair.substr(0, equals))] =
          decoded(pair.substr(std::min(equals + 1, pair.size())));
    }
  }
  const std::string path = decoded(request.target.substr(0, query));
  request.key = path.size() > bucket_path.size() ? path.substr(bucket_path.size() + 1) : "";
  return request;
}

}  // namespace

struct S3Server::Answer {
  int status = 200;
  std::string body{};
  std::map<std::string, std::string> headers{};

  static Answer error(int status, std::string_view code, std::string_view message = "no") {
    return {status, fmt::format("<?xml version=\"1.0\"?><Error><Code>{}</Code><Message>{}</Message>"
                                "</Error>",
                                code, message)};
  }
};

S3Server::S3Server() {
  ::setenv("AWS_ACCESS_KEY_ID", id, 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", secret, 1);
  ::setenv("no_proxy", "127.0.0.1", 1);
  for (const char* name : {"AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION",
                           "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_PROFILE"}) {
    ::unsetenv(name);
  }
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, any, size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, any, &size) != 0) {
    throw std::runtime_error("no port for the server");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread{[this] { accept_all(); }};
}

S3Server::~S3Server() {
  ends_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::scoped_lock lock{guard_};
    for (const int connection : open_) ::shutdown(connection, SHUT_RDWR);
  }
  for (std::thread& one : connections_) one.join();
  ::close(listener_);
}

std::string S3Server::endpoint() const { return fmt::format("http://127.0.0.1:{}", port_); }

S3Options S3Server::options() const {
  return {.bucket = "bucket",
          .prefix = "some/team",
          .endpoint = endpoint(),
          .above = 0,
          .timeout = std::chrono::seconds{5}};
}

void S3Server::on_request(std::function<S3Fault(const S3Request&)> fault) {
  const std::scoped_lock lock{guard_};
  fault_ = std::move(fault);
}

void S3Server::require_token(std::string token) {
  const std::scoped_lock lock{guard_};
  token_ = std::move(token);
}

std::map<std::string, std::string> S3Server::objects() const {
  const std::scoped_lock lock{guard_};
  return objects_;
}

std::map<std::string, std::string> S3Server::values() const {
  auto all = objects();
  std::erase_if(all, [](const auto& one) { return one.first.ends_with("/resumable"); });
  return all;
}

void S3Server::put(const std::string& key, const std::string& bytes) {
  const std::scoped_lock lock{guard_};
  objects_[key] = bytes;
}

void S3Server::erase(const std::string& key) {
  const std::scoped_lock lock{guard_};
  objects_.erase(key);
}

std::size_t S3Server::uploads() const {
  const std::scoped_lock lock{guard_};
  return uploads_.size();
}

std::vector<std::string> S3Server::refusals() const {
  const std::scoped_lock lock{guard_};
  return refusals_;
}

void S3Server::accept_all() {
  while (!ends_) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const std::scoped_lock lock{guard_};
    open_.insert(connection);
    connections_.emplace_back([this, connection] { serve(connection); });
  }
}

void S3Server::serve(int connection) {
  std::string buffered;
  while (!ends_ && serve_one(connection, buffered)) {
  }
  const std::scoped_lock lock{guard_};
  open_.erase(connection);
  ::close(connection);
}

bool S3Server::serve_one(int connection, std::string& buffered) {
  std::size_t end = 0;
  while ((end = buffered.find("\r\n\r\n")) == std::string::npos) {
    if (!receive(connection, buffered)) return false;
  }
  S3Request request = parse(buffered.substr(0, end));
  buffered.erase(0, end + 4);
  ++count_;
  S3Fault fault = S3Fault::none;
  {
    std::unique_lock lock{guard_};
    const auto wanted = fault_;
    lock.unlock();
    if (wanted) fault = wanted(request);
  }
  if (fault == S3Fault::cut) return false;
  if (request.headers["expect"] == "100-continue" &&
      !send_all(connection, "HTTP/1.1 100 Continue\r\n\r\n")) {
    return false;
  }
  const std::string& length = request.headers["content-length"];
  const std::size_t size = length.empty() ? 0 : std::stoul(length);
  while (buffered.size() < size) {
    if (!receive(connection, buffered)) return false;
  }
  request.body = buffered.substr(0, size);
  buffered.erase(0, size);
  if (fault == S3Fault::silent) {
    while (receive(connection, buffered)) {
    }
    return false;
  }
  Answer answer;
  switch (fault) {
    case S3Fault::error_500: answer = Answer::error(500, "InternalError"); break;
    case S3Fault::slow_down: answer = Answer::error(503, "SlowDown"); break;
    case S3Fault::refused: answer = Answer::error(403, "SignatureDoesNotMatch"); break;
    case S3Fault::failed_end:
      answer = Answer::error(500, "InternalError");
      answer.status = 200;
      break;
    default: answer = this->answer(request);
  }
  if (fault == S3Fault::lost_answer) return false;
  std::string text = fmt::format("HTTP/1.1 {} Some reason\r\n", answer.status);
  for (const auto& [name, value] : answer.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (!answer.headers.contains("Content-Length")) {
    text += fmt::format("Content-Length: {}\r\n", answer.body.size());
  }
  text += "\r\n";
  if (request.method != "HEAD") text += answer.body;
  if (fault == S3Fault::half_answer) {
    send_all(connection, text.substr(0, text.size() - answer.body.size() / 2));
    return false;
  }
  return send_all(connection, text);
}

std::string S3Server::why_refused(const S3Request& request) const {
  const auto header = [&](const std::string& name) {
    const auto found = request.headers.find(name);
    return found == request.headers.end() ? std::string{} : found->second;
  };
  const std::string authorization = header("authorization");
  const std::string credential = between(authorization, "Credential=", ",");
  const std::vector<std::string> scope = parts(credential, '/');
  const std::string signed_names = between(authorization, "SignedHeaders=", ",");
  if (!authorization.starts_with("AWS4-HMAC-SHA256 ") || scope.size() != 5) return "no signature";
  if (scope[0] != id) return "another key id";
  if (scope[2] != "us-east-1" || scope[3] != "s3" || scope[4] != "aws4_request") return "scope";
  const std::string date = header("x-amz-date");
  if (date.substr(0, 8) != scope[1]) return "date";
  const std::vector<std::string> names = parts(signed_names, ';');
  std::string headers;
  for (const std::string& name : names) headers += name + ':' + header(name) + '\n';
  for (const auto& [name, value] : request.headers) {
    const bool must = name == "host" || name == "content-type" || name.starts_with("x-amz-");
    if (must && std::ranges::count(names, name) == 0) return name + " is not signed";
  }
  if (!std::ranges::is_sorted(names)) return "signed headers out of order";
  if (header("x-amz-security-token") != token_) return "token";
  const std::string sum = header("x-amz-content-sha256");
  if (sum.empty()) return "no x-amz-content-sha256";
  if (sum != sha256(request.body)) return "x-amz-content-sha256 of other bytes";
  std::string query;
  for (const auto& [name, value] : request.query) {
    query += (query.empty() ? "" : "&") + canonical(name, false) + '=' + canonical(value, false);
  }
  const std::string path =
      canonical(decoded(request.target.substr(0, request.target.find('?'))), true);
  const std::string canonical_request = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, path,
                                                    query, headers, signed_names, sum);
  const std::string to_sign = fmt::format("AWS4-HMAC-SHA256\n{}\n{}/us-east-1/s3/aws4_request\n{}",
                                          date, scope[1], sha256(canonical_request));
  std::string key = "AWS4" + std::string{secret};
  for (const std::string& one : {scope[1], scope[2], scope[3], scope[4]}) key = hmac(key, one);
  if (between(authorization, "Signature=", ",") != hex(hmac(key, to_sign))) return "signature";
  return {};
}

S3Server::Answer S3Server::answer(const S3Request& request) {
  const std::scoped_lock lock{guard_};
  if (std::string why = why_refused(request); !why.empty()) {
    refusals_.push_back(request.method + ' ' + request.target + ": " + why);
    return Answer::error(403, "SignatureDoesNotMatch", why);
  }
  if (!request.target.starts_with("/bucket/")) return Answer::error(404, "NoSuchBucket");
  if (request.key.empty()) return list(request);
  if (!request.query.empty()) return in_parts(request);
  if (request.method == "PUT") {
    objects_[request.key] = request.body;
    return {200, "", {{"ETag", '"' + sha256(request.body).substr(0, 32) + '"'}}};
  }
  const auto found = objects_.find(request.key);
  if (request.method == "DELETE") {
    objects_.erase(request.key);
    return {204};
  }
  if (found == objects_.end()) return Answer::error(404, "NoSuchKey");
  if (request.method == "HEAD") {
    return {200, "", {{"Content-Length", std::to_string(found->second.size())}}};
  }
  const auto range = request.headers.find("range");
  if (range == request.headers.end()) return {200, found->second};
  const std::size_t first = std::stoul(between(range->second, "bytes=", "-"));
  const std::size_t last = std::stoul(between(range->second, "-", ";"));
  if (first >= found->second.size()) return Answer::error(416, "InvalidRange");
  return {206, found->second.substr(first, last - first + 1)};
}

S3Server::Answer S3Server::list(const S3Request& request) const {
  constexpr std::size_t page = 3;
  if (request.query.at("list-type") != "2") return Answer::error(400, "InvalidArgument");
  const std::string& prefix = request.query.at("prefix");
  const auto token = request.query.find("continuation-token");
  std::string body = "<ListBucketResult>";
  std::size_t count = 0;
  auto at = token == request.query.end() ? objects_.lower_bound(prefix)
                                         : objects_.lower_bound(token->second.substr(1));
  for (; at != objects_.end() && at->first.starts_with(prefix) && count < page; ++at, ++count) {
    body += fmt::format("<Contents><Key>{}</Key><Size>{}</Size></Contents>", at->first,
                        at->second.size());
  }
  const bool more = at != objects_.end() && at->first.starts_with(prefix);
  body += fmt::format("<IsTruncated>{}</IsTruncated>", more);
  if (more) body += fmt::format("<NextContinuationToken>={}</NextContinuationToken>", at->first);
  return {200, body + "</ListBucketResult>"};
}

S3Server::Answer S3Server::in_parts(const S3Request& request) {
  if (request.query.contains("uploads")) {
    const std::string name = fmt::format("{}/+=&", uploads_.size() + count_);
    uploads_[name];
    std::string escaped = name;
    escaped.replace(escaped.find('&'), 1, "&amp;");
    return {200, "<Result><UploadId>" + escaped + "</UploadId></Result>"};
  }
  const auto found = uploads_.find(request.query.at("uploadId"));
  if (found == uploads_.end()) return Answer::error(404, "NoSuchUpload");
  if (request.method == "PUT") {
    found->second[std::stoi(request.query.at("partNumber"))] = request.body;
    return {200, "", {{"ETag", '"' + sha256(request.body).substr(0, 32) + '"'}}};
  }
  if (request.method == "POST") {
    std::string expected = "<CompleteMultipartUpload>";
    std::string whole;
    for (const auto& [number, bytes] : found->second) {
      expected += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>\"{}\"</ETag></Part>", number,
                              sha256(bytes).substr(0, 32));
      whole += bytes;
    }
    if (request.body != expected + "</CompleteMultipartUpload>") {
      return Answer::error(400, "InvalidPart");
    }
    objects_[request.key] = whole;
  }
  uploads_.erase(found);
  return {request.method == "POST" ? 200 : 204};
}

}  // namespace resumable::test
