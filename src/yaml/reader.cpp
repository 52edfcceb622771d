#include "yaml/reader.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/node/node.h>  // which parser.h declares
#include <yaml-cpp/parser.h>

#include "yaml/characters.hpp"

namespace resumable::yaml {
namespace {

Place place_of(const YAML::Mark& mark) {
  return {static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.column)};
}

std::string escaped_key(const std::string& key) {
  std::string out;
  for (const char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string{c};
  return out;
}

/// Builds a value from the parser's events. They come one after the other, so nothing is expanded.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::string_view text, Places* places) : text_(text), places_(places) {}

  Json value;
  bool complete = false;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (complete) fail(mark, "a second document begins here; one is read");
  }
  void OnDocumentEnd() override { complete = true; }
  void OnAnchor(const YAML::Mark& mark, const std::string& /*name*/) override {
    fail(mark, "anchors (&name) are not used here: write the value out");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    fail(mark, "aliases (*name) are not used here: write the value out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    if (expects_key()) fail(mark, "a key is missing here; quote it if it is the word null or ~");
    add(mark, nullptr);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    check(mark, tag, anchor);
    if (expects_key()) {
      key(mark, text);
    } else if (tag == "?") {
      add(mark, plain(mark, text));
    } else {
      add(mark, text);
    }
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, Json::array());
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, Json::object());
  }
  void OnMapEnd() override { open_.pop_back(); }

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& problem) const {
    if (mark.is_null()) throw YamlError(0, 0, problem);
    fail_at(text_, place_of(mark), problem);
  }

 private:
  struct Open {
    Json* value;
    std::string path;
    std::string key{};
    bool has_key = false;
  };

  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back().value->is_object() && !open_.back().has_key;
  }

  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor)
      fail(mark, "anchors (&name) are not used here: write the value out");
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail(mark, "tags (!name) are not used here: quote what has to be text");
    }
  }
  void key(const YAML::Mark& mark, const std::string& text) {
    Open& map = open_.back();
    if (map.value->contains(text)) fail(mark, fmt::format("the key '{}' occurs twice", text));
    map.key = text;
    map.has_key = true;
  }

  Json plain(const YAML::Mark& mark, const std::string& text) const {
    if (text == "true" || text == "True" || text == "TRUE") return true;
    if (text == "false" || text == "False" || text == "FALSE") return false;
    if (!is_number(text)) return text;
    Json number = Json::accept(text) ? Json::parse(text) : Json{};
    const bool is_integer = text.find_first_of(".eE") == text.npos;
    if (number.is_null() || is_integer == number.is_number_float()) {
      fail(mark,
           fmt::format("'{}' is not a number as JSON writes them (12, 0.5, 2e3); quote it if it "
                       "is text",
                       text));
    }
    return number;
  }

  Json* add(const YAML::Mark& mark, Json one) {
    std::string path;
    Json* place = &value;
    if (!open_.empty()) {
      Open& into = open_.back();
      if (into.value->is_object()) {
        path = into.path + '/' + escaped_key(into.key);
        place = &(*into.value)[into.key];
        into.has_key = false;
      } else {
        path = into.path + '/' + std::to_string(into.value->size());
        place = &into.value->emplace_back();
      }
    }
    *place = std::move(one);
    if (places_ != nullptr && !mark.is_null()) (*places_)[path] = place_of(mark);
    path_ = std::move(path);
    return place;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json empty) {
    check(mark, tag, anchor);
    if (expects_key()) fail(mark, "a key must be text");
    if (open_.size() == max_depth) {
      fail(mark, fmt::format("nested deeper than {} levels", max_depth));
    }
    Json* place = add(mark, std::move(empty));
    open_.push_back({place, path_});
  }

  std::string_view text_;
  Places* places_;
  std::vector<Open> open_;
  std::string path_;
};

/// yaml-cpp takes some control characters for ends of input.
void check_characters(std::string_view text) {
  std::size_t line = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = character_at(text, at);
    const bool mark = at == 0 && code == 0xFEFF;
    if (bytes == 0 ||
        (!is_printable(code) && code != '\n' && code != '\t' && code != '\r' && !mark)) {
      const auto number = static_cast<unsigned long>(code);
      fail_at(text, {line, at - begin},
              bytes == 0 ? "a byte that is not UTF-8"
                         : fmt::format("the character U+{:04X}: write it as an escape in double "
                                       "quotes",
                                       number));
    }
    at += bytes;
    if (code == '\n') {
      ++line;
      begin = at;
    }
  }
}

/// Whether it has comments alone.
bool is_blank(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t first = text.substr(0, end).find_first_not_of(" \t\r");
    if (first != text.npos && text[first] != '#') return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

/// Without what line feeds at the end begin.
int lines_in(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  return static_cast<int>(std::ranges::count(text, '\n')) + 1;
}

}  // namespace

void fail_at(std::string_view text, Place place, const std::string& problem) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < place.line; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == text.npos) break;
    begin = end + 1;
  }
  const auto inside = std::ranges::count_if(text.substr(begin, place.byte), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  });
  throw YamlError(place.line + 1, place.byte - static_cast<std::size_t>(inside) + 1, problem);
}

Json read(std::string_view text, Places* places) {
  check_characters(text);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (is_blank(text)) throw YamlError(1, 1, "there is no value in it");
  Builder builder{text, places};
  try {
    // The mark of a document's end makes yaml-cpp see a quote that is never closed.
    std::istringstream in{std::string{text} + (text.ends_with('\n') ? "...\n" : "\n...\n")};
    YAML::Parser parser{in};
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (!error.mark.is_null() && error.mark.line >= lines_in(text)) {
      const std::size_t last = text.find_last_of('\n', text.find_last_not_of('\n'));
      fail_at(text, {static_cast<std::size_t>(lines_in(text)) - 1, text.size() - (last + 1)},
              "an earlier quote or bracket is not closed (" + error.msg + ")");
    }
    const bool colon = error.msg == YAML::ErrorMsg::MAP_VALUE;
    builder.fail(error.mark, colon ? "put text that has a ': ' in it in quotes (" + error.msg + ")"
                                   : error.msg);
  }
  return std::move(builder.value);
}

}  // namespace resumable::yaml
