/// @file
/// The record `@appended/PATH`: what is known about a file that a fan-out appends to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/draft.hpp"
#include "record/run_facts.hpp"
#include "resumable/digest.hpp"

namespace resumable::exports {

/// How far the file is known to be whole.
struct AppendedSoFar {
  /// Whose text is in it, and of which value.
  struct Part {
    std::string key;
    Digest identity;
  };
  /// What was there while it is being written again.
  struct Former {
    std::uint64_t bytes = 0;
    Digest digest;
  };

  std::size_t items = 0;
  Digest sequence;  ///< of these items' keys and identities; zeros: it is to be written again
  std::uint64_t bytes = 0;
  Digest digest;              ///< of these bytes
  std::vector<Part> parts{};  ///< these items, in a file that users may edit
  bool edited = false;        ///< a user has written some of these bytes
  std::optional<Former> former{};
};

[[nodiscard]] Digest sequence_of(const std::vector<AppendedSoFar::Part>& parts);

/// The record's text. @{
[[nodiscard]] std::string text_of(std::string_view path, const AppendedSoFar& known);
[[nodiscard]] std::optional<AppendedSoFar> parse_appended(std::string_view text);
/// @}

/// The next generation of the record, which replaces the current one.
[[nodiscard]] record::Draft appended_draft(const record::RunFacts& facts, std::string_view path,
                                           const AppendedSoFar& known);

}  // namespace resumable::exports
