// Search words stand in the outline, because they are a person's knowledge of what answers look
// like; the code has none.
#include "memo/outline.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "text/index.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_search_words = 12;
/// outline.json, as it was when the program was built.
constexpr unsigned char own_outline[] = {
#include MEMO_OUTLINE
};

[[noreturn]] void complain(const std::string& what) { throw std::invalid_argument{what}; }

struct Key {
  const char* name;
  Json::value_t type;
  bool required = true;
};

/// `json` is an object with these keys and no other.
void check_keys(const Json& json, const std::string& where, std::initializer_list<Key> keys) {
  if (!json.is_object()) complain(where + " is not an object");
  for (const Key& key : keys) {
    if (!json.contains(key.name)) {
      if (key.required) complain(fmt::format("{} lacks the key '{}'", where, key.name));
      continue;
    }
    const Json& value = json[key.name];
    if (value.type() == key.type && !(value.is_string() && value.empty())) continue;
    complain(fmt::format("the key '{}' of {} is not {}", key.name, where,
                         key.type == Json::value_t::string  ? "a text"
                         : key.type == Json::value_t::array ? "a list"
                                                            : "an object"));
  }
  for (const auto& item : json.items()) {
    const auto known = [&](const Key& key) { return item.key() == key.name; };
    if (std::ranges::none_of(keys, known)) {
      complain(fmt::format("{} has an unknown key '{}'", where, item.key()));
    }
  }
}

std::string place(const char* what, const Json& json, const char* key, std::size_t number) {
  const bool named = json.is_object() && json.contains(key) && json[key].is_string();
  return named ? fmt::format("{} '{}'", what, json[key].get<std::string>())
               : fmt::format("{} {}", what, number);
}

std::string with_name(std::string text, const std::string& company) {
  constexpr std::string_view name = "{company}";
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + company.size())) {
    text.replace(at, name.size(), company);
  }
  return text;
}

/// The title, or the one for this type or mode.
std::string title_of(const Json& section, const Request& request) {
  const Json titles = section.value("titles", Json::object());
  for (const auto& kind : {request.type, request.mode}) {
    if (titles.contains(kind)) return titles[kind].get<std::string>();
  }
  return section.at("title").get<std::string>();
}

Question read_question(const Json& json, const std::string& where, const Request& request) {
  using Type = Json::value_t;
  check_keys(json, where,
             {{"id", Type::string},
              {"heading", Type::string},
              {"question", Type::string},
              {"search", Type::string, false},
              {"types", Type::array, false}});
  Question question{json["id"], json["heading"], with_name(json["question"], request.company),
                    json.value("search", "")};
  if (text::search_words(question.search).size() > most_search_words) {
    complain(fmt::format("'search' of {} has more than {} words", where, most_search_words));
  }
  return question;
}

SectionPlan read_section(const Json& json, const std::string& where, const Request& request,
                         std::set<std::string>& ids) {
  using Type = Json::value_t;
  check_keys(json, where,
             {{"key", Type::string},
              {"title", Type::string},
              {"questions", Type::array},
              {"titles", Type::object, false}});
  SectionPlan plan{json["key"], title_of(json, request), {}};
  std::size_t number = 0;
  for (const Json& one : json["questions"]) {
    Question question =
        read_question(one, place("question", one, "id", ++number) + " of " + where, request);
    if (!ids.insert(question.id).second)
      complain("two questions have the id '" + question.id + "'");
    const Json types = one.value("types", Json::array({request.type}));
    if (std::ranges::count(types, Json(request.type)) > 0)
      plan.questions.push_back(std::move(question));
  }
  return plan;
}

Outline read_outline(const std::string& text, const Request& request) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto read = std::string_view{text}.substr(0, error.byte);
    complain(fmt::format("it is not JSON in line {}", std::ranges::count(read, '\n') + 1));
  }
  check_keys(json, "it",
             {{"sections", Json::value_t::array}, {"deck", Json::value_t::array, false}});
  Outline outline;
  std::set<std::string> ids;
  for (const Json& one : json["sections"]) {
    const auto where = place("section", one, "key", outline.sections.size() + 1);
    outline.sections.push_back(read_section(one, where, request, ids));
    const auto same = [&](const SectionPlan& plan) {
      return plan.key == outline.sections.back().key;
    };
    if (std::ranges::count_if(outline.sections, same) > 1)
      complain("there are two sections of the key " + where.substr(8));
  }
  if (ids.empty()) complain("it has no question");
  const auto asked = outline.ids();
  for (const Json& id : json.value("deck", Json(asked))) {
    if (!id.is_string() || !ids.contains(id))
      complain("'deck' names " + id.dump() + ", but no question has that id");
    if (std::ranges::count(asked, id.get<std::string>()) > 0) outline.deck.push_back(id);
  }
  return outline;
}

std::string read_file(const std::string& path) {
  std::ifstream file{path};
  if (!file.is_open() || std::filesystem::is_directory(path))
    complain("the outline " + path + " cannot be read");
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

std::vector<std::string> Outline::ids() const {
  std::vector<std::string> ids;
  for (const auto& section : sections) {
    for (const auto& question : section.questions) ids.push_back(question.id);
  }
  return ids;
}

Outline outline_of(const Request& request) {
  if (request.type != "direct" && request.type != "fund") {
    complain("unknown investment type '" + request.type + "': use direct or fund");
  }
  if (request.mode != "consider" && request.mode != "justify") {
    complain("unknown mode '" + request.mode + "': use consider or justify");
  }
  static const std::string own{std::begin(own_outline), std::end(own_outline)};
  return read_outline(request.outline.empty() ? own : request.outline, request);
}

std::string read_outline_file(const std::string& path) {
  std::string text = read_file(path);
  try {
    static_cast<void>(read_outline(text, {}));
  } catch (const std::invalid_argument& error) {
    complain(fmt::format("the outline {} cannot be used: {}", path, error.what()));
  }
  return text;
}

}  // namespace memo
