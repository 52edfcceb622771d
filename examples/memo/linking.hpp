/// @file
/// Links that the sources hold, and where a memo may use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memo/source.hpp"

namespace memo {

inline constexpr std::string_view profiles_heading = "### Profiles and channels";

struct SourcedLink {
  std::string text;
  std::string url;
  std::string source;  ///< where it was found
};

/// Links whose address holds `part`, each address once.
std::vector<SourcedLink> links_to(const Sources& sources, std::string_view part);

/// Links to the company's own pages on social hosts: the address names the company.
std::vector<SourcedLink> channels_of(const std::string& company, const Sources& sources);

/// Names that occur in `markdown` and are linked somewhere in the sources, with the address that
/// they are linked to most often; longer names first.
std::vector<SourcedLink> entities_in(const std::string& markdown, const std::string& company,
                                     const Sources& sources);

/// Links the first mention in prose; headings, tables, code and existing links stay untouched.
std::string with_link(const std::string& markdown, const SourcedLink& link);

}  // namespace memo
