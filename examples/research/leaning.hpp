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

/// `They`, `it`: somebody or something that was named before.
bool speaks_of_else(const std::vector<std::string>& words);

/// What stands before a colon near the beginning, in small letters; empty if that is nothing.
std::string label_at_start(const std::string& text);

/// `Read on: …`, `Last change: …`: it says where to read what, or of which day the page is.
bool is_signpost(const std::string& text);

/// `By Ada Lund, miller`: who wrote the page.
bool is_byline(const std::string& text);

/// `21 October 2024, text: Ada Lund`, `Words and pictures: Ada Lund`, `9 Dec 2024 (Ada)`: names and
/// a date, with a word or a bracket that makes the name a writer's.
bool is_signed(const std::string& text);

/// Likewise, or `Ada Lund, 21 October 2024`: what only a line at the edge of a page can mean so.
bool names_writer(const std::string& text);

}  // namespace research
