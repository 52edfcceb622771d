#include "s3/objects.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "sha256/sha256.hpp"

namespace resumable::s3 {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t most_parts = 10'000;

/// A part of a payload, in memory.
StringPayload part_of(const Payload& payload, std::uint64_t at, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t count = payload.read(at + done, std::span(bytes).subspan(done));
    if (count == 0) throw Error(Errc::damaged, {.what = "a payload ended too early"});
    done += count;
  }
  return StringPayload{std::move(bytes)};
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// @throws Error{code}  it was refused
const Response& accepted(const Http& http, const Request& request, const Response& response,
                         Errc code) {
  if (response.ok() && response.code.empty()) return response;
  throw http.refused(request, response, code);
}

}  // namespace

std::string sha256_of(const Payload& payload) {
  sha256::Sha256 sum;
  if (const auto bytes = payload.view()) {
    sum.add(*bytes);
    return sum.finish();
  }
  std::vector<char> piece(static_cast<std::size_t>(std::min(piece_bytes, payload.size())));
  for (std::uint64_t at = 0; at < payload.size();) {
    const std::size_t count = payload.read(at, piece);
    if (count == 0) throw Error(Errc::damaged, {.what = "a payload ended too early"});
    sum.add({piece.data(), count});
    at += count;
  }
  return sum.finish();
}

void Objects::put(std::string_view key, const Payload& payload, std::string_view sha256,
                  const Wait& wait) {
  const S3Options& options = target().options;
  if (payload.size() / 4 >= options.part_bytes) return put_in_parts(key, payload, wait);
  const Request request{.method = "PUT", .key = key, .body = &payload, .sha256 = sha256};
  accepted(http_, request, http_.send(request, Errc::store_failed, wait), Errc::store_failed);
}

void Objects::put_in_parts(std::string_view key, const Payload& payload, const Wait& wait) {
  const Request begin{.method = "POST", .key = key, .query = "uploads="};
  const Response begun = http_.send(begin, Errc::store_failed, wait);
  accepted(http_, begin, begun, Errc::store_failed);
  const std::string upload = encoded(element(begun.body, "UploadId"));
  try {
    const std::uint64_t size =
        std::max(target().options.part_bytes, payload.size() / most_parts + 1);
    std::string parts = "<CompleteMultipartUpload>";
    unsigned number = 0;
    for (std::uint64_t at = 0; at < payload.size(); at += size) {
      const StringPayload part = part_of(payload, at, std::min(size, payload.size() - at));
      const std::string etag =
          put_part(key, fmt::format("partNumber={}&uploadId={}", ++number, upload), part, wait);
      parts += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", number, etag);
    }
    complete(key, upload, parts + "</CompleteMultipartUpload>", payload.size(), wait);
  } catch (...) {
    // Also when the caller's time is over. What this misses, a rule of the bucket removes.
    try {
      const Request abort{.method = "DELETE", .key = key, .query = "uploadId=" + upload};
      const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds{5};
      static_cast<void>(http_.send(abort, Errc::store_failed, {.stop = {}, .deadline = soon}));
    } catch (const Error&) {
    }
    throw;
  }
}

std::string Objects::put_part(std::string_view key, const std::string& query, const Payload& part,
                              const Wait& wait) {
  const std::string sum = sha256_of(part);
  const Request request{.method = "PUT", .key = key, .query = query, .body = &part, .sha256 = sum};
  const Response response = http_.send(request, Errc::store_failed, wait);
  return accepted(http_, request, response, Errc::store_failed).etag;
}

void Objects::complete(std::string_view key, const std::string& upload, const std::string& parts,
                       std::uint64_t size, const Wait& wait) {
  const StringPayload body{parts};
  const std::string sum = sha256_of(body);
  const Request request{
      .method = "POST", .key = key, .query = "uploadId=" + upload, .body = &body, .sha256 = sum};
  const Response response = http_.send(request, Errc::store_failed, wait);
  // When the answer to the first request was lost, the upload is gone at the second.
  if (response.code == "NoSuchUpload" && size_of(key, wait) == size) return;
  accepted(http_, request, response, Errc::store_failed);
}

std::optional<std::string> Objects::get(std::string_view key, std::uint64_t at, std::uint64_t size,
                                        std::uint64_t whole, const Wait& wait) {
  const bool all = at == 0 && size == whole;
  const Request request{.method = "GET",
                        .key = key,
                        .range = all ? "" : fmt::format("bytes={}-{}", at, at + size - 1),
                        .most = size};
  Response response = http_.send(request, Errc::unreadable, wait);
  if (response.code == "NoSuchKey") return std::nullopt;
  if (response.code == "InvalidRange") return std::string{};
  accepted(http_, request, response, Errc::unreadable);
  if (!all && response.status != 206) {
    response.code = "no Range";
    throw http_.refused(request, response, Errc::unreadable);
  }
  return std::move(response.body);
}

std::optional<std::uint64_t> Objects::size_of(std::string_view key, const Wait& wait) {
  const Request request{.method = "HEAD", .key = key};
  const Response response = http_.send(request, Errc::unreadable, wait);
  if (response.status == 404) return std::nullopt;
  return accepted(http_, request, response, Errc::unreadable).size;
}

void Objects::list(std::string_view prefix, FunctionRef<void(Listed)> visit, const Wait& wait) {
  constexpr std::string_view end_of_entry = "</Contents>";
  std::string more;
  do {
    Request request{.method = "GET"};
    if (!more.empty()) request.query = fmt::format("continuation-token={}&", encoded(more));
    request.query += fmt::format("list-type=2&prefix={}", encoded(prefix));
    const Response response = http_.send(request, Errc::unreadable, wait);
    accepted(http_, request, response, Errc::unreadable);
    std::string_view xml = response.body;
    for (;;) {
      const std::size_t begin = xml.find("<Contents>");
      const std::size_t end = xml.find(end_of_entry);
      if (begin == xml.npos || end == xml.npos || end < begin) break;
      const std::string_view entry = xml.substr(begin, end - begin);
      visit({.key = element(entry, "Key"), .size = number_of(element(entry, "Size"))});
      xml.remove_prefix(end + end_of_entry.size());
    }
    more = element(response.body, "IsTruncated") == "true"
               ? element(response.body, "NextContinuationToken")
               : std::string{};
  } while (!more.empty());
}

void Objects::remove(std::string_view key, const Wait& wait) {
  const Request request{.method = "DELETE", .key = key};
  const Response response = http_.send(request, Errc::store_failed, wait);
  if (response.code == "NoSuchKey") return;
  accepted(http_, request, response, Errc::store_failed);
}

}  // namespace resumable::s3
