#include "memo/outline_form.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace memo {
namespace {

using Json = nlohmann::json;

[[noreturn]] void complain(const std::string& what) { throw std::invalid_argument{what}; }

bool is_words(const Json& json) { return json.is_string() && !json.get<std::string>().empty(); }
bool is_any_list(const Json& json) { return json.is_array(); }
bool is_full_list(const Json& json) { return json.is_array() && !json.empty(); }
bool is_list_of_words(const Json& json) {
  return json.is_array() && std::ranges::all_of(json, is_words);
}
bool is_list_of_lists(const Json& json) {
  return json.is_array() && std::ranges::all_of(json, is_list_of_words);
}
bool is_lists_by_name(const Json& json) {
  return json.is_object() && std::ranges::all_of(json, is_list_of_words);
}
bool is_words_by_name(const Json& json) {
  return json.is_object() && std::ranges::all_of(json, is_words);
}

struct Form {
  bool (*is)(const Json&);
  const char* what;
};

constexpr Form one_text{is_words, "a text"};
constexpr Form any_list{is_any_list, "a list"};
constexpr Form full_list{is_full_list, "a list that is not empty"};
constexpr Form texts{is_list_of_words, "a list of texts"};
constexpr Form text_lists{is_list_of_lists, "a list of lists of texts"};
constexpr Form named_lists{is_lists_by_name, "an object of lists of texts"};
constexpr Form named_texts{is_words_by_name, "an object of texts"};

struct Key {
  const char* name;
  Form form;
  bool required = true;
};

constexpr bool optional = false;  // not required

void check_keys(const Json& json, const std::string& where, std::initializer_list<Key> keys) {
  if (!json.is_object()) complain(where + " is not an object");
  for (const Key& key : keys) {
    const auto found = json.find(key.name);
    const std::string name = "the key '" + std::string{key.name} + "'";
    if (found == json.end()) {
      if (key.required) complain(where + " lacks " + name + ", " + key.form.what);
    } else if (!key.form.is(*found)) {
      complain(name + " of " + where + " is not " + key.form.what);
    }
  }
}

/// `section 'team'`, else `section 2`.
std::string place(const char* what, const Json& json, const char* key, std::size_t number) {
  const bool named = json.is_object() && json.contains(key) && is_words(json.at(key));
  return std::string{what} + ' ' +
         (named ? '\'' + json.at(key).get<std::string>() + '\'' : std::to_string(number));
}

/// Checks a question, and returns its id.
std::string checked_question(const Json& topic, const std::string& section, std::size_t number) {
  std::string where = place("question", topic, "id", number);
  if (!where.ends_with('\'')) where += " of " + section;
  check_keys(topic, where,
             {{"id", one_text},
              {"heading", one_text},
              {"question", one_text},
              {"signs", texts},
              {"query", one_text, optional},
              {"examples", texts, optional},
              {"types", texts, optional}});
  return topic.at("id").get<std::string>();
}

void check_sections(const Json& outline) {
  std::set<std::string> keys;
  std::set<std::string> ids;
  std::size_t number = 0;
  for (const Json& section : outline.at("sections")) {
    const auto where = place("section", section, "key", ++number);
    check_keys(section, where,
               {{"key", one_text},
                {"title", one_text},
                {"topics", any_list},
                {"titles", named_texts, optional},
                {"tables", texts, optional}});
    if (!keys.insert(section.at("key")).second)
      complain("there are two sections of the key " + where.substr(8));
    std::size_t question = 0;
    for (const Json& topic : section.at("topics")) {
      const auto id = checked_question(topic, where, ++question);
      if (!ids.insert(id).second) complain("there are two questions of the id '" + id + "'");
    }
  }
  for (const Json& id : outline.value("deck", Json::array())) {
    if (!ids.contains(id))
      complain("'deck' names '" + id.get<std::string>() + "', but no question has that id");
  }
}

}  // namespace

Json parsed_outline(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto read = text.substr(0, error.byte);
    complain("it is not JSON in line " + std::to_string(std::ranges::count(read, '\n') + 1));
  }
  check_keys(json, "it",
             {{"sections", full_list},
              {"deck", texts, optional},
              {"core", text_lists, optional},
              {"synonyms", text_lists, optional},
              {"measures", named_lists, optional}});
  check_sections(json);
  return json;
}

}  // namespace memo
