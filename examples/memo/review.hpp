/// @file
/// What becomes of the written sections: the cited memo, its checks, and the final state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "memo/types.hpp"

namespace memo {

struct Citation {
  int number = 0;
  std::string source;
  std::string title;
  std::string quote;  ///< empty: the cited sentence itself is the quote

  bool operator==(const Citation&) const = default;
};

/// The assembled memo with `[^1]` marks and `## Citations`: 4-final-draft.md.
struct FinalDraft {
  std::string markdown;
  std::vector<Citation> citations;
  std::vector<std::string> remarks;

  bool operator==(const FinalDraft&) const = default;
};

struct InvalidCitation {
  int number = 0;
  std::string statement;
  std::string reason;

  bool operator==(const InvalidCitation&) const = default;
};

struct CitationValidation {
  int cited = 0;  ///< statements with a citation
  int valid = 0;  ///< of these, backed word for word by their source
  std::vector<InvalidCitation> invalid;
  std::vector<std::string> uncited;  ///< statements without citation that are no remark

  bool operator==(const CitationValidation&) const = default;
};

/// One statement with figures.
struct Fact {
  std::string statement;
  std::string source;
  std::vector<std::string> numbers;  ///< its figures and dates, as they are written
  bool supported = false;
  std::vector<std::string> also_in;  ///< other sources with the same figure for the same thing

  bool operator==(const Fact&) const = default;
};

/// Two sources that give different figures for the same thing.
struct Conflict {
  std::string thing;
  std::string first;
  std::string first_source;
  std::string second;
  std::string second_source;

  bool operator==(const Conflict&) const = default;
};

struct FactCheck {
  int checked = 0;
  int supported = 0;
  std::vector<Fact> facts;
  std::vector<Conflict> conflicts;

  bool operator==(const FactCheck&) const = default;
};

/// A part of the score: `part` of `whole` earn that share of the points that it is worth.
struct ScoreTerm {
  std::string name;
  int part = 0;
  int whole = 0;
  int weight = 0;    ///< the most points
  double value = 0;  ///< 0 to 1, in thousandths
  double points = 0;

  bool operator==(const ScoreTerm&) const = default;
};

/// Why the score is lower than the sum of its terms.
struct ScoreCap {
  double at_most = 0;
  std::string because;

  bool operator==(const ScoreCap&) const = default;
};

/// 3-validation.json, which three stages fill in turn. A score of 0.0 is a score: presence counts.
struct Validation {
  std::optional<CitationValidation> citation_validation;
  std::optional<FactCheck> fact_check_results;
  std::optional<double> overall_score;  ///< 0 to 10, in tenths
  std::vector<ScoreTerm> terms;         ///< of the score
  std::vector<ScoreCap> caps;           ///< that hold for it
  std::vector<std::string> remarks;     ///< how the score came about, in words

  bool operator==(const Validation&) const = default;
};

/// Everything, for state.json.
struct MemoState {
  Request request;
  Deck deck_analysis;
  Research research;
  SectionResearch section_research;
  Header header;
  std::vector<Section> draft_sections;
  Validation validation;
  std::string final_memo;

  bool operator==(const MemoState&) const = default;
};

void to_json(nlohmann::json& json, const Citation& value);
void from_json(const nlohmann::json& json, Citation& value);
void to_json(nlohmann::json& json, const FinalDraft& value);
void from_json(const nlohmann::json& json, FinalDraft& value);
void to_json(nlohmann::json& json, const InvalidCitation& value);
void from_json(const nlohmann::json& json, InvalidCitation& value);
void to_json(nlohmann::json& json, const CitationValidation& value);
void from_json(const nlohmann::json& json, CitationValidation& value);
void to_json(nlohmann::json& json, const Fact& value);
void from_json(const nlohmann::json& json, Fact& value);
void to_json(nlohmann::json& json, const Conflict& value);
void from_json(const nlohmann::json& json, Conflict& value);
void to_json(nlohmann::json& json, const FactCheck& value);
void from_json(const nlohmann::json& json, FactCheck& value);
void to_json(nlohmann::json& json, const ScoreTerm& value);
void from_json(const nlohmann::json& json, ScoreTerm& value);
void to_json(nlohmann::json& json, const ScoreCap& value);
void from_json(const nlohmann::json& json, ScoreCap& value);
void to_json(nlohmann::json& json, const Validation& value);
void from_json(const nlohmann::json& json, Validation& value);
void to_json(nlohmann::json& json, const MemoState& value);
void from_json(const nlohmann::json& json, MemoState& value);

}  // namespace memo

/// It holds a request.
template <>
struct resumable::Schema<memo::MemoState> {
  static constexpr std::string_view name = "";
  static void add_outline(Json& state);
  static constexpr Migrations migrations{add_outline};
};
