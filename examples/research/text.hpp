/// @file
/// Text taken apart: words, terms to compare by, sentences. English; other
/// languages without accents lost, but with English endings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace research {

/// Lower-case words in their order. An apostrophe and what follows it are dropped: `agency’s` is
/// `agency`.
std::vector<std::string> words(std::string_view text);

/// How many words a reader counts: what stands between spaces, unless it is a mere sign or the
/// number of a source (`[12]`) that is that of the one before.
std::size_t count_words(const std::string& text);

/// Whether the word says nothing about what a text is about: `the`, `with`, `every`.
bool is_stop_word(std::string_view word);

/// What a word shares with those of its family (text/stem.hpp).
std::string stem(std::string_view word);

/// The stems of words that are no stop words.
std::vector<std::string> terms(std::string_view text);
std::vector<std::string> terms(const std::vector<std::string>& words);

/// Whether a term begins with a digit.
bool is_number(std::string_view term);

/// Whole sentences, word for word: those that end with `.`, `!` or `?`, and begin the text or begin
/// with a capital, a digit or a quotation mark.
std::vector<std::string> sentences(std::string_view text);

/// `1 page`, `2 pages`.
std::string counted(std::size_t count, std::string_view noun);

/// `a, b and others`, of more than five.
std::string listed(const std::vector<std::string>& names);

/// Whether one of them is a number, in digits or as a word.
bool has_figure(const std::vector<std::string>& words);

/// Whether two texts have a term in common.
bool share_a_term(const std::string& one, const std::string& other);

}  // namespace research
