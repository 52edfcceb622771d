#include "corpus/tasks.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "model/asking.hpp"

namespace corpus {
namespace {

using model::ask;
using model::Misfit;
using Json = nlohmann::json;

/// Text that ends with one line feed.
std::string text_of(const Json& json) {
  std::string text = json.get<std::string>();
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) throw Misfit{"an empty text"};
  return text + "\n";
}

}  // namespace

model::Task concept_task(const std::string& name, std::size_t words) {
  return {"concept",
          "Invent a city and describe it in Markdown, in about as many words as asked for. Take "
          "the name given; choose one if it is empty. Name its river, the year in which it was "
          "founded and six districts.",
          Json{{"name", name}, {"words", words}}.dump(),
          R"({"city":{"name":"…","founded":1240,"river":"…","districts":["…"]},"text":"…"})"};
}

model::Task expand_task(const City& city, const Domain& domain) {
  Json sections = Json::array();
  for (const Heading& heading : domain.headings) {
    sections.push_back({{"title", heading.title}, {"terms", heading.terms}});
  }
  return {"expand",
          "An encyclopedia of this invented city has a chapter on the domain. For each of its "
          "sections say in one or two sentences what it should cover, in the order given.",
          Json{{"city", city}, {"domain", domain.label}, {"sections", std::move(sections)}}.dump(),
          R"({"sections":[{"title":"…","prompt":"…"}]})"};
}

model::Task write_task(const Piece& section) {
  return {"write",
          "Write this section of an encyclopedia of the invented city, as the prompt says, in "
          "Markdown with headings of the second level, in about as many words as asked for. Every "
          "term has to occur.",
          Json{{"city", section.city},
               {"section", section.name},
               {"prompt", section.prompt},
               {"terms", section.terms},
               {"words", section.words}}
              .dump(),
          R"({"text":"…"})"};
}

Concept ask_concept(const model::Call& call, const model::Task& task) {
  return ask(call, task, [&](const Json& answer) {
    Concept found{answer.at("city").get<City>(), text_of(answer.at("text"))};
    if (found.city.name.empty()) throw Misfit{"a city without a name"};
    if (found.city.districts.empty()) throw Misfit{"a city without districts"};
    const std::string wanted = Json::parse(task.input).at("name").get<std::string>();
    if (!wanted.empty() && found.city.name != wanted) throw Misfit{"a city of another name"};
    return found;
  });
}

std::vector<std::string> ask_expansion(const model::Call& call, const model::Task& task,
                                       const Domain& domain) {
  return ask(call, task, [&](const Json& answer) {
    std::vector<std::string> prompts;
    for (const Json& section : answer.at("sections")) {
      const bool known = prompts.size() < domain.headings.size() &&
                         section.at("title") == domain.headings[prompts.size()].title;
      if (!known) throw Misfit{"a section that was not asked for"};
      prompts.push_back(section.at("prompt").get<std::string>());
    }
    if (prompts.size() < domain.headings.size()) throw Misfit{"a section is missing"};
    return prompts;
  });
}

std::string ask_section(const model::Call& call, const model::Task& task) {
  return ask(call, task, [&](const Json& answer) { return text_of(answer.at("text")); });
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    words += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return words;
}

}  // namespace corpus
