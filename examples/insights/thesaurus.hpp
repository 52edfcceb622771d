/// @file
/// Words for much the same things, those of thesaurus.json, which holds nothing of a data set.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace insights {

using Phrase = std::vector<std::string>;

/// What may be said, and what is then meant: a line `petrol, diesel > fuel`, or a line `boat, ship`
/// of which each may stand for the others.
struct Family {
  std::vector<Phrase> said;
  std::vector<Phrase> meant;
  bool is_one_way = false;
  bool is_of_states = false;  ///< what is meant is all of a value, or of the name of a column
};

struct Thesaurus {
  std::vector<Family> families;
  std::vector<Family> doers;                             ///< what is done, and by whom
  std::set<std::string> persons;                         ///< words for them
  std::map<std::string, std::set<std::size_t>> by_stem;  ///< of the first words of what is said
};

/// @throws std::runtime_error  the file cannot be read
[[nodiscard]] const Thesaurus& thesaurus();

/// Whether it is a word for a person.
[[nodiscard]] bool is_person(const std::string& word);

/// Whether the header is that of those who do what the words say: Customer, of `who bought it`.
[[nodiscard]] bool does_it(const std::vector<std::string>& header,
                           const std::vector<std::string>& asked);

}  // namespace insights
