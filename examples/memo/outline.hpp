/// @file
/// The ten sections of a memo and the questions that each of them answers.
#pragma once

#include <string_view>
#include <vector>

#include "memo/corrections.hpp"
#include "memo/types.hpp"

namespace memo {

/// The sections in memo order, read from the outline of `request` or, when that
/// is empty, from outline.json; there `team` is the fourth. `{company}` is
/// replaced by the company's name.
/// @throws std::invalid_argument  an unknown type or mode, or an outline that
/// cannot be used
std::vector<SectionPlan> outline(const Request& request);

/// The questions of all sections.
std::vector<Topic> all_topics(const Request& request);

/// The questions put to the deck: a choice of the outline's, with the same ids; all if it makes
/// none.
std::vector<Topic> deck_topics(const Request& request);

/// What a memo has to say, each as the questions of which one is enough; the
/// first is what the company does. None if the outline does not tell.
std::vector<std::vector<Topic>> core_topics(const Request& request);

/// The quantities of which the outline wants the latest figure.
std::vector<Measure> measures(const Request& request);

/// The text of a person's outline. @throws std::invalid_argument  it cannot be read, or has not the
/// form of an outline; the message names the file
std::string read_outline_file(const std::string& path);

}  // namespace memo
