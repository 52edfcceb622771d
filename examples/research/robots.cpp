// Small enough to be read beside the RFC, and without the library.
#include "research/robots.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "research/web_text.hpp"

namespace research {
namespace {

constexpr std::size_t longest_file = 500 * 1024;
constexpr double longest_delay = 86'400;  ///< seconds; what is longer means: do not come

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\f\v");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\f\v") - first + 1);
}

/// Bytes outside ASCII percent-encoded, encoded letters and digits decoded, so that two spellings
/// of one path compare equal. An encoded `/` stays apart from a plain one.
std::string normalised(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < path.size(); ++at) {
    unsigned code = static_cast<unsigned char>(path[at]);
    bool plain = code < 0x80;
    if (const auto hex = path.substr(at + 1, 2); code == '%' && hex.size() == 2) {
      unsigned byte = 0;
      if (std::from_chars(hex.data(), hex.data() + 2, byte, 16).ptr == hex.data() + 2) {
        const auto c = static_cast<int>(byte);
        plain =
            byte < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '~');
        code = byte;
        at += 2;
      }
    }
    out += plain ? std::string{static_cast<char>(code)} : fmt::format("%{:02X}", code);
  }
  return out;
}

/// Whether `pattern` fits the beginning of `path`. Each `*` takes as little as it can, which is
/// enough: linear for a file that means harm, too.
bool fits(std::string_view pattern, std::string_view path) {
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  std::size_t at = 0;  // in path
  bool first = true;
  while (true) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    const std::string_view piece = pattern.substr(0, star);
    const bool last = star == pattern.size();
    if (last && to_end && !first) {
      return path.size() - at >= piece.size() && path.ends_with(piece);
    }
    const std::size_t found = path.find(piece, at);
    if (found == path.npos || (first && found != 0)) return false;
    at = found + piece.size();
    if (last) return !to_end || at == path.size();
    pattern.remove_prefix(star + 1);
    first = false;
  }
}

/// The product token, without a version: `name/1.0` is `name`.
std::string product(std::string_view agent) {
  const auto end = std::ranges::find_if(
      agent, [](unsigned char c) { return std::isalpha(c) == 0 && c != '-' && c != '_'; });
  return lower(agent.substr(0, static_cast<std::size_t>(end - agent.begin())));
}

}  // namespace

/// Collects the rules of the groups for one agent, and those for all.
class RobotsReader {
 public:
  explicit RobotsReader(std::string_view agent) : agent_{product(agent)} {}

  void line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    const std::string key = lower(trimmed(line.substr(0, colon)));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (key == "user-agent") return agent_line(value);
    const bool rule = key == "allow" || key == "disallow";
    if (rule || key == "crawl-delay") in_head_ = false;
    for (Robots* robots : {here_ ? &own_ : nullptr, for_all_ ? &all_ : nullptr}) {
      if (robots == nullptr) continue;
      if (rule && (value.starts_with('/') || value.starts_with('*'))) {
        robots->rules_.push_back({normalised(value), key == "allow"});
      } else if (key == "crawl-delay") {
        delay(*robots, value);
      }
    }
  }

  [[nodiscard]] const Robots& result() const { return met_ ? own_ : all_; }

 private:
  /// Agents that follow one another share the rules below them.
  void agent_line(std::string_view value) {
    if (!in_head_) here_ = for_all_ = false;
    in_head_ = true;
    if (value == "*") {
      for_all_ = true;
    } else if (product(value) == agent_) {
      here_ = met_ = true;
    }
  }

  static void delay(Robots& robots, std::string_view value) {
    double seconds = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (read.ec != std::errc{} || !(seconds >= 0)) return;
    robots.delay_ =
        std::chrono::milliseconds{static_cast<long long>(std::min(seconds, longest_delay) * 1000)};
  }

  std::string agent_;
  Robots own_;
  Robots all_;
  bool in_head_ = false;
  bool here_ = false;
  bool for_all_ = false;
  bool met_ = false;
};

Robots::Robots(std::string_view text, std::string_view agent) {
  text = text.substr(0, longest_file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  RobotsReader reader{agent};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  *this = reader.result();
}

bool Robots::allows(std::string_view path) const {
  const std::string asked = normalised(path);
  if (asked == "/robots.txt") return true;
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    if (!fits(rule.pattern, asked)) continue;
    const bool longer = best == nullptr || rule.pattern.size() > best->pattern.size();
    const bool ties = !longer && rule.pattern.size() == best->pattern.size();
    if (longer || (ties && rule.allow)) best = &rule;
  }
  return best == nullptr || best->allow;
}

}  // namespace research
