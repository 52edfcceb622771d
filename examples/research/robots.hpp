/// @file
/// What a site's robots.txt asks of a crawler (RFC 9309). Reads bytes from outside: any text gives
/// rules, and what is no rule is skipped.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace research {

/// The rules for one crawler. Default-constructed: everything is allowed.
class Robots {
 public:
  Robots() = default;
  /// Reads the groups that name `agent` (whatever its case), else those for `*`. Only the first
  /// 500 KiB count, as the RFC allows.
  Robots(std::string_view text, std::string_view agent);

  /// Whether the path, with its query, may be asked for: the longest rule that fits it decides, and
  /// of two equally long ones the one that allows.
  [[nodiscard]] bool allows(std::string_view path) const;

  /// Crawl-delay: how long to wait between two requests. The RFC does not know it; many sites do.
  [[nodiscard]] std::optional<std::chrono::milliseconds> delay() const noexcept { return delay_; }

 private:
  struct Rule {
    std::string pattern;  ///< `*` stands for any characters, `$` at its end for the path's end
    bool allow = false;
  };
  friend class RobotsReader;

  std::vector<Rule> rules_;
  std::optional<std::chrono::milliseconds> delay_;
};

}  // namespace research
