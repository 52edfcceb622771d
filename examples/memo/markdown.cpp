#include "memo/markdown.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "memo/labels.hpp"
#include "memo/prose.hpp"
#include "memo/titles.hpp"

namespace memo {
namespace {

bool is_alnum(char c) noexcept { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) noexcept { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The place of the bracket that closes the one at `open`, or npos.
std::size_t closing(std::string_view text, std::size_t open, char left, char right) noexcept {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == left) ++depth;
    if (text[at] == right && --depth == 0) return at;
  }
  return npos;
}

std::string without_between(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const auto end = text.find(to, at + from.size());
    text.erase(at, end == std::string::npos ? end : end + to.size() - at);
  }
  return text;
}

struct RawLink {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past the closing parenthesis
  std::string_view text;
  std::string_view target;
};

std::optional<RawLink> link_at(std::string_view text, std::size_t open) {
  const auto close = closing(text, open, '[', ']');
  if (close == npos || close + 1 >= text.size() || text[close + 1] != '(') return std::nullopt;
  const auto end = closing(text, close + 1, '(', ')');
  if (end == npos) return std::nullopt;
  return RawLink{open, end + 1, text.substr(open + 1, close - open - 1),
                 text.substr(close + 2, end - close - 2)};
}

std::optional<RawLink> next_link(std::string_view text, std::size_t from) {
  for (auto at = text.find('[', from); at != npos; at = text.find('[', at + 1)) {
    if (auto link = link_at(text, at)) return link;
  }
  return std::nullopt;
}

bool is_image(std::string_view text, const RawLink& link) noexcept {
  return link.begin > 0 && text[link.begin - 1] == '!';
}

std::string links_to_text(std::string text) {
  std::size_t from = 0;
  while (const auto link = next_link(text, from)) {
    const bool image = is_image(text, *link);
    const std::string words{image ? std::string_view{} : link->text};
    from = image ? link->begin - 1 : link->begin;
    text.replace(from, link->end - from, words);
  }
  return text;
}

bool starts_tag(std::string_view text, std::size_t at) noexcept {
  if (at + 1 >= text.size()) return false;
  return std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0 || text[at + 1] == '/';
}

/// Inline tags vanish, so that `<sup>$</sup>1550` stays one word; others part words.
std::string_view in_place_of(std::string_view tag) {
  static constexpr std::array<std::string_view, 8> inline_tags{"sup", "sub", "a", "strong",
                                                               "em",  "b",   "i", "code"};
  if (tag.starts_with("http")) return tag;
  if (tag.starts_with('/')) tag.remove_prefix(1);
  const auto name = tag.substr(0, tag.find_first_of(" \t\n/"));
  if (name == "br") return ", ";
  return std::ranges::find(inline_tags, name) != inline_tags.end() ? "" : " ";
}

std::string without_tags(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto end = text[at] == '<' && starts_tag(text, at) ? text.find('>', at) : npos;
    if (end == npos) {
      out += text[at];
      continue;
    }
    const auto words = in_place_of(text.substr(at + 1, end - at - 1));
    while (words == ", " && out.ends_with(' ')) out.pop_back();
    out += words;
    at = end;
  }
  return out;
}

std::string decoded(std::string text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> entities{
      {{"\u00a0", " "},
       {" &#47; ", "/"},
       {"&#47; ", "/"},
       {" &#47;", "/"},
       {"&#47;", "/"},
       {"&rarr;", ""},
       {"&nbsp;", " "},
       {"&lt;", "<"},
       {"&gt;", ">"},
       {"&amp;", "&"}}};
  for (const auto& [entity, sign] : entities) text = replace_all(std::move(text), entity, sign);
  return text;
}

/// `**`, `*` and `_` that touch a word from outside mark emphasis; between two words they stay.
bool is_emphasis(std::string_view text, std::size_t at) noexcept {
  const char before = at == 0 ? ' ' : text[at - 1];
  const char after = at + 1 == text.size() ? ' ' : text[at + 1];
  if (text[at] == '*') return !is_space(before) || !is_space(after);
  return text[at] == '_' && (!is_alnum(before) || !is_alnum(after));
}

std::string without_emphasis(std::string_view text) {
  std::string out;
  bool code = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '`') {
      code = !code;
    } else if (code || !is_emphasis(text, at)) {
      out += text[at];
    }
  }
  return out;
}

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::size_t heading_level(std::string_view line) noexcept {
  const auto level = line.find_first_not_of('#');
  return level != npos && level > 0 && level <= 6 && line[level] == ' ' ? level : 0;
}

bool is_rule(std::string_view line) noexcept {
  return line.size() >= 3 &&
         (line.find_first_not_of('-') == npos || line.find_first_not_of('=') == npos ||
          line.find_first_not_of('*') == npos);
}

/// Length of the list marker with its blank, 0 if the line starts no item.
std::size_t item_marker(std::string_view line) noexcept {
  if (line.size() < 2) return 0;
  if ((line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ') return 2;
  const auto digits = line.find_first_not_of("0123456789");
  if (digits == npos || digits == 0 || digits > 2) return 0;
  const auto mark = line.substr(digits);
  return mark.starts_with(". ") || mark.starts_with(") ") ? digits + 2 : 0;
}

bool is_separator_row(std::string_view line) noexcept {
  return line.find_first_not_of("|-: \t") == npos;
}

std::vector<std::string> cells_of(std::string_view line) {
  line = trim(line);
  const bool framed = line.size() > 1 && line.starts_with('|') && line.ends_with('|');
  if (framed) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string> cells;
  for (auto bar = line.find('|'); bar != npos; bar = line.find('|')) {
    cells.push_back(plain(line.substr(0, bar)));
    line.remove_prefix(bar + 1);
  }
  cells.push_back(plain(line));
  return cells;
}

/// Collects lines into blocks. One object reads one document.
class BlockReader {
 public:
  std::vector<Block> read(std::string_view markdown) {
    const std::string text = without_between(std::string{markdown}, "<!--", "-->");
    const auto all = lines(text);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool own = fenced_ || !name_and_value(all[i]).empty();
      const auto title = own ? std::string_view{} : title_in(all, i);
      if (title.empty()) {
        add(heading_.ends_with('?') ? without_answer_mark(trim(all[i])) : all[i]);
      } else {
        heading(title, 2);
      }
    }
    flush();
    return std::move(blocks_);
  }

 private:
  void add(std::string_view line) {
    if (const auto pair = name_and_value(line); !pair.empty() && !fenced_) return item(pair);
    line = trim(line);
    if (line.starts_with('>')) line = trim(line.substr(1));
    if (line.starts_with("```")) fenced_ = !fenced_;
    if (line.empty() || line.starts_with("```")) return flush();
    if (fenced_) return;
    if (is_rule(line)) return underline();
    if (const auto level = heading_level(line)) return heading(line.substr(level), level);
    if (line.find('|') != npos) return row(line);
    if (const auto marker = item_marker(line)) return item(line.substr(marker));
    if (line.starts_with("**") && raw_.ends_with('.')) flush();  // a label: a list without marks
    raw_ += raw_.empty() ? "" : " ";
    raw_ += line;
  }

  /// A paragraph in bold, and nothing else, that is no sentence: a heading in all but its markup.
  [[nodiscard]] bool is_bold() const {
    constexpr std::size_t longest = 120;
    return kind_ == Block::Kind::paragraph && raw_.size() > 4 && raw_.size() < longest &&
           raw_.find("**", 2) == raw_.size() - 2 && raw_.starts_with("**") &&
           !raw_.ends_with(".**");
  }

  void heading(std::string_view text, std::size_t level) {
    flush();
    heading_ = without_number(plain(text));
    is_title_ = level == 1;
    push(Block::Kind::heading, heading_);
  }

  void underline() {
    if (raw_.empty()) return;
    const std::string text = std::exchange(raw_, {});
    heading(text, 2);
  }

  void item(std::string_view text) {
    flush();
    kind_ = Block::Kind::item;
    raw_ = trim(text);
  }

  void row(std::string_view line) {
    flush();
    if (is_separator_row(line)) return;
    auto cells = cells_of(line);
    push(Block::Kind::row, fmt::format("{}", fmt::join(cells, " | ")));
    if (!blocks_.empty()) blocks_.back().cells = std::move(cells);
  }

  void flush() {
    if (is_bold()) {
      heading_ = without_number(plain(std::exchange(raw_, {})));
      is_title_ = false;
      push(Block::Kind::heading, heading_);
    }
    if (!raw_.empty()) {
      const bool first = !blocks_.empty() && blocks_.back().kind == Block::Kind::heading;
      const Labelled parts = parted(raw_);
      const std::string label{without_number(plain(parts.label))};
      const std::size_t before = blocks_.size();
      push(kind_, plain(parts.text), label);
      const bool answer = label.empty() && first && heading_.ends_with('?');
      if (blocks_.size() > before) blocks_.back().label = label_of(answer ? heading_ : label);
    }
    raw_.clear();
    kind_ = Block::Kind::paragraph;
  }

  void push(Block::Kind kind, std::string text, const std::string& label = {}) {
    if (text.empty()) return;
    const bool titled = is_title_ && !label.empty();  // the label says more than the page's title
    const std::string above = titled ? std::string{} : heading_;
    const bool both = !above.empty() && !label.empty();
    blocks_.push_back({kind, above + (both ? ": " : "") + label, std::move(text), {}});
  }

  std::vector<Block> blocks_;
  std::string heading_;
  bool is_title_ = false;  ///< of the page
  std::string raw_;
  Block::Kind kind_ = Block::Kind::paragraph;
  bool fenced_ = false;
};

/// Addresses in running text, as in the signature of an e-mail.
void add_bare_links(std::string_view markdown, std::vector<Link>& found) {
  static constexpr std::array<std::string_view, 4> heads{"https://", "http://", "www.",
                                                         "linkedin.com/"};
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    if (at > 0 && std::string_view{" \t\r\n<:|"}.find(markdown[at - 1]) == npos) continue;
    const auto rest = markdown.substr(at);
    const auto head =
        std::ranges::find_if(heads, [&](auto start) { return rest.starts_with(start); });
    if (head == heads.end()) continue;
    auto address = rest.substr(0, rest.find_first_of(" \t\r\n<>()[]\"|"));
    while (std::string_view{".,;:!?'"}.find(address.back()) != npos) address.remove_suffix(1);
    at += address.size();
    auto name = address.substr(address.find("://") == npos ? 0 : address.find("://") + 3);
    const std::string url = (address == name ? "https://" : "") + std::string{address};
    if (name.starts_with("www.")) name.remove_prefix(4);
    const bool known =
        std::ranges::any_of(found, [&](const Link& link) { return link.url == url; });
    if (!known && !name.empty()) found.push_back({std::string{name}, url});
  }
}

}  // namespace

std::string plain(std::string_view markup) {
  std::string text = without_between(std::string{markup}, "<!--", "-->");
  text = without_between(std::move(text), "[^", "]");
  return collapsed(without_emphasis(decoded(without_tags(links_to_text(std::move(text))))));
}

std::vector<Block> blocks(std::string_view markdown) { return BlockReader{}.read(markdown); }

std::string fragment_of(const Block& item) {
  static constexpr std::size_t longest = 240;
  if (item.kind != Block::Kind::item || item.text.size() > longest) return {};
  const bool goes_on = std::islower(static_cast<unsigned char>(item.text[0])) != 0;
  const bool named = is_short(item.label) || (goes_on && !item.label.empty());
  const std::string head = named ? item.label + ' ' : std::string{};  // what it is about
  if (item.text.ends_with('.') && words_in(item.text) < 6) return head + item.text;
  const bool ended = std::string_view{".!?:"}.find(item.text.back()) != npos;
  const bool one_word = head.empty() && item.text.find(' ') == npos;
  if (ended || one_word || sentences(item.text).size() > 1) return {};
  return head + item.text.substr(0, item.text.find_last_not_of(";,") + 1) + ".";
}

std::vector<Link> links(std::string_view markdown) {
  std::vector<Link> found;
  std::size_t from = 0;
  while (const auto link = next_link(markdown, from)) {
    from = link->begin + 1;  // a link may hold an image: look inside as well
    const auto url = link->target.substr(0, link->target.find_first_of(" \n"));
    if (is_image(markdown, *link) || !url.starts_with("http")) continue;
    found.push_back({plain(link->text), std::string{url}});
  }
  add_bare_links(markdown, found);
  return found;
}

std::string_view trim(std::string_view text) noexcept {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out.push_back(text.substr(0, end));
    text.remove_prefix(end == npos ? text.size() : end + 1);
  }
  return out;
}

std::string to_lower(std::string_view ascii) {
  std::string out{ascii};
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace memo
