// The library is not in here: text/ cuts a file into passages and ranks them.
#include "review/text.hpp"

#include <algorithm>
#include <sstream>

#include "text/index.hpp"
#include "text/passages.hpp"

namespace review {
namespace {

constexpr std::ptrdiff_t fewest_spaces = 4;  // fewer: an address, or a list of names

/// A line that begins a paragraph: none of a list, a table, a heading or code.
bool is_prose(std::string_view line) {
  const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const bool is_numbered = digits > 0 && digits < line.size() && line[digits] == '.';
  return !line.empty() && !is_numbered &&
         std::string_view{" \t#<!|>=`~-*+"}.find(line.front()) == std::string_view::npos;
}

}  // namespace

Source source_of(const std::string& name, const std::string& markdown) {
  const text::Document document = text::cut(name, markdown);
  Source source{document.title, {}};
  int place = 0;
  for (const text::Passage& passage : document.passages) {
    for (const std::string_view one : text::sentences(passage.body)) {
      ++place;
      if (std::ranges::count(one, ' ') < fewest_spaces) continue;
      source.sentences.push_back({.body = std::string{one}, .line = place});
    }
  }
  return source;
}

std::vector<text::Passage> ranked(const Source& source, std::string_view heading,
                                  std::size_t count) {
  const auto& sentences = source.sentences;
  std::vector<text::Passage> best;
  for (const text::Hit& hit :
       text::PassageIndex{sentences}.best(text::search_words(heading), count, 0)) {
    best.push_back(sentences[hit.passage]);
  }
  for (const text::Passage& sentence : sentences) {
    if (best.size() >= count) break;
    if (std::ranges::find(best, sentence) == best.end()) best.push_back(sentence);
  }
  return best;
}

std::string as_paragraphs(std::string_view text) {
  std::string markdown;
  bool after_sentence = false;
  bool code = false;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```") || line.starts_with("~~~")) code = !code;
    const bool prose = !code && is_prose(line);
    if (prose && after_sentence) markdown += '\n';
    markdown += line + '\n';
    const auto last = line.find_last_not_of("\"')\u201D\u2019");
    after_sentence = prose && last != line.npos &&
                     std::string_view{".!?"}.find(line[last]) != std::string_view::npos;
  }
  return markdown;
}

}  // namespace review
