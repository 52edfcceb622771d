/// @file
/// What a topic is called, and whether a title names it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace research {

/// The stems of the words that a topic can be named by. A single digit counts, and a single letter
/// does not: `line 4`.
std::vector<std::string> topic_terms(const std::string& text);

/// The stem of the word that says what a topic is: `press` of `the printing press in the cellar`.
std::string head_of(const std::string& topic);

/// `WAL` of `write-ahead logging`; empty if it has less than three letters.
std::string initials_of(const std::string& topic);

/// What a topic wants to know, beside what it is about.
enum class Asks {
  anything,
  money,  ///< `the cost of …`, `fees`
  time,   ///< `when …`, `dates of …`
  way,    ///< `how to …`, `joining …`
};
Asks asked_by(const std::string& topic);

/// A topic without the words that only say what it wants to know: `of the tower repair` of `costs
/// of the tower repair`; all of it, if there are no others.
std::string subject_of(const std::string& topic);
/// The terms of that.
std::vector<std::string> subject_terms(const std::string& topic);

/// head_of() what a topic is about: `repair` of `costs of the tower repair`.
std::string subject_head(const std::string& topic);

/// Whether a text has this word, capitals and all; never if it is empty.
bool has_word(const std::string& text, const std::string& word);

/// How exactly a title names a topic, in thousandths: 1000 if it has its words and no others, 0 if
/// it does not have them all. Numbers do not count.
std::size_t closeness(const std::string& title, const std::string& topic);

}  // namespace research
