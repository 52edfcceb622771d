#include "memo/outline.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "memo/markdown.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument{"the outline cannot be used: " + why};
}

/// The outline that comes with the program.
const std::string& own_outline() {
  static const std::string text = read_outline_file(MEMO_OUTLINE);
  return text;
}

/// Reads the outline of `request` with `read`.
template <class Read>
auto read_outline(const Request& request, Read read) {
  const Json json =
      Json::parse(request.outline.empty() ? own_outline() : request.outline, nullptr, false);
  if (json.is_discarded()) refuse("it is not whole JSON");
  try {
    return read(json);
  } catch (const Json::exception& error) {
    refuse(error.what());
  }
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
              named(json.at("query"), request),
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
  std::ifstream file{path};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (text.empty()) refuse("nothing can be read from " + path);
  return text;
}

std::vector<SectionPlan> outline(const Request& request) {
  check(request);
  return read_outline(request, [&](const Json& json) {
    const auto synonyms = json.value("synonyms", Synonyms{});
    std::vector<SectionPlan> plans;
    for (const Json& section : json.at("sections")) {
      plans.push_back(read_section(section, request, synonyms));
    }
    if (plans.empty()) refuse("it has no section");
    return plans;
  });
}

std::vector<Topic> all_topics(const Request& request) {
  std::vector<Topic> topics;
  for (const auto& plan : outline(request)) {
    topics.insert(topics.end(), plan.topics.begin(), plan.topics.end());
  }
  return topics;
}

std::vector<Topic> deck_topics(const Request& request) {
  return topics_with(request, read_outline(request, [](const Json& json) {
                       return json.at("deck").get<std::vector<std::string>>();
                     }));
}

std::vector<std::vector<Topic>> core_topics(const Request& request) {
  using Groups = std::vector<std::vector<std::string>>;
  std::vector<std::vector<Topic>> found;
  for (const auto& ids :
       read_outline(request, [](const Json& json) { return json.value("core", Groups{}); })) {
    found.push_back(topics_with(request, ids));
  }
  return found;
}

std::vector<Measure> measures(const Request& request) {
  using Phrases = std::map<std::string, std::vector<std::string>>;
  return read_outline(request, [](const Json& json) {
    std::vector<Measure> found;
    for (const auto& [name, phrases] : json.value("measures", Phrases{})) {
      found.push_back({name, phrases});
    }
    return found;
  });
}

}  // namespace memo
