#include "memo/types.hpp"

#include <nlohmann/json.hpp>

#include "memo/review.hpp"

// Both serialisers of a type from the list of its members: written once, so they cannot drift.
// Reading uses at(): a missing member is an error, never a default.
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
MEMO_JSON(Topic, id, heading, question, query, signs)
MEMO_JSON(SectionPlan, key, title, topics, tables)
MEMO_JSON(Deck, company, files, findings, silent)
MEMO_JSON(Research, company, asked, findings, silent, sources)
MEMO_JSON(Part, heading, question, findings)
MEMO_JSON(SectionResearch, sections)
MEMO_JSON(Claim, text, quote, source)
MEMO_JSON(Section, key, title, markdown, claims, remarks)
MEMO_JSON(Header, company, markdown, claims)
MEMO_JSON(Citation, number, source, title, quote)
MEMO_JSON(FinalDraft, markdown, citations, remarks)
MEMO_JSON(InvalidCitation, number, statement, reason)
MEMO_JSON(CitationValidation, cited, valid, invalid, uncited)
MEMO_JSON(Fact, statement, source, numbers, supported, also_in)
MEMO_JSON(Conflict, thing, first, first_source, second, second_source)
MEMO_JSON(FactCheck, checked, supported, facts, conflicts)
MEMO_JSON(ScoreTerm, name, part, whole, weight, value, points)
MEMO_JSON(ScoreCap, at_most, because)
MEMO_JSON(MemoState, request, deck_analysis, research, section_research, header, draft_sections,
          validation, final_memo)

void to_json(nlohmann::json& json, const Finding& value) {
  json = {{"topic", value.topic}, {"quote", value.quote}, {"source", value.source}};
  put(json, "mark", value.mark);
}

void from_json(const nlohmann::json& json, Finding& value) {
  json.at("topic").get_to(value.topic);
  json.at("quote").get_to(value.quote);
  json.at("source").get_to(value.source);
  take(json, "mark", value.mark);
}

void to_json(nlohmann::json& json, const SectionBrief& value) {
  json = {{"key", value.key},
          {"title", value.title},
          {"parts", value.parts},
          {"silent", value.silent},
          {"remarks", value.remarks}};
  if (!value.nearest.empty()) json["nearest"] = value.nearest;
}

void from_json(const nlohmann::json& json, SectionBrief& value) {
  json.at("key").get_to(value.key);
  json.at("title").get_to(value.title);
  json.at("parts").get_to(value.parts);
  json.at("silent").get_to(value.silent);
  json.at("remarks").get_to(value.remarks);
  value.nearest = json.value("nearest", std::vector<Part>{});
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
  json.at("remarks").get_to(value.remarks);
  take(json, "citation_validation", value.citation_validation);
  take(json, "fact_check_results", value.fact_check_results);
  take(json, "overall_score", value.overall_score);
  value.terms = json.value("terms", std::vector<ScoreTerm>{});
  value.caps = json.value("caps", std::vector<ScoreCap>{});
}

}  // namespace memo

void resumable::Schema<memo::Request>::add_outline(Json& request) { request["outline"] = ""; }

void resumable::Schema<memo::MemoState>::add_outline(Json& state) {
  state["request"]["outline"] = "";
}
