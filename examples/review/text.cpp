#include "review/text.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <sstream>

namespace review {
namespace {

constexpr std::size_t shortest = 40;  // characters of a sentence that says something
constexpr std::size_t longest = 400;
constexpr std::ptrdiff_t fewest_spaces = 4;  // fewer: an address, or a list of them

bool says_something(const std::string& sentence) {
  return sentence.size() >= shortest && sentence.size() <= longest && !sentence.ends_with(':') &&
         std::ranges::count(sentence, ' ') >= fewest_spaces;
}

/// The lines of a text; those of its front matter and of code are empty.
std::vector<std::string> lines_of(std::string_view markdown) {
  std::vector<std::string> lines;
  std::string ends_with;  // the mark that ends what is left out
  std::istringstream text{std::string{markdown}};
  for (std::string line; std::getline(text, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const bool begins = ends_with.empty() && (line.starts_with("```") || line.starts_with("~~~") ||
                                              (lines.empty() && line == "---"));
    if (begins) {
      ends_with = line.substr(0, 3);
      line.clear();
    } else if (!ends_with.empty()) {
      if (line.starts_with(ends_with)) ends_with.clear();
      line.clear();
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

bool is_paragraph(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != line.npos && std::string_view{"#<!|*-+>`="}.find(line[first]) == line.npos &&
         line.find(" | ") == line.npos;
}

// `[words](address)` becomes `words`; marks of emphasis and code go.
std::string without_markup(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ']' && at + 1 < line.size() && line[at + 1] == '(') {
      at = std::min(line.find(')', at), line.size());
    } else if (line[at] != '[' && line[at] != ']' && line[at] != '*' && line[at] != '`') {
      text += line[at];
    }
  }
  return text;
}

std::vector<std::string> words_of(const std::string& sentence) {
  std::vector<std::string> words{""};
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.size() < 4; });
  return words;
}

// The second dot of `of the U.S. government` ends none.
bool ends_an_abbreviation(std::string_view text, std::size_t at) {
  return text[at] == '.' && at >= 2 &&
         std::isupper(static_cast<unsigned char>(text[at - 1])) != 0 &&
         (text[at - 2] == '.' || text[at - 2] == ' ');
}

bool ends_a_sentence(std::string_view text, std::size_t at) {
  if (std::string_view{".?!"}.find(text[at]) == std::string_view::npos) return false;
  if (at + 2 >= text.size()) return true;
  return text[at + 1] == ' ' && std::isupper(static_cast<unsigned char>(text[at + 2])) != 0 &&
         !ends_an_abbreviation(text, at);
}

}  // namespace

std::string title_of(std::string_view markdown) {
  for (const std::string& line : lines_of(markdown)) {
    if (!line.starts_with("# ")) continue;
    const std::string title = without_markup(line.substr(2));
    return title.substr(0, title.find_last_not_of(" \t\r") + 1);
  }
  return "";
}

std::vector<std::string> sentences_of(std::string_view markdown) {
  std::vector<std::string> sentences;
  std::string sentence;
  const auto end = [&] {
    if (says_something(sentence)) sentences.push_back(sentence);
    sentence.clear();
  };
  for (const std::string& line : lines_of(markdown)) {
    if (!is_paragraph(line)) {
      end();
      continue;
    }
    const std::string text = without_markup(line);
    if (!sentence.empty()) sentence += ' ';
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!sentence.empty() || text[at] != ' ') sentence += text[at];
      if (ends_a_sentence(text, at)) end();
    }
  }
  end();
  return sentences;
}

std::vector<std::string> summary_of(std::vector<std::string> sentences, std::size_t count) {
  std::map<std::string, double> frequency;
  for (const std::string& sentence : sentences) {
    for (const std::string& word : words_of(sentence)) ++frequency[word];
  }
  const auto weight = [&](std::size_t one) {
    const std::vector<std::string> words = words_of(sentences[one]);
    double sum = 0;
    for (const std::string& word : words) sum += frequency[word];
    return words.empty() ? 0.0 : sum / static_cast<double>(words.size());
  };
  std::vector<std::size_t> best(sentences.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  std::ranges::stable_sort(best, std::ranges::greater{}, weight);
  best.resize(std::min(best.size(), count));
  std::ranges::sort(best);
  std::vector<std::string> summary;
  for (const std::size_t one : best) summary.push_back(std::move(sentences[one]));
  return summary;
}

}  // namespace review
