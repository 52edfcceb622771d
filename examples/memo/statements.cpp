#include "memo/statements.hpp"

#include <cstdlib>
#include <utility>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

/// Reads the marks `[^1][^2]` at the head of `text` and takes them off.
std::vector<int> take_marks(std::string_view& text) {
  std::vector<int> marks;
  while (text.starts_with("[^")) {
    const auto end = text.find(']');
    if (end == npos) break;
    marks.push_back(std::atoi(std::string{text.substr(2, end - 2)}.c_str()));
    text.remove_prefix(end + 1);
  }
  return marks;
}

std::vector<int> all_marks(std::string_view text) {
  std::vector<int> marks;
  for (auto at = text.find("[^"); at != npos; at = text.find("[^")) {
    text.remove_prefix(at);
    const auto found = take_marks(text);
    if (found.empty()) break;
    marks.insert(marks.end(), found.begin(), found.end());
  }
  return marks;
}

std::size_t count(std::string_view text, std::string_view mark) noexcept {
  std::size_t n = 0;
  for (auto at = text.find(mark); at != npos; at = text.find(mark, at + mark.size())) ++n;
  return n;
}

/// `As of 2025-03`
bool is_dated(std::string_view mark) noexcept {
  return mark.starts_with(dated_mark) &&
         mark.find_first_not_of(" 0123456789-", dated_mark.size()) == npos;
}

bool tells_what_is_open(std::string_view line) noexcept {
  return line.starts_with(silence_mark) || line.starts_with(nearest_mark);
}

class Reader {
 public:
  std::vector<Statement> read(std::string_view memo) {
    for (const auto raw : lines(memo)) {
      const auto line = trim(raw);
      if (line.starts_with(citations_heading)) break;
      add(line);
    }
    return std::move(found_);
  }

 private:
  void add(std::string_view line) {
    if (line.starts_with('|')) return row(line);
    if (!line.empty()) rows_ = 0;
    if (line.starts_with(caption_mark)) {
      caption_ = all_marks(line);
    } else if (!line.empty() && !line.starts_with('#') && !line.starts_with("<!--") &&
               !tells_what_is_open(line)) {
      prose(line);
    }
  }

  /// The first row names the columns, the second is the rule under them.
  void row(std::string_view line) {
    if (++rows_ <= 2) return;
    auto marks = all_marks(line);
    auto read = blocks(line);
    Block row = read.empty() ? Block{} : std::move(read.front());
    found_.push_back({std::move(row.text), marks.empty() ? caption_ : marks, std::move(row.cells)});
  }

  void prose(std::string_view line) {
    if (line.starts_with("- ") || line.starts_with("> ")) line.remove_prefix(2);
    while (!line.empty()) {
      const auto mark = line.find("[^");
      const auto segment = line.substr(0, mark);
      line.remove_prefix(mark == npos ? line.size() : mark);
      const auto marks = take_marks(line);
      if (marks.empty() && mark != npos) line.remove_prefix(2);
      add_sentences(segment, marks);
    }
  }

  /// Marks belong to the last sentence before them.
  void add_sentences(std::string_view segment, const std::vector<int>& marks) {
    const std::string text = plain(segment);
    for (const auto& sentence : sentences(text)) {
      if (!is_silence(sentence)) add_sentence(sentence);
    }
    if (!text.empty() && !found_.empty() && !marks.empty()) found_.back().citations = marks;
  }

  /// A mark holds to the end of the quotation behind it.
  void add_sentence(std::string_view sentence) {
    const auto mark = take_mark(sentence);
    if (!mark.empty()) mark_ = mark;
    found_.push_back({std::string{sentence}, {}, {}, mark_});
    if (count(sentence, "”") >= count(sentence, "“")) mark_.clear();
  }

  std::vector<Statement> found_;
  std::vector<int> caption_;
  std::string mark_;
  int rows_ = 0;
};

std::string without_full_stop(std::string title) {
  if (title.ends_with('.')) title.pop_back();
  return title;
}

/// Splits `[^3]: Title, `path`: “quote”` into its parts.
Citation citation_from(std::string_view line) {
  Citation citation;
  citation.number = std::atoi(std::string{line.substr(2)}.c_str());
  const auto open = line.find('`');
  const auto close = open == npos ? npos : line.find('`', open + 1);
  if (close == npos) return citation;
  const auto colon = line.find(": ");
  citation.title = line.substr(colon + 2, open - colon - 4);
  citation.source = line.substr(open + 1, close - open - 1);
  const auto rest = trim(line.substr(close + 1));
  if (rest.starts_with(": ")) citation.quote = unquoted(trim(rest.substr(2)));
  return citation;
}

}  // namespace

bool is_set_behind(std::string_view mark) noexcept {
  return mark.starts_with(earlier_mark) || mark.starts_with(undated_mark);
}

bool leads(std::string_view mark) noexcept {
  return mark.starts_with(later_mark) || mark.starts_with(dated_mark);
}

std::string_view take_mark(std::string_view& text) noexcept {
  const auto end = text.find(": “");
  if (end == npos) return {};
  const auto mark = text.substr(0, end);
  const auto word = mark.substr(0, mark.find(" ("));
  const bool told = mark.ends_with(')') && (word == later_mark || word == earlier_mark);
  if (!told && mark != undated_mark && !is_dated(mark)) return {};
  text.remove_prefix(end + 2);
  return mark;
}

std::vector<Statement> statements(std::string_view memo) { return Reader{}.read(memo); }

std::vector<Citation> citations(std::string_view memo) {
  std::vector<Citation> found;
  bool below = false;
  for (const auto line : lines(memo)) {
    below = below || line.starts_with(citations_heading);
    if (below && line.starts_with("[^") && line.find("]: ") != npos) {
      found.push_back(citation_from(line));
    }
  }
  return found;
}

std::string citation_line(const Citation& citation) {
  std::string line = "[^" + std::to_string(citation.number) +
                     "]: " + without_full_stop(citation.title) + ", `" + citation.source + "`";
  if (!citation.quote.empty()) line += ": “" + citation.quote + "”";
  return line;
}

std::string_view unquoted(std::string_view statement) noexcept {
  static constexpr std::string_view open = "“";
  static constexpr std::string_view close = "”";
  const auto opened = count(statement, open);
  const auto closed = count(statement, close);
  const bool both = statement.starts_with(open) && statement.ends_with(close);
  const bool head = statement.starts_with(open) && (both || opened > closed);
  const bool tail = statement.ends_with(close) && (both || closed > opened);
  if (tail) statement.remove_suffix(close.size());
  if (head) statement.remove_prefix(open.size());
  return statement;
}

bool is_silence(std::string_view line) {
  if (tells_what_is_open(line)) return true;
  const bool states_a_figure = line.find_first_of("0123456789") != npos;
  return !states_a_figure &&
         (has_sign(line, "no statement was found about") ||  // as earlier versions wrote
          has_sign(line, "not in the sources"));
}

std::string with_silence(std::string markdown, std::string_view what) {
  return std::move(markdown) + "\n" + std::string{silence_mark} + std::string{what} + ".\n";
}

std::string with_block(const std::string& markdown, const std::string& block) {
  const auto at = markdown.rfind(silence_mark);
  if (at == std::string::npos) return markdown + '\n' + block;
  return markdown.substr(0, at) + block + '\n' + markdown.substr(at);
}

}  // namespace memo
