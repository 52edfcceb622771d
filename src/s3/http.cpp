#include "s3/http.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <utility>

#include <curl/curl.h>
#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/detail/saturating.hpp"
#include "sys/clock.hpp"
#include "sys/process.hpp"
#include "sys/random.hpp"

namespace resumable::s3 {
namespace {

constexpr std::string_view sha256_of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::size_t most_idle = 8;

/// Once for the whole process; libcurl 7.84 and later may do this in any thread.
bool initialised() {
  static const bool done = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return done;
}

struct FreeList {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, FreeList>;

void add(Headers& headers, const std::string& line) {
  curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(headers.release());
  headers.reset(longer);
}

/// What a person can do about a refusal.
std::string_view hint_for(std::string_view code) {
  if (code == "SignatureDoesNotMatch" || code == "InvalidAccessKeyId") {
    return "check the credentials and the region";
  }
  if (code == "AccessDenied" || code == "AllAccessDisabled") {
    return "allow s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and"
           " s3:ListBucket for this user";
  }
  if (code == "RequestTimeTooSkewed") return "set the clock of this machine";
  if (code == "ExpiredToken" || code == "InvalidToken") return "get new temporary credentials";
  if (code == "NoSuchBucket") return "create the bucket, or name another one";
  if (code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect") {
    return "name the region of the bucket: s3_region=… in the URL, or AWS_REGION";
  }
  return "check the bucket and the server";
}

/// Whether the same request may succeed a little later.
bool may_pass(const Response& response) {
  constexpr std::array later{408L, 429L, 500L, 502L, 503L, 504L};
  return std::ranges::count(later, response.status) > 0 || response.code == "RequestTimeout" ||
         response.code == "OperationAborted" || response.code == "InternalError" ||
         response.code == "SlowDown";
}

/// Between half of it and all of it.
std::chrono::milliseconds jittered(std::chrono::milliseconds delay) {
  sys::SystemRandom random;
  std::array<std::byte, 1> byte{};
  if (random.fill(byte)) return delay;
  return delay / 2 + delay * std::to_integer<int>(byte[0]) / 512;
}

}  // namespace

std::string encoded(std::string_view text, std::string_view also_plain) {
  std::string all;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view{"-._~"}.find(c) != std::string_view::npos ||
                       also_plain.find(c) != also_plain.npos;
    if (plain) {
      all += c;
    } else {
      all += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return all;
}

std::string element(std::string_view xml, std::string_view name) {
  const std::string open = fmt::format("<{}>", name);
  const std::size_t begin = xml.find(open);
  if (begin == xml.npos) return {};
  xml.remove_prefix(begin + open.size());
  xml = xml.substr(0, xml.find(fmt::format("</{}>", name)));
  constexpr std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string text;
  while (!xml.empty()) {
    const auto* found = std::ranges::find_if(
        entities, [&](const auto& entity) { return xml.starts_with(entity.first); });
    text += found == entities.end() ? xml.front() : found->second;
    xml.remove_prefix(found == entities.end() ? 1 : found->first.size());
  }
  return text;
}

struct Http::Handle {
  Handle() : curl(curl_easy_init()) {
    if (curl == nullptr) throw std::bad_alloc();
  }
  ~Handle() { curl_easy_cleanup(curl); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  CURL* curl;
};

/// No answer came.
struct Http::Failure {
  std::string why;
  bool is_over = false;  ///< the caller's time is, or the caller stopped it
  bool may_pass = true;
  bool was_reached = true;  ///< the server, at least
};

/// One request and its answer, while libcurl calls back.
struct Http::Exchange {
  const Request& request;
  const Wait& wait;
  Response response{};
  std::uint64_t sent = 0;
  bool is_too_long = false;
  std::exception_ptr thrown{};

  static std::size_t read(char* to, std::size_t size, std::size_t count, void* self) noexcept {
    auto& own = *static_cast<Exchange*>(self);
    if (own.request.body == nullptr) return 0;
    try {
      const std::size_t read = own.request.body->read(own.sent, {to, size * count});
      own.sent += read;
      return read;
    } catch (...) {
      own.thrown = std::current_exception();
      return CURL_READFUNC_ABORT;
    }
  }
  static int seek(void* self, curl_off_t offset, int origin) noexcept {
    if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_CANTSEEK;
    static_cast<Exchange*>(self)->sent = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
  }
  static std::size_t write(char* from, std::size_t size, std::size_t count, void* self) noexcept {
    auto& own = *static_cast<Exchange*>(self);
    try {
      own.response.body.append(from, size * count);
      own.is_too_long = own.response.body.size() > own.request.most;
      return own.is_too_long ? 0 : size * count;
    } catch (...) {
      own.thrown = std::current_exception();
      return 0;
    }
  }
  static std::size_t header(char* from, std::size_t size, std::size_t count, void* self) noexcept {
    auto& own = *static_cast<Exchange*>(self);
    try {
      own.note(std::string_view{from, size * count});
      return size * count;
    } catch (...) {
      own.thrown = std::current_exception();
      return 0;
    }
  }
  static int progress(void* self, curl_off_t /*unused*/, curl_off_t /*unused*/,
                      curl_off_t /*unused*/, curl_off_t /*unused*/) noexcept {
    return static_cast<Exchange*>(self)->wait.is_over() ? 1 : 0;
  }

  void note(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    std::string name{line.substr(0, colon)};
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.back() == '\r' || value.back() == '\n')) value.remove_suffix(1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    if (name == "etag") response.etag = value;
    if (name == "content-length") {
      std::from_chars(value.data(), value.data() + value.size(), response.size);
    }
  }
};

/// A handle, until the end of one exchange.
class Http::Lent {
 public:
  explicit Lent(Http& http) : http_(http), handle_(http.take()) {}
  ~Lent() { http_.give_back(std::move(handle_)); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  [[nodiscard]] CURL* curl() const noexcept { return handle_->curl; }

 private:
  Http& http_;
  std::unique_ptr<Handle> handle_;
};

Http::Http(const S3Options& options)
    : target_(target_of(options)), pid_(sys::SystemProcess{}.pid()) {
  if (!initialised()) throw Error(Errc::store_failed, {.what = "libcurl does not start"});
}

Http::~Http() {
  // A child must not end the TLS sessions of its parent.
  if (sys::SystemProcess{}.pid() == pid_) return;
  for (auto& handle : idle_) static_cast<void>(handle.release());
}

void Http::check_process() const {
  if (sys::SystemProcess{}.pid() == pid_) return;
  throw Error(Errc::forked,
              {.what = "the store of payloads was opened by the parent of this process",
               .file = target_.url,
               .kept = "nothing was changed",
               .next = "open the store in the process that uses it"});
}

std::unique_ptr<Http::Handle> Http::take() {
  {
    const std::scoped_lock lock{guard_};
    if (!idle_.empty()) {
      auto handle = std::move(idle_.back());
      idle_.pop_back();
      return handle;
    }
  }
  return std::make_unique<Handle>();
}

void Http::give_back(std::unique_ptr<Handle> handle) noexcept {
  curl_easy_reset(handle->curl);  // which keeps the connection
  const std::scoped_lock lock{guard_};
  if (idle_.size() < most_idle) idle_.push_back(std::move(handle));
}

std::string Http::url_of(std::string_view key) const {
  return fmt::format("s3://{}/{}", target_.options.bucket, key);
}

namespace {

template <class Value>
void set(CURL* curl, CURLoption option, Value value) {
  if (curl_easy_setopt(curl, option, value) == CURLE_OK) return;
  throw Error(Errc::store_failed, {.what = fmt::format("libcurl does not take its option {}",
                                                       static_cast<int>(option))});
}

void set_body(CURL* curl, const Request& request) {
  const std::uint64_t size = request.body == nullptr ? 0 : request.body->size();
  if (request.method == "PUT" || request.method == "POST") {
    set(curl, CURLOPT_UPLOAD, 1L);
    set(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(size));
  }
  if (request.method == "HEAD") set(curl, CURLOPT_NOBODY, 1L);
  if (request.method == "POST" || request.method == "DELETE") {
    set(curl, CURLOPT_CUSTOMREQUEST, request.method.data());
  }
}

void set_time(CURL* curl, std::chrono::milliseconds timeout, const Wait& wait) {
  const auto patience = static_cast<long>(timeout.count());
  set(curl, CURLOPT_CONNECTTIMEOUT_MS, std::min(patience, 10'000L));
  // A transfer may take as long as it likes, but not stand still.
  set(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(curl, CURLOPT_LOW_SPEED_TIME, std::max(1L, patience / 1000));
  set(curl, CURLOPT_NOSIGNAL, 1L);
  if (!wait.deadline) return;
  using Most = std::chrono::duration<int, std::milli>;  // libcurl takes no more than an int
  const auto left = detail::saturated<Most>(*wait.deadline - std::chrono::steady_clock::now());
  set(curl, CURLOPT_TIMEOUT_MS, std::max(1L, long{left.count()}));
}

/// The headers that are signed, besides those that libcurl adds.
Headers signed_headers(const Request& request, const Credentials& credentials) {
  Headers headers;
  add(headers, fmt::format("x-amz-content-sha256: {}",
                           request.body == nullptr ? sha256_of_nothing : request.sha256));
  if (!credentials.token.empty()) add(headers, "x-amz-security-token: " + credentials.token);
  if (!request.range.empty()) add(headers, "Range: " + request.range);
  return headers;
}

bool is_hopeless(CURLcode code) {
  constexpr std::array never{CURLE_UNSUPPORTED_PROTOCOL,     CURLE_URL_MALFORMAT,
                             CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
                             CURLE_SSL_ENGINE_NOTFOUND,      CURLE_NOT_BUILT_IN};
  return std::ranges::count(never, code) > 0;
}

}  // namespace

/// @throws Failure, and what reading the body throws
Response Http::once(const Request& request, const Wait& wait) {
  const Credentials credentials = find_credentials();
  const Lent lent{*this};
  CURL* const curl = lent.curl();
  Exchange exchange{.request = request, .wait = wait};
  std::string url = target_.base + '/' + encoded(request.key, "/");
  if (!request.query.empty()) url += '?' + request.query;
  set(curl, CURLOPT_URL, url.c_str());
  set(curl, CURLOPT_PATH_AS_IS, 1L);
  set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  set(curl, CURLOPT_AWS_SIGV4, fmt::format("aws:amz:{}:s3", target_.region).c_str());
  set(curl, CURLOPT_USERNAME, credentials.id.c_str());
  set(curl, CURLOPT_PASSWORD, credentials.secret.c_str());
  const Headers headers = signed_headers(request, credentials);
  set(curl, CURLOPT_HTTPHEADER, headers.get());
  set_body(curl, request);
  set_time(curl, target_.options.timeout, wait);
  set(curl, CURLOPT_READFUNCTION, &Exchange::read);
  set(curl, CURLOPT_READDATA, &exchange);
  set(curl, CURLOPT_SEEKFUNCTION, &Exchange::seek);
  set(curl, CURLOPT_SEEKDATA, &exchange);
  set(curl, CURLOPT_WRITEFUNCTION, &Exchange::write);
  set(curl, CURLOPT_WRITEDATA, &exchange);
  set(curl, CURLOPT_HEADERFUNCTION, &Exchange::header);
  set(curl, CURLOPT_HEADERDATA, &exchange);
  set(curl, CURLOPT_XFERINFOFUNCTION, &Exchange::progress);
  set(curl, CURLOPT_XFERINFODATA, &exchange);
  set(curl, CURLOPT_NOPROGRESS, 0L);
  std::array<char, CURL_ERROR_SIZE> reason{};
  set(curl, CURLOPT_ERRORBUFFER, reason.data());
  const CURLcode code = curl_easy_perform(curl);
  if (exchange.thrown) std::rethrow_exception(exchange.thrown);
  const bool came = code == CURLE_OK || exchange.is_too_long;
  if (!came && wait.is_over()) throw Failure{.why = "it was stopped", .is_over = true};
  if (!came) {
    throw Failure{.why = reason[0] != '\0' ? reason.data() : curl_easy_strerror(code),
                  .may_pass = !is_hopeless(code),
                  .was_reached = code != CURLE_COULDNT_CONNECT &&
                                 code != CURLE_COULDNT_RESOLVE_HOST &&
                                 code != CURLE_COULDNT_RESOLVE_PROXY};
  }
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &exchange.response.status);
  Response& response = exchange.response;
  // The answer to the end of an upload in parts may be an error although its status is 200.
  if (!response.ok() ||
      (request.method == "POST" && response.body.find("<Error>") != std::string::npos)) {
    response.code = element(response.body, "Code");
    response.message = element(response.body, "Message");
  }
  return std::move(response);
}

Response Http::send(const Request& request, Errc code, const Wait& wait) {
  check_process();
  sys::SystemClock clock;
  const sys::BootTime until = clock.boot() + target_.options.timeout;
  std::chrono::milliseconds delay{50};
  const auto over = [&] {
    return Error(Errc::cancelled, {.what = "the call to S3 was stopped, or took too long",
                                   .file = url_of(request.key),
                                   .kept = "nothing was changed",
                                   .next = "try again, or allow more time"});
  };
  for (;; delay = std::min(delay * 2, std::chrono::milliseconds{5000})) {
    if (wait.is_over()) throw over();
    const bool last = clock.boot() + delay > until;
    try {
      Response response = once(request, wait);
      const bool again = may_pass(response);
      {
        const std::scoped_lock lock{guard_};
        answered_ = true;
      }
      if (!again || last) return response;
    } catch (const Failure& failure) {
      if (failure.is_over) throw over();
      const std::scoped_lock lock{guard_};
      if (!failure.may_pass || last || !(answered_ || failure.was_reached)) {
        throw Error(code, {.what = fmt::format("S3 does not answer: {}", failure.why),
                           .file = url_of(request.key),
                           .kept = code == Errc::unreadable ? "nothing was changed"
                                                            : "everything saved before is intact",
                           .next = "check the network and the endpoint, then run it again"});
      }
    }
    const auto pause = jittered(delay);
    auto end = clock.boot() + pause;
    if (wait.deadline) {
      end = std::min(
          end, detail::later(clock.boot(), *wait.deadline - std::chrono::steady_clock::now()));
    }
    static_cast<void>(sys::sleep_until(clock, end, wait.stop));
  }
}

Error Http::refused(const Request& request, const Response& response, Errc code) const {
  const std::string why = response.code.empty() ? std::string{} : ' ' + response.code;
  const std::string more = response.message.empty() ? std::string{} : ": " + response.message;
  return {code,
          {.what = fmt::format("S3 refused {} ({}{}{})", request.method, response.status,
                               core::printable(why), core::printable(more)),
           .file = url_of(request.key),
           .kept = code == Errc::unreadable ? "nothing was changed"
                                            : "everything saved before is intact",
           .next = std::string{hint_for(response.code)}}};
}

}  // namespace resumable::s3
