/// @file
/// Sentences: where they end, and which of them can stand alone on a page of a memo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// Whether a sentence or label tells of the paper itself: who wrote it, or who was at a meeting.
bool is_of_paper(std::string_view text);

/// Whether a word may have it inside: letters and digits of ASCII.
bool is_word(char c) noexcept;

/// The sentences of a plain paragraph. Abbreviations (`U.S.`, `e.g.`) end none; a name such as
/// `acme.org` may start one. Joined by blanks they give the paragraph back.
std::vector<std::string> sentences(std::string_view paragraph);

/// Whether a sentence makes sense without its neighbours: complete, not a question, no call to
/// the reader (`you can …`, `see …`), does not begin with `This`, `However`, `He` …
bool stands_alone(std::string_view sentence);

/// Whether a sentence is as good, but leans on the one before: it may follow that, never lead.
bool follows_on(std::string_view sentence);

/// Whether a sentence begins with a figure, in digits or in words: `£64,000 a month`.
bool begins_with_figure(std::string_view sentence);

/// Whether an answer tells something, but is only clear behind its question: it begins with a
/// figure, or its first clause has no word that is surely a verb.
bool answers_briefly(std::string_view sentence);

/// Whether an item of a list tells something without being a sentence: a figure, or a few words
/// that do not turn to the reader.
bool tells_briefly(std::string_view fragment);

/// Whether the writer speaks of themselves (`we`, `our`, `I`): to be shown in quotation marks. The
/// same goes for `you`.
bool is_first_person(std::string_view sentence);

/// Whether `sign` occurs in `text` as words, whatever their case. A sign that ends in `*` may go
/// on: `charge*` finds `charge`, `charged` and `charges`.
bool has_sign(std::string_view text, std::string_view sign);

/// The stems of a text's words, for comparing: without stop words.
std::vector<std::string> terms(std::string_view text);

/// The numbers in a text, normalised: `$1,550.00` gives `1550`, `85%` gives `85`.
std::vector<std::string> numbers(std::string_view text);

std::size_t words_in(std::string_view text);

/// How much of the words of `part` also occur in `whole`, in percent; 0 for no words.
int overlap_percent(std::string_view part, std::string_view whole);

/// `Market size` gives `market size`; an abbreviation stays.
std::string to_lower_first(std::string_view words);

/// `a, b and c`; empty for none.
std::string listed(const std::vector<std::string>& items);

}  // namespace memo
