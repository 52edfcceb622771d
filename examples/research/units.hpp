/// @file
/// The pages of a site cut into what a report can quote: sentences, list items, rows of tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "research/types.hpp"

namespace research {

/// Two kinds of sentences.
enum class Seek {
  reports,  ///< says how things are or went
  advice,   ///< tells its reader what to do
};

/// One thing that a page says, word for word: a sentence with those that lean on it, an item of a
/// list, a row of a table.
struct Unit {
  std::size_t page = 0;     ///< index in Scrape::pages
  std::size_t section = 0;  ///< counts the headings of all pages: equal below the same heading
  std::size_t passage = 0;  ///< counts the passages of all pages
  std::string heading;
  std::string text;
  std::string columns;  ///< as Passage::columns
  std::string date;     ///< of its section, paragraph or row if these have one, else of its page
  bool is_row = false;  ///< or a definition
  bool is_sentence = false;  ///< else an item or a row
  std::size_t words = 0;
  std::string frame{};     ///< if it stands on many pages but for its date, the rest of it
  bool leads_on = false;   ///< it says where to read what, or who wrote it: nothing to quote
  std::string measure{};   ///< of a row: the unit that leads its page or section, as a stem
  std::string question{};  ///< that its paragraph asks, and it answers
  std::optional<std::size_t> before{};  ///< the unit that says who or what `they` or `it` is
};

/// In the order of the pages. What stands on many pages, such as a footer, is left out, and so is
/// what says nothing alone: questions, bits of navigation, sentences about `I`.
std::vector<Unit> units_of(const Scrape& scrape);

/// What Passage::columns says of its text.
bool is_row(const std::string& text, const std::string& columns);
bool is_definition(const std::string& text, const std::string& columns);

/// The text, of a definition with its term before it.
std::string with_term(const std::string& text, const std::string& columns);

/// Told by words such as `should` and by verbs that give an order.
Seek kind_of(const Unit& unit);

/// How many words a page has.
std::size_t words_of(const Page& page);

/// How many words a reader counts in a passage, with the term of a definition.
std::size_t count_words(const Passage& passage);

/// Whether most pages lie below it: its title names the site, and no topic.
bool is_start(const Scrape& scrape, const Page& page);

}  // namespace research
