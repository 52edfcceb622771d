#include "memo/outline.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "memo/markdown.hpp"
#include "memo/outline_form.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

/// The checked JSON of an outline that is called `name` in messages.
Json read_json(std::string_view text, const std::string& name) {
  try {
    return parsed_outline(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument{name + " cannot be used: " + error.what()};
  }
}

/// The outline that comes with the program.
const Json& own_outline() {
  static const Json json = read_json(read_outline_file(MEMO_OUTLINE), "the outline");
  return json;
}

Json outline_of(const Request& request) {
  return request.outline.empty() ? own_outline() : read_json(request.outline, "the outline");
}

/// What a person's outline says under `key`; the program's own if it says nothing.
template <class Value>
Value value_of(const Json& outline, const char* key) {
  return (outline.contains(key) ? outline : own_outline()).at(key).get<Value>();
}

std::string named(const Json& text, const Request& request) {
  return replace_all(text.get<std::string>(), "{company}", request.company);
}

/// A topic without `types` is put to every kind of investment.
bool is_asked(const Json& topic, const Request& request) {
  const auto types = topic.find("types");
  return types == topic.end() ||
         std::ranges::any_of(*types, [&](const Json& type) { return type == request.type; });
}

using Synonyms = std::vector<std::vector<std::string>>;

/// Adds the synonyms of those signs that have some.
void expand(std::vector<std::string>& signs, const Synonyms& synonyms) {
  const auto own = signs;
  for (const auto& group : synonyms) {
    const bool meant = std::ranges::any_of(
        group, [&](const auto& word) { return std::ranges::find(own, word) != own.end(); });
    if (!meant) continue;
    std::ranges::copy_if(group, std::back_inserter(signs), [&](const auto& word) {
      return std::ranges::find(signs, word) == signs.end();
    });
  }
}

Topic read_topic(const Json& json, const Request& request, const Synonyms& synonyms) {
  Topic topic{json.at("id").get<std::string>(),
              json.at("heading").get<std::string>(),
              named(json.at("question"), request),
              named(json.value("query", json.at("question")), request),
              {}};
  for (const Json& example : json.value("examples", Json::array())) {
    topic.query += '\n' + named(example, request);
  }
  for (const Json& sign : json.at("signs")) topic.signs.push_back(named(sign, request));
  expand(topic.signs, synonyms);
  return topic;
}

/// The title, or the one for this type or mode.
std::string title_of(const Json& section, const Request& request) {
  if (const auto titles = section.find("titles"); titles != section.end()) {
    for (const auto& kind : {request.type, request.mode}) {
      if (titles->contains(kind)) return titles->at(kind).get<std::string>();
    }
  }
  return section.at("title").get<std::string>();
}

SectionPlan read_section(const Json& json, const Request& request, const Synonyms& synonyms) {
  SectionPlan plan{json.at("key").get<std::string>(), title_of(json, request), {}, {}};
  for (const Json& topic : json.at("topics")) {
    if (is_asked(topic, request)) plan.topics.push_back(read_topic(topic, request, synonyms));
  }
  if (json.contains("tables")) json.at("tables").get_to(plan.tables);
  return plan;
}

void check(const Request& request) {
  if (request.type != "direct" && request.type != "fund") {
    throw std::invalid_argument{"unknown investment type '" + request.type +
                                "': use direct or fund"};
  }
  if (request.mode != "consider" && request.mode != "justify") {
    throw std::invalid_argument{"unknown mode '" + request.mode + "': use consider or justify"};
  }
}

/// The topics with these ids, in memo order.
std::vector<Topic> topics_with(const Request& request, const std::vector<std::string>& ids) {
  auto topics = all_topics(request);
  std::erase_if(topics,
                [&](const Topic& topic) { return std::ranges::find(ids, topic.id) == ids.end(); });
  return topics;
}

}  // namespace

std::string read_outline_file(const std::string& path) {
  const std::string name = "the outline " + path;
  std::ifstream file{path};
  if (!file.is_open() || std::filesystem::is_directory(path)) {
    throw std::invalid_argument{name + " cannot be read"};
  }
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (text.empty()) throw std::invalid_argument{name + " is empty"};
  static_cast<void>(read_json(text, name));
  return text;
}

std::vector<SectionPlan> outline(const Request& request) {
  check(request);
  const Json json = outline_of(request);
  const auto synonyms = value_of<Synonyms>(json, "synonyms");
  std::vector<SectionPlan> plans;
  for (const Json& section : json.at("sections")) {
    plans.push_back(read_section(section, request, synonyms));
  }
  return plans;
}

std::vector<Topic> all_topics(const Request& request) {
  std::vector<Topic> topics;
  for (const auto& plan : outline(request)) {
    topics.insert(topics.end(), plan.topics.begin(), plan.topics.end());
  }
  return topics;
}

std::vector<Topic> deck_topics(const Request& request) {
  const Json json = outline_of(request);
  if (!json.contains("deck")) return all_topics(request);
  return topics_with(request, json.at("deck").get<std::vector<std::string>>());
}

std::vector<std::vector<Topic>> core_topics(const Request& request) {
  using Groups = std::vector<std::vector<std::string>>;
  std::vector<std::vector<Topic>> found;
  for (const auto& ids : outline_of(request).value("core", Groups{})) {
    found.push_back(topics_with(request, ids));
  }
  return found;
}

std::vector<Measure> measures(const Request& request) {
  using Phrases = std::map<std::string, std::vector<std::string>>;
  std::vector<Measure> found;
  for (const auto& [name, phrases] : value_of<Phrases>(outline_of(request), "measures")) {
    found.push_back({name, phrases});
  }
  return found;
}

}  // namespace memo
