/// @file
/// Which passages speak of somebody else than the company: a competitor, or people of a customer.
#pragma once

#include <string_view>
#include <vector>

#include "memo/ranking.hpp"
#include "memo/source.hpp"

namespace memo {

/// Whether a source is the record of a talk with people outside the company.
bool is_talk_outside(const Source& source);

/// Marks the passages that begin with the name of a competitor (Passage::of_rival), and of somebody
/// else who has something (Passage::owner). Such names are
/// those that begin a passage below a heading on competitors, or one that calls them so, and that
/// nowhere stand in small letters; the name of the company is none.
void mark_rivals(std::vector<Passage>& passages, const Sources& sources, std::string_view company);

}  // namespace memo
