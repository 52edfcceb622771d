// Reading by lines is enough: the program writes one paragraph, item or row a line, and so do
// people who edit.
#include "memo/memo_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include <fmt/format.h>

#include "text/passages.hpp"

namespace memo {
namespace {

constexpr std::string_view open_quote = "“";
constexpr std::string_view close_quote = "”";

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

bool is_alphanumeric(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// A label as Markdown allows it: without blanks and brackets.
std::string as_label(const std::string& citation) {
  std::string label;
  for (const char c : citation) {
    const auto byte = static_cast<unsigned char>(c);
    const bool fine = is_alphanumeric(byte) || byte >= 0x80 ||
                      std::string_view{"._/-:"}.find(c) != std::string_view::npos;
    label += fine ? std::string{c} : fmt::format("%{:02X}", byte);
  }
  return label;
}

/// Cuts a line into statements; see the header.
class LineReader {
 public:
  explicit LineReader(std::vector<Statement>& list) : list_{list} {}

  void read(std::string_view line) {
    std::string text;
    for (std::size_t at = 0; at < line.size();) {
      const auto mark = line.find("[^", at);
      const auto end = line.find(']', mark);
      if (mark == line.npos || end == line.npos) {
        text += line.substr(at);
        break;
      }
      text += line.substr(at, mark - at);
      take(text);
      text.clear();
      if (!list_.empty() && opened_)
        list_.back().citations.push_back(citation_of(line.substr(mark + 2, end - mark - 2)));
      at = end + 1;
    }
    take(text);
  }

 private:
  void take(const std::string& text) {
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto open = rest.find(open_quote);
      const auto close = open == rest.npos ? rest.npos : rest.find(close_quote, open);
      if (close == rest.npos) break;
      take_sentences(rest.substr(0, open));
      add(rest.substr(open + open_quote.size(), close - open - open_quote.size()), true);
      rest.remove_prefix(close + close_quote.size());
    }
    take_sentences(rest);
  }

  void take_sentences(std::string_view text) {
    for (const auto sentence : text::sentences(text)) add(sentence, false);
  }

  void add(std::string_view text, bool is_quote) {
    std::string words = plain(text);
    const bool says =
        std::ranges::any_of(words, [](unsigned char c) { return is_alphanumeric(c) || c >= 0x80; });
    if (!says) return;
    opened_ = true;
    list_.push_back({std::move(words), {}, is_quote});
  }

  std::vector<Statement>& list_;
  bool opened_ = false;  // a mark needs a statement of its own line before it
};

/// The cells of a row with what they cite.
Statement read_row(std::string_view line) {
  Statement row{{}, {}, false, true};
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool mark = line.substr(at).starts_with("[^");
    const auto end = line.find(']', at);
    if (mark && end != line.npos) {
      row.citations.push_back(citation_of(line.substr(at + 2, end - at - 2)));
      at = end;
    } else {
      const bool bar = line[at] == '|' && (at == 0 || line[at - 1] != '\\');
      text += bar && !text.empty() ? ";" : bar ? "" : std::string{line[at]};  // cells stay apart
    }
  }
  row.text = plain(text);
  return row;
}

bool is_rule(std::string_view line) { return line.find_first_not_of("|-: ") == line.npos; }

}  // namespace

std::string citation_of(std::string_view label) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  const auto is_code = [&](std::size_t at) {
    return at + 2 < label.size() && label[at] == '%' &&
           std::isxdigit(static_cast<unsigned char>(label[at + 1])) != 0 &&
           std::isxdigit(static_cast<unsigned char>(label[at + 2])) != 0;
  };
  std::string citation;
  for (std::size_t at = 0; at < label.size(); ++at) {
    if (!is_code(at)) {
      citation += label[at];
      continue;
    }
    citation += static_cast<char>(digit(label[at + 1]) * 16 + digit(label[at + 2]));
    at += 2;
  }
  return citation;
}

std::string citation_mark(const Quote& quote) {
  return fmt::format(" [^{}]", as_label(fmt::format("{}:{}", quote.file, quote.line)));
}

std::string quoted(const Quote& quote) {
  return fmt::format("{}{}{}{}", open_quote, escaped(quote.text), close_quote,
                     citation_mark(quote));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text::collapsed(text)) {
    if (std::string_view{"\\*[]<`|"}.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  if (!out.empty() && std::string_view{"#>-+"}.find(out[0]) != std::string_view::npos)
    out.insert(0, "\\");
  // The quotation marks around a quote are the program's; those inside become single ones.
  for (const auto& [from, to] : {std::pair{open_quote, "‘"}, std::pair{close_quote, "’"}}) {
    for (auto at = out.find(from); at != out.npos; at = out.find(from, at))
      out.replace(at, from.size(), to);
  }
  return out;
}

std::string plain(std::string_view markdown) {
  static const std::regex link{R"(\[((?:[^\[\]\\]|\\.)*)\]\([^()\s]*\))"};
  std::string text{markdown};
  if (text.size() < 5'000) text = std::regex_replace(text, link, "$1");
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '\\' && at + 1 < text.size();
    if (escape) ++at;
    if (escape || (text[at] != '*' && text[at] != '`')) out += text[at];
  }
  return text::collapsed(out);
}

std::vector<Statement> statements(const std::string& markdown, const std::set<std::string>& own) {
  std::vector<Statement> list;
  bool is_code = false;
  const auto lines = lines_of(std::string_view{markdown}.substr(
      0, markdown.find(std::string{"\n"} + std::string{citations_heading})));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code || line.starts_with('#') || line.starts_with("<!--") || own.contains(lines[i]))
      continue;
    if (line.starts_with('|')) {
      const bool is_head =
          i + 1 < lines.size() && lines[i + 1].starts_with('|') && is_rule(lines[i + 1]);
      if (!is_head && !is_rule(line)) list.push_back(read_row(line));
      continue;
    }
    for (const std::string_view begin : {"> ", "- "}) {
      if (line.starts_with(begin)) line.remove_prefix(begin.size());
    }
    LineReader{list}.read(line);
  }
  return list;
}

std::vector<std::pair<std::string, std::string>> citation_list(std::string_view markdown) {
  std::vector<std::pair<std::string, std::string>> list;
  const auto begin = markdown.find(citations_heading);
  if (begin == markdown.npos) return list;
  static const std::regex entry{R"(\[\^([^\]]+)\]: (?:edited by hand, )?(.+?)(?:, page (\d+))?)"};
  for (const auto& line : lines_of(markdown.substr(begin))) {
    std::smatch match;
    if (line.size() > 2000 || !std::regex_match(line, match, entry)) continue;
    list.emplace_back(match[1],
                      match[3].matched ? match[2].str() + ":" + match[3].str() : match[2].str());
  }
  return list;
}

std::string silence_item(const Part& part) {
  return fmt::format("- {}: {}", part.heading, part.asked);
}

std::string see_line(const std::string& heading) {
  return fmt::format("*What comes nearest stands under “{}”.*", heading);
}

std::string kind_line(const Request& request) {
  return fmt::format("Investment memo on a {} investment, {}.", request.type,
                     request.mode == "justify" ? "to justify a decision" : "for a decision");
}

std::string origin_line(bool quoting) {
  return quoting
             ? "Quoted from the sources without a model: whether a quote answers its question is "
               "for the reader to judge. A model writes better: `--provider openai --base-url URL`."
             : "Written by a model from the sources.";
}

std::set<std::string> own_lines(const Request& request, const std::vector<Brief>& briefs) {
  std::set<std::string> lines{kind_line(request), origin_line(true), origin_line(false),
                              std::string{silence_line}, std::string{former_silence_line}};
  for (const auto& brief : briefs) {
    lines.insert(brief.remarks.begin(), brief.remarks.end());
    for (const auto& part : brief.parts) {
      lines.insert(silence_item(part));
      lines.insert(see_line(part.see));
    }
  }
  return lines;
}

}  // namespace memo
