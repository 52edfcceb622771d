#include "fake_openai.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

namespace resumable::test {

struct HttpMessage {
  std::string head;
  std::string body;
};

namespace {

using Json = nlohmann::json;

/// The value of a header, whose name is given in lower case with its colon.
std::string header(const std::string& head, const std::string& name) {
  std::string lower = head;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto at = lower.find("\r\n" + name);
  if (at == std::string::npos) return {};
  const auto begin = head.find_first_not_of(' ', at + 2 + name.size());
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

/// Reads one request; the body is empty if the peer left early.
HttpMessage receive(int socket) {
  std::string data;
  char buffer[16384];
  std::size_t need = std::string::npos;
  while (data.size() < need) {
    const auto got = ::recv(socket, buffer, sizeof buffer, 0);
    if (got <= 0) return {};
    data.append(buffer, static_cast<std::size_t>(got));
    const auto end = data.find("\r\n\r\n");
    if (end == std::string::npos || need != std::string::npos) continue;
    const std::string length = header(data.substr(0, end + 2), "content-length:");
    need = end + 4 + (length.empty() ? 0 : std::stoul(length));
  }
  const auto end = data.find("\r\n\r\n");
  return {data.substr(0, end + 2), data.substr(end + 4)};
}

void send_all(int socket, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const auto n = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

std::string http(int status, const std::string& headers, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" + headers +
         "\r\n" + body;
}

/// A whole chat completion, with a plausible count of tokens.
std::string completion(const std::string& request, const Responder& respond) {
  const Json json = Json::parse(request);
  const std::string reply = respond(json.at("messages").back().at("content").get<std::string>());
  const Json message{{"role", "assistant"}, {"content", reply}};
  const Json choice{{"index", 0}, {"message", message}, {"finish_reason", "stop"}};
  const Json usage{{"prompt_tokens", request.size() / 4}, {"completion_tokens", reply.size() / 4}};
  return Json{{"object", "chat.completion"}, {"choices", {choice}}, {"usage", usage}}.dump();
}

std::string half(const std::string& text) { return text.substr(0, text.size() / 2); }

std::string reply_to(const Act& act, const std::string& request, const Responder& respond) {
  switch (act.kind) {
    case Act::Kind::answer: return http(200, "", completion(request, respond));
    case Act::Kind::status: {
      const bool wait = !act.retry_after.empty();
      return http(act.status, wait ? "Retry-After: " + act.retry_after + "\r\n" : "", act.body);
    }
    case Act::Kind::half_body: return half(http(200, "", completion(request, respond)));
    case Act::Kind::half_json: return http(200, "", half(completion(request, respond)));
    case Act::Kind::hang:
    case Act::Kind::drop: break;
  }
  return {};
}

int listen_on_free_port(int& port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  const bool ok = listener >= 0 && ::bind(listener, raw, size) == 0 &&
                  ::listen(listener, 64) == 0 && ::getsockname(listener, raw, &size) == 0;
  if (!ok) throw std::runtime_error{"the fake server cannot listen on 127.0.0.1"};
  port = ntohs(address.sin_port);
  return listener;
}

}  // namespace

Act answer() { return {}; }
Act status(int code, std::string retry_after, std::string body) {
  return {Act::Kind::status, code, std::move(retry_after), std::move(body)};
}
Act hang() { return {.kind = Act::Kind::hang}; }
Act drop() { return {.kind = Act::Kind::drop}; }
Act half_body() { return {.kind = Act::Kind::half_body}; }
Act half_json() { return {.kind = Act::Kind::half_json}; }

struct FakeOpenAi::State {
  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  std::deque<Act> acts;
  std::vector<HttpMessage> received;
  std::set<int> open;  // sockets of connections; closed by their own thread only
  Responder respond;
  bool closing = false;
  int listener = -1;
  int port = 0;
  std::vector<std::thread> talks;
  std::thread accepting;

  void accept_all() {
    while (true) {
      const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      const std::lock_guard lock{mutex};
      if (socket < 0 || closing) {
        if (socket >= 0) ::close(socket);
        return;
      }
      open.insert(socket);
      talks.emplace_back([this, socket] { talk(socket); });
    }
  }

  void talk(int socket) {
    HttpMessage message = receive(socket);
    if (!message.body.empty()) {
      const std::string body = message.body;
      const Act act = next(std::move(message));
      if (act.kind == Act::Kind::hang) wait_for_end(socket);
      send_all(socket, reply_to(act, body, respond));
    }
    const std::lock_guard lock{mutex};
    open.erase(socket);
    ::close(socket);
  }

  Act next(HttpMessage message) {
    const std::lock_guard lock{mutex};
    received.push_back(std::move(message));
    changed.notify_all();
    if (acts.empty()) return answer();
    Act act = acts.front();
    acts.pop_front();
    return act;
  }

  /// Until the peer hangs up, or the destructor shuts the socket down.
  static void wait_for_end(int socket) {
    char byte = 0;
    while (::recv(socket, &byte, 1, 0) > 0) {
    }
  }

  void shut_down() {
    {
      const std::lock_guard lock{mutex};
      closing = true;
      for (const int socket : open) ::shutdown(socket, SHUT_RDWR);
    }
    ::shutdown(listener, SHUT_RDWR);
    accepting.join();
    for (auto& talk : talks) talk.join();
    ::close(listener);
  }
};

FakeOpenAi::FakeOpenAi(Responder respond, std::deque<Act> script)
    : state_{std::make_unique<State>()} {
  state_->respond = std::move(respond);
  state_->acts = std::move(script);
  state_->listener = listen_on_free_port(state_->port);
  state_->accepting = std::thread{[state = state_.get()] { state->accept_all(); }};
}

FakeOpenAi::~FakeOpenAi() { state_->shut_down(); }

std::string FakeOpenAi::base_url() const {
  return "http://127.0.0.1:" + std::to_string(state_->port);
}

void FakeOpenAi::script(std::deque<Act> acts) {
  const std::lock_guard lock{state_->mutex};
  for (auto& act : acts) state_->acts.push_back(std::move(act));
}

std::size_t FakeOpenAi::requests() const {
  const std::lock_guard lock{state_->mutex};
  return state_->received.size();
}

void FakeOpenAi::wait_for_requests(std::size_t count) const {
  std::unique_lock lock{state_->mutex};
  state_->changed.wait(lock, [&] { return state_->received.size() >= count; });
}

std::vector<std::string> FakeOpenAi::bodies() const {
  const std::lock_guard lock{state_->mutex};
  std::vector<std::string> out;
  for (const auto& message : state_->received) out.push_back(message.body);
  return out;
}

std::vector<std::string> FakeOpenAi::targets() const {
  const std::lock_guard lock{state_->mutex};
  std::vector<std::string> out;
  for (const auto& message : state_->received) {
    const auto begin = message.head.find(' ') + 1;
    out.push_back(message.head.substr(begin, message.head.find(' ', begin) - begin));
  }
  return out;
}

std::vector<std::string> FakeOpenAi::authorizations() const {
  const std::lock_guard lock{state_->mutex};
  std::vector<std::string> out;
  for (const auto& message : state_->received)
    out.push_back(header(message.head, "authorization:"));
  return out;
}

}  // namespace resumable::test
