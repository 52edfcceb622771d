#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "resumable/yaml.hpp"
#include "yaml/characters.hpp"

namespace resumable {
inline namespace v0 {
namespace {

constexpr std::size_t width = 92;        // of text that is folded
constexpr std::size_t simple_key = 900;  // bytes; YAML's limit for `key: value` is 1024

enum class Quotes : std::uint8_t { none, single, twice };

// Words that some version of YAML takes for null, a truth value or a number.
bool is_word_of_yaml(std::string_view text) {
  std::string lower{text};
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::string_view, 11> words{"null", "true", "false", "yes", "no", "on",
                                                   "off",  "y",    "n",     "nan", "inf"};
  return std::ranges::find(words, lower) != words.end();
}

bool is_plain(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  return (std::isalpha(first) != 0 || first >= 0x80U) && text.back() != ' ' && text.back() != ':' &&
         text.find(": ") == text.npos && text.find(" #") == text.npos && !is_word_of_yaml(text);
}

Quotes quotes_for(std::string_view text) {
  bool marks = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = yaml::character_at(text, at);
    if (bytes == 0) throw YamlError(0, 0, "the value has text that is not UTF-8");
    if (!yaml::is_printable(code)) return Quotes::twice;
    marks = marks || code == '"' || code == '\\';
    at += bytes;
  }
  if (text.empty()) return Quotes::twice;
  if (is_plain(text)) return Quotes::none;
  return marks ? Quotes::single : Quotes::twice;
}

// A block of lines as they are: readers must find the indentation in the first line.
bool is_literal(std::string_view text) {
  if (text.find('\n') == text.npos) return false;
  if (text.front() == '\n' || text.front() == ' ' || text.front() == '\t') return false;
  bool blank = false;  // so far, the line has white space alone
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = yaml::character_at(text, at);
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (blank && code == '\n') return false;
    blank = (code == ' ' || code == '\t') && (begins || blank);
    if (bytes == 0 || (code != '\n' && code != '\t' && !yaml::is_printable(code))) return false;
    at += bytes;
  }
  return !blank;
}

// One long line, broken where it has single spaces.
bool is_folded(std::string_view text) {
  if (text.size() <= width || text.front() == ' ' || text.back() == ' ') return false;
  if (text.find("  ") != text.npos || text.find(' ') == text.npos) return false;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = yaml::character_at(text, at);
    if (bytes == 0 || !yaml::is_printable(code)) return false;
    at += bytes;
  }
  return true;
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = yaml::character_at(text, at);
    if (bytes == 0) throw YamlError(0, 0, "the value has text that is not UTF-8");
    if (code == '"' || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (code == '\n') {
      out += "\\n";
    } else if (code == '\t') {
      out += "\\t";
    } else if (yaml::is_printable(code)) {
      out += text.substr(at, bytes);
    } else {
      out += fmt::format("\\U{:08x}", static_cast<unsigned long>(code));
    }
    at += bytes;
  }
  return out + '"';
}

std::string written_inline(std::string_view text) {
  switch (quotes_for(text)) {
    case Quotes::none: return std::string{text};
    case Quotes::twice: return double_quoted(text);
    case Quotes::single: break;
  }
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string{"''"} : std::string{c};
  return out + '\'';
}

class Writer {
 public:
  void top(const Json& value) {
    if (is_block(value)) {
      block(value, 0, 1);
    } else {
      scalar(value, 0);
    }
  }
  std::string text;

 private:
  static bool is_block(const Json& value) { return value.is_structured() && !value.empty(); }

  // The members or elements, of which the first stands where the text ends.
  void block(const Json& value, std::size_t indent, std::size_t depth) {
    if (depth > yaml::max_depth) {
      throw YamlError(0, 0,
                      fmt::format("the value is nested deeper than {} levels", yaml::max_depth));
    }
    bool first = true;
    for (auto one = value.begin(); one != value.end(); ++one) {
      if (!std::exchange(first, false)) text.append(indent, ' ');
      if (value.is_object()) {
        member(one.key(), one.value(), indent, depth);
      } else if (text += '-'; is_block(*one)) {
        text += ' ';
        block(*one, indent + 2, depth + 1);
      } else {
        text += ' ';
        scalar(*one, indent + 2);
      }
    }
  }

  void member(const std::string& key, const Json& value, std::size_t indent, std::size_t depth) {
    const std::string name = written_inline(key);
    if (name.size() > simple_key) {
      text += "? " + name + '\n';
      text.append(indent, ' ');
    } else {
      text += name;
    }
    text += ':';
    if (is_block(value)) {
      text += '\n';
      text.append(indent + 2, ' ');
      block(value, indent + 2, depth + 1);
    } else {
      text += ' ';
      scalar(value, indent + 2);
    }
  }

  void scalar(const Json& value, std::size_t indent) {
    if (value.is_string()) {
      string(value.get_ref<const std::string&>(), std::max<std::size_t>(indent, 2));
    } else if (value.is_binary() || value.is_discarded() ||
               (value.is_number_float() && !std::isfinite(value.get<double>()))) {
      throw YamlError(0, 0, "the value has bytes, or a number that is not finite");
    } else {
      text += value.dump() + '\n';
    }
  }

  void string(std::string_view value, std::size_t indent) {
    if (is_literal(value)) {
      const bool ends = value.back() == '\n';
      text += !ends ? "|-\n" : value.ends_with("\n\n") ? "|+\n" : "|\n";
      lines(ends ? value.substr(0, value.size() - 1) : value, indent);
    } else if (is_folded(value)) {
      text += ">-\n";
      lines(folded(value), indent);
    } else {
      text += written_inline(value) + '\n';
    }
  }

  static std::string folded(std::string_view value) {
    std::string out;
    while (value.size() > width) {
      std::size_t space = value.rfind(' ', width);
      if (space == value.npos) space = value.find(' ');
      if (space == value.npos) break;
      out += value.substr(0, space);
      out += '\n';
      value.remove_prefix(space + 1);
    }
    return out += value;
  }

  void lines(std::string_view value, std::size_t indent) {
    for (;;) {
      const std::size_t end = std::min(value.find('\n'), value.size());
      if (end > 0) text.append(indent, ' ').append(value.substr(0, end));
      text += '\n';
      if (end == value.size()) return;
      value.remove_prefix(end + 1);
    }
  }
};

}  // namespace

std::string to_yaml(const Json& value, std::string_view comment) {
  Writer writer;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    writer.text += end == 0 ? "#" : "# ";
    writer.text.append(comment.substr(0, end)) += '\n';
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  writer.top(value);
  return writer.text;
}

}  // namespace v0
}  // namespace resumable
