// Both serialisers of a type from the list of its members: written once, so they cannot drift.
#include "memo/types.hpp"

#include <nlohmann/json.hpp>

#define MEMO_JSON(Type, ...)                                                     \
  void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))     \
  }                                                                              \
  void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))   \
  }

namespace memo {
namespace {

template <class T>
void put(nlohmann::json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

template <class T>
void take(const nlohmann::json& json, const char* name, std::optional<T>& value) {
  value.reset();
  if (json.contains(name)) value = json.at(name).get<T>();
}

}  // namespace

MEMO_JSON(Request, company, type, mode, outline)
MEMO_JSON(Finding, question, quotes)
MEMO_JSON(Deck, company, files, questions, findings)
MEMO_JSON(Research, company, files, questions, findings)
MEMO_JSON(Part, question, heading, asked, quotes, see)
MEMO_JSON(Brief, key, title, parts, remarks)
MEMO_JSON(Briefs, sections)
MEMO_JSON(Section, key, title, markdown)
MEMO_JSON(Text, markdown)
MEMO_JSON(Broken, statement, citation, why)
MEMO_JSON(CitationValidation, statements, cited, citations, resolved, broken, uncited)
MEMO_JSON(Unbacked, statement, numbers, names)
MEMO_JSON(FactCheck, statements, numbers_stand, names_stand, unbacked, doubted)
MEMO_JSON(ScoreTerm, name, part, whole, points, earned)
MEMO_JSON(MemoState, request, deck_analysis, research, section_research, header, draft_sections,
          validation_results, final_memo)

// A person who adds a quote writes its text alone.
void to_json(nlohmann::json& json, const Quote& value) {
  json = {{"text", value.text}};
  if (!value.title.empty()) json["title"] = value.title;
  if (!value.file.empty()) json["file"] = value.file;
  if (value.line != 0) json["line"] = value.line;
  if (value.by_hand) json["by_hand"] = true;
}

void from_json(const nlohmann::json& json, Quote& value) {
  json.at("text").get_to(value.text);
  value.title = json.value("title", "");
  value.file = json.value("file", "");
  value.line = json.value("line", 0);
  value.by_hand = json.value("by_hand", false);
}

void to_json(nlohmann::json& json, const Validation& value) {
  json = {{"remarks", value.remarks}};
  put(json, "citation_validation", value.citation_validation);
  put(json, "fact_check_results", value.fact_check_results);
  put(json, "overall_score", value.overall_score);
  if (!value.terms.empty()) json["terms"] = value.terms;
  if (!value.caps.empty()) json["caps"] = value.caps;
}

void from_json(const nlohmann::json& json, Validation& value) {
  value.remarks = json.value("remarks", std::vector<std::string>{});
  take(json, "citation_validation", value.citation_validation);
  take(json, "fact_check_results", value.fact_check_results);
  take(json, "overall_score", value.overall_score);
  value.terms = json.value("terms", std::vector<ScoreTerm>{});
  value.caps = json.value("caps", std::vector<std::string>{});
}

}  // namespace memo

void resumable::Schema<memo::Request>::add_outline(Json& request) { request["outline"] = ""; }
