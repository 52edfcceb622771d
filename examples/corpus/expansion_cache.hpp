/// @file
/// Answers to expansions, one readable file each: `expansion_cache/Politics.json`. Known by what
/// was asked, so that an answer to another question is never taken for this one's.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus/types.hpp"

namespace corpus {

/// Told in one line what a person should know; called from several threads.
using Tell = std::function<void(std::string)>;

/// Safe to use from several threads, for different domains. Never the reason for a failure: what
/// cannot be read or written is told, and asked again.
class ExpansionCache {
 public:
  ExpansionCache(std::filesystem::path folder, Tell tell)
      : folder_(std::move(folder)), tell_(std::move(tell)) {}

  /// The answer that was kept for `domain`, if it is whole and answers `question`. A damaged file
  /// is set aside as `NAME.json.damaged`.
  [[nodiscard]] std::optional<std::vector<std::string>> find(const Domain& domain,
                                                             const std::string& question) const;
  /// Keeps an answer: written aside, then renamed.
  void keep(const Domain& domain, const std::string& question,
            const std::vector<std::string>& prompts) const;

 private:
  [[nodiscard]] std::filesystem::path file(const Domain& domain) const;
  void set_aside(const std::filesystem::path& file, const std::string& why) const;

  std::filesystem::path folder_;
  Tell tell_;
};

}  // namespace corpus
