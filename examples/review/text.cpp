#include "review/text.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "research/figures.hpp"
#include "research/html_text.hpp"
#include "research/text.hpp"

namespace review {
namespace {

constexpr std::size_t shortest = 40;  // characters of a sentence that says something
constexpr std::size_t longest = 400;
constexpr std::ptrdiff_t fewest_spaces = 4;  // fewer: an address, or a list of them

bool says_something(const std::string& sentence) {
  return sentence.size() >= shortest && sentence.size() <= longest &&
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

// Of `- words` and `2. words` the words.
std::optional<std::string_view> item_of(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(begin);
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::size_t mark = digits > 0 && digits < 4 ? digits : 0;
  if (line.size() < mark + 2 || line[mark + 1] != ' ') return std::nullopt;
  const std::string_view marks = mark > 0 ? ".)" : "-*+";
  if (marks.find(line[mark]) == marks.npos) return std::nullopt;
  return line.substr(mark + 2);
}

bool is_paragraph(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != line.npos && std::string_view{"#<!|>=`"}.find(line[first]) == line.npos &&
         line.find_first_not_of("-*_ ") != line.npos && line.find(" | ") == line.npos;
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

bool ends_sentence(std::string_view line) {
  for (const std::string_view quote : {"\"", "'", ")", "\u201D", "\u2019"}) {
    if (line.ends_with(quote)) line.remove_suffix(quote.size());
  }
  return line.ends_with('.') || line.ends_with('!') || line.ends_with('?');
}

/// Whether it says what was decided.
bool is_decision(std::string_view sentence) {
  static const std::set<std::string_view> cues{
      "agreed",     "decided",   "resolved", "approved", "chose",   "chosen",     "recommend",
      "recommends", "appointed", "elected",  "rejected", "refused", "recommended"};
  return std::ranges::any_of(research::words(sentence),
                             [](const std::string& word) { return cues.contains(word); });
}

/// Whether it names a person, a place or a thing: a word with a capital inside the sentence.
bool has_name(std::string_view sentence) {
  for (std::size_t at = 2; at + 1 < sentence.size(); ++at) {
    const auto is = [&](auto kind, std::size_t place) {
      return kind(static_cast<unsigned char>(sentence[place])) != 0;
    };
    const bool inside = sentence[at - 1] == ' ' && !is(ispunct, at - 2);
    if (inside && is(isupper, at) && is(isalpha, at + 1)) return true;
  }
  return false;
}

/// What readers of a report look for, besides its subject: 0 to 1.1.
double telling(const std::string& sentence) {
  double figures = 0;
  for (const research::Figure& one : research::figures_in(sentence)) {
    const std::string_view text = std::string_view{sentence}.substr(one.begin, one.end - one.begin);
    figures += text.find_first_of("0123456789") == text.npos ? 0.15 : 0.3;
  }
  return std::min(0.6, figures) + (has_name(sentence) ? 0.1 : 0) +
         (is_decision(sentence) ? 0.4 : 0);
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
  std::string paragraph;
  const auto end = [&] {
    for (std::string& one : research::sentences(paragraph)) {
      if (says_something(one)) sentences.push_back(std::move(one));
    }
    paragraph.clear();
  };
  for (const std::string& line : lines_of(markdown)) {
    const auto item = item_of(line);
    const std::string_view words = item.value_or(line);
    if (item || !is_paragraph(words)) end();
    if (!is_paragraph(words)) continue;
    if (!paragraph.empty()) paragraph += ' ';
    paragraph += research::tidy(without_markup(words));
  }
  end();
  return sentences;
}

std::string as_paragraphs(std::string_view text) {
  std::string markdown;
  bool after_sentence = false;
  bool code = false;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```") || line.starts_with("~~~");
    code = code != fence;
    const bool prose =
        !code && !fence && !line.starts_with(' ') && is_paragraph(line) && !item_of(line);
    if (prose && after_sentence) markdown += '\n';
    markdown += line + '\n';
    after_sentence = prose && ends_sentence(line);
  }
  return markdown;
}

std::vector<std::size_t> summary_of(const std::vector<std::string>& sentences, std::size_t count) {
  std::map<std::string, double> frequency;
  for (const std::string& sentence : sentences) {
    for (const std::string& term : research::terms(sentence)) ++frequency[term];
  }
  std::vector<double> weights;
  for (const std::string& sentence : sentences) {
    const auto terms = research::terms(sentence);
    double sum = 0;
    for (const std::string& term : terms) sum += frequency[term];
    weights.push_back(terms.empty() ? 0 : sum / static_cast<double>(terms.size()));
  }
  const double most = weights.empty() ? 1 : std::max(1.0, std::ranges::max(weights));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = weights[i] / most + telling(sentences[i]);
  }
  std::vector<std::size_t> best(sentences.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  std::ranges::stable_sort(best, std::ranges::greater{},
                           [&](std::size_t one) { return weights[one]; });
  best.resize(std::min(best.size(), count));
  std::ranges::sort(best);
  return best;
}

}  // namespace review
