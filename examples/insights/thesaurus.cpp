#include "insights/thesaurus.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

std::vector<Phrase> phrases_in(const std::string& text) {
  std::vector<Phrase> all;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    all.push_back(words_in(text.substr(from, end - from)));
    from = end + 1;
  }
  return all;
}

Thesaurus read_thesaurus(const char* file) {
  std::ifstream in{file};
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object())
    throw std::runtime_error(std::string{file} + " is not a JSON object of lists of words");
  Thesaurus all;
  for (const auto& [field, lines] : json.items()) {
    for (const auto& line : lines.get<std::vector<std::string>>()) {
      const std::size_t arrow = line.find(" > ");
      Family one{phrases_in(line.substr(0, arrow)), {}};
      one.is_of_states = field == "states and outcomes";
      one.is_one_way = arrow != line.npos;
      one.meant = one.is_one_way ? phrases_in(line.substr(arrow + 3)) : one.said;
      if (field == "who does it") {
        all.doers.push_back(std::move(one));
        continue;
      }
      for (const Phrase& phrase : one.said) {
        if (field.starts_with("people") && phrase.size() == 1) all.persons.insert(phrase[0]);
      }
      for (const Phrase& phrase : one.said)
        all.by_stem[text::stem_of(phrase.at(0))].insert(all.families.size());
      all.families.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace

const Thesaurus& thesaurus() {
  static const Thesaurus all = read_thesaurus(INSIGHTS_THESAURUS);
  return all;
}

bool is_person(const std::string& word) {
  return std::ranges::any_of(thesaurus().persons,
                             [&](const auto& one) { return is_same_word(word, one); });
}

bool does_it(const std::vector<std::string>& header, const std::vector<std::string>& asked) {
  const auto has = [](const std::vector<Phrase>& phrases, const std::vector<std::string>& words) {
    return std::ranges::any_of(phrases, [&](const Phrase& phrase) {
      return !std::ranges::search(words, phrase, is_same_word).empty();
    });
  };
  return std::ranges::any_of(thesaurus().doers, [&](const Family& one) {
    return has(one.said, asked) && has(one.meant, header);
  });
}

}  // namespace insights
