/// @file
/// What a sentence needs to be understood: the one before it, or another place.
#pragma once

#include <string>
#include <vector>

namespace research {

/// Whether a sentence, by its words, is about something that the one before it names.
bool leans(const std::vector<std::string>& words);

/// Whether a text begins with such a sentence.
bool leans_on_another(const std::string& text);

/// A heading may say what `it` is, but not what `that` is.
bool points_back(const std::vector<std::string>& words);

/// Whether it begins with a word that only joins it to what was said before: alone it says the
/// same.
bool is_joined_on(const std::vector<std::string>& words);

/// `See also …`, `Click here …`, `… is on the page about …`, `Below is …`, `Tell us if this page
/// …`: a link, or something on the page itself, and no statement.
bool points_away(const std::vector<std::string>& words);

/// Whether it names another place that says more: `see the section on …`, `as described above`.
bool refers_elsewhere(const std::string& text);

}  // namespace research
