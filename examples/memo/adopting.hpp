/// @file
/// What a memo's files say that have no checkpoints, or that a person has edited. What cannot be
/// read is refused with its place; nothing that a person wrote is dropped.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <resumable/found_file.hpp>

#include "memo/types.hpp"

namespace memo {

/// The files' texts as values. A quote that `former` does not have is by hand: it is cited as such,
/// with its line in this file. @throws std::invalid_argument  an unknown question or field, or a
/// change of what the program counts itself
Deck edited_deck(const std::string& text, const Deck& former);
Research edited_research(const std::string& text, const Research& former);
std::vector<Brief> edited_briefs(const std::string& text, const std::vector<Brief>& former);
Section edited_section(const std::string& text, const Section& former);

/// What these files hold: indented JSON.
template <class Value>
std::string as_json(const Value& value) {
  return nlohmann::json(value).dump(2) + "\n";
}
std::string briefs_json(const std::vector<Brief>& briefs);

/// Likewise of files without a former value: what is in them counts as it is.
Deck adopted_deck(const resumable::FoundFile& file);
Research adopted_research(const resumable::FoundFile& file);
std::vector<Brief> adopted_briefs(const resumable::FoundFile& file);
Section adopted_section(const resumable::FoundFile& file);
Text adopted_text(const resumable::FoundFile& file);

/// What shows that a stage had rewritten a file when the run was stopped.
bool shows_profiles(const resumable::FoundFile& section);
bool shows_links(const resumable::FoundFile& section);
bool shows_tables(const resumable::FoundFile& section);
bool shows_citations(const resumable::FoundFile& draft);
bool shows_part(const resumable::FoundFile& validation, const char* part);

}  // namespace memo
