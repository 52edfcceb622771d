#include "research/html.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

namespace research {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// One space for any white space, none at the ends.
std::string tidy(std::string_view text) {
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

std::string utf8(unsigned code) {
  const auto byte = [](unsigned bits) { return static_cast<char>(bits); };
  if (code == 0xA0) return " ";
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | (code >> 6)), byte(0x80 | (code & 0x3F))};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (surrogate || code > 0x10FFFF) return "\xEF\xBF\xBD";
  if (code < 0x10000) {
    return {byte(0xE0 | (code >> 12)), byte(0x80 | ((code >> 6) & 0x3F)),
            byte(0x80 | (code & 0x3F))};
  }
  return {byte(0xF0 | (code >> 18)), byte(0x80 | ((code >> 12) & 0x3F)),
          byte(0x80 | ((code >> 6) & 0x3F)), byte(0x80 | (code & 0x3F))};
}

/// The text of `&name;`, or the reference as it is when it is not known.
std::string entity(std::string_view name) {
  static const std::map<std::string_view, std::string_view> known{
      {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}};
  if (const auto found = known.find(name); found != known.end()) return std::string{found->second};
  if (name.starts_with('#')) {
    const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const std::string_view digits = name.substr(hex ? 2 : 1);
    unsigned code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
    if (error == std::errc{} && end == digits.data() + digits.size() && code != 0)
      return utf8(code);
  }
  return "&" + std::string{name} + ";";
}

std::string unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    out += text.substr(0, at);
    if (at == text.npos) break;
    text.remove_prefix(at);
    const std::size_t end = text.find(';');
    if (end == text.npos || end > 10) {
      out += '&';
      text.remove_prefix(1);
    } else {
      out += entity(text.substr(1, end - 1));
      text.remove_prefix(end + 1);
    }
  }
  return out;
}

struct Tag {
  std::string name;  ///< lower case; `/p` ends a `p`
  std::map<std::string, std::string> attributes;

  [[nodiscard]] std::string operator[](const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::string{} : found->second;
  }
};

/// `text` is what stands between < and >.
Tag read_tag(std::string_view text) {
  std::size_t at = 0;
  const auto word = [&](auto ends) {
    const std::size_t begin = at;
    while (at < text.size() && !ends(text[at])) ++at;
    return text.substr(begin, at - begin);
  };
  Tag tag{lower(word(is_space)), {}};
  while (at < text.size()) {
    word([](char c) { return !is_space(c) && c != '/'; });
    const std::string name = lower(word([](char c) { return is_space(c) || c == '='; }));
    std::string_view value;
    if (at < text.size() && text[at] == '=') {
      ++at;
      const char quote = at < text.size() ? text[at] : ' ';
      const bool quoted = quote == '"' || quote == '\'';
      if (quoted) ++at;
      value = word([&](char c) { return quoted ? c == quote : is_space(c); });
      if (quoted) ++at;
    }
    if (!name.empty()) tag.attributes.emplace(name, unescape(value));
  }
  return tag;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string part = tidy(std::string_view{text}.substr(at, end - at));
    if (!part.empty()) parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

class Reader {
 public:
  Document read(std::string_view html) {
    for (std::size_t at = 0; at < html.size();) {
      const std::size_t open = std::min(html.find('<', at), html.size());
      text(html.substr(at, open - at));
      if (open == html.size()) break;
      if (html.substr(open, 4) == "<!--") {
        const std::size_t end = html.find("-->", open);
        at = end == html.npos ? html.size() : end + 3;
        continue;
      }
      const std::size_t close = std::min(html.find('>', open), html.size());
      const Tag read = read_tag(html.substr(open + 1, close - open - 1));
      tag(read);
      at = close + 1;
      // No tags are in there, whatever it looks like.
      if (is_one_of(read.name, {"script", "style"})) at = html.find("</" + read.name, at);
    }
    end_block();
    return std::move(document_);
  }

 private:
  void text(std::string_view raw) {
    if (in_title_) document_.title += unescape(raw);
    if (silent_ == 0 && !in_title_) block_ += unescape(raw);
  }

  void tag(const Tag& tag) {
    const bool ends = tag.name.starts_with('/');
    const std::string name = ends ? tag.name.substr(1) : tag.name;
    if (is_one_of(name, {"nav", "pre", "script", "style"})) {
      end_block();
      if (!ends) {
        ++silent_;
      } else if (silent_ > 0) {
        --silent_;
      }
    } else if (name == "title") {
      in_title_ = !ends;
      if (ends) document_.title = tidy(document_.title);
    } else if (is_one_of(name, {"h1", "h2", "h3", "h4", "h5", "h6"})) {
      if (ends) {
        heading_ = tidy(std::exchange(block_, {}));
      } else {
        end_block();
      }
    } else if (is_one_of(name, {"p", "li", "ul", "ol", "div", "article", "section", "blockquote",
                                "figure", "figcaption", "table", "tr", "td", "th", "body", "hr"})) {
      end_block();
    } else if (name == "br") {
      block_ += ' ';
    } else if (name == "a" && !tag["href"].empty()) {
      document_.links.push_back(tag["href"]);
    } else if (name == "link" && lower(tag["rel"]) == "canonical") {
      document_.canonical = tag["href"];
    } else if (name == "meta") {
      meta(tag);
    }
  }

  void meta(const Tag& tag) {
    const std::string name = lower(tag["name"]);
    if (name == "date") document_.date = tag["content"];
    if (name == "keywords") document_.tags = split_at_commas(tag["content"]);
  }

  void end_block() {
    std::string text = tidy(std::exchange(block_, {}));
    if (!text.empty()) document_.passages.push_back({heading_, std::move(text)});
  }

  Document document_;
  std::string heading_;
  std::string block_;
  bool in_title_ = false;
  int silent_ = 0;
};

}  // namespace

Document read_html(std::string_view html) { return Reader{}.read(html); }

}  // namespace research
