#include "corpus/types.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include "corpus/tasks.hpp"

// Both serialisers of a type from the list of its members: written once, so they cannot drift.
// Reading uses at(): a missing member is an error, never a default.
#define CORPUS_JSON(Type, ...)                                                   \
  void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))     \
  }                                                                              \
  void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))   \
  }

namespace corpus {
namespace {

constexpr std::array<std::string_view, 3> kinds{"concept", "expansion", "section"};

}  // namespace

// Found by ADL from the macros below.
static void to_json(nlohmann::json& json, const Kind& kind) {
  json = kinds.at(static_cast<std::size_t>(kind));
}
static void from_json(const nlohmann::json& json, Kind& kind) {
  const auto found = std::find(kinds.begin(), kinds.end(), json.get_ref<const std::string&>());
  if (found == kinds.end()) throw std::invalid_argument("no kind of piece: " + json.dump());
  kind = static_cast<Kind>(found - kinds.begin());
}

CORPUS_JSON(Heading, title, terms)
CORPUS_JSON(Domain, label, headings, wanted)
CORPUS_JSON(City, name, founded, river, districts)
CORPUS_JSON(Piece, kind, key, name, city, prompt, terms, words, domains)
CORPUS_JSON(Planned, name, prompt)
CORPUS_JSON(Page, kind, title, text, words, plan)
CORPUS_JSON(Totals, city_name, target_words, word_count, start_time, completed)

std::optional<std::string> markdown(const Page& page) {
  if (page.kind == Kind::expansion) return std::nullopt;
  return "# " + page.title + "\n\n" + page.text;
}

Page with_markdown(const std::string& text, const Page& former) {
  const std::size_t end = text.find('\n');
  if (text.substr(0, end) != "# " + former.title) {
    throw std::invalid_argument("line 1: a section begins with its title, '# " + former.title +
                                "'");
  }
  Page page = former;
  const std::size_t begin = end == text.npos ? end : text.find_first_not_of('\n', end);
  page.text = begin == text.npos ? std::string{} : text.substr(begin);
  page.words = count_words(page.text);
  return page;
}

std::optional<std::string> readable_plan(const Page& page) {
  if (page.kind != Kind::expansion) return std::nullopt;
  using Ordered = nlohmann::ordered_json;
  Ordered sections = Ordered::array();
  for (const Planned& one : page.plan) {
    sections.push_back({{"name", one.name}, {"prompt", one.prompt}});
  }
  return Ordered{{"domain", page.title}, {"sections", std::move(sections)}}.dump(2) + "\n";
}

}  // namespace corpus
