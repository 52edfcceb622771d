/// @file
/// The values that the memo's stages hand on. Plain structs with JSON serialisers: a missing field
/// is an error, never a default, but for what a person may leave out of a quote.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <resumable/schema.hpp>

namespace memo {

/// What a person asked for.
struct Request {
  std::string company;
  std::string type = "direct";    ///< `direct` or `fund`
  std::string mode = "consider";  ///< `consider` (decide about it) or `justify` (already decided)
  std::string outline{};          ///< JSON as in outline.json, which an empty text stands for

  bool operator==(const Request&) const = default;
};

/// A passage of a source, word for word; or what a person wrote into one of the JSON files, which
/// is then its file.
struct Quote {
  std::string text;
  std::string title{};  ///< headings above it
  std::string file{};
  int line = 0;  ///< of a PDF the page
  bool by_hand = false;

  bool operator==(const Quote&) const = default;
};

/// What there is to a question, best first.
struct Finding {
  std::string question;  ///< its id
  std::vector<Quote> quotes;

  bool operator==(const Finding&) const = default;
};

/// What the pitch deck says: 0-deck-analysis.json.
struct Deck {
  std::string company;
  std::vector<std::string> files;
  std::vector<std::string> questions;  ///< ids, also of those without a finding
  std::vector<Finding> findings;

  bool operator==(const Deck&) const = default;
};

/// What all sources say: 1-research.json.
struct Research {
  std::string company;
  std::vector<std::string> files;  ///< that were searched
  std::vector<std::string> questions;
  std::vector<Finding> findings;

  bool operator==(const Research&) const = default;
};

/// A question inside a section, with the quotes that answer it there.
struct Part {
  std::string question;  ///< its id
  std::string heading;
  std::string asked;
  std::vector<Quote> quotes;
  std::string see{};  ///< the heading under which its best quote stands already

  bool operator==(const Part&) const = default;
};

/// What the writer of one section gets, and all that the section depends on.
struct Brief {
  std::string key;
  std::string title;
  std::vector<Part> parts;
  std::vector<std::string> remarks;  ///< lines of the program itself

  bool operator==(const Brief&) const = default;
};

/// In memo order: 1-section-research.json.
struct Briefs {
  std::vector<Brief> sections;

  bool operator==(const Briefs&) const = default;
};

/// A written section, 2-sections/{position}-{key}.md. Its text alone says what it cites, as
/// `[^deck.md:12]`, so that a person may rewrite it freely.
struct Section {
  std::string key;
  std::string title;
  std::string markdown;

  bool operator==(const Section&) const = default;
};

/// header.md and 4-final-draft.md
struct Text {
  std::string markdown;

  bool operator==(const Text&) const = default;
};

/// A citation that leads nowhere, or to something else.
struct Broken {
  std::string statement;
  std::string citation;  ///< `deck.md:12`
  std::string why;

  bool operator==(const Broken&) const = default;
};

struct CitationValidation {
  int statements = 0;
  int cited = 0;      ///< statements with a citation
  int citations = 0;  ///< of all statements
  int resolved = 0;   ///< citations that lead to a passage which has what is quoted
  std::vector<Broken> broken;
  std::vector<std::string> uncited;  ///< statements

  bool operator==(const CitationValidation&) const = default;
};

/// What of a statement stands in no passage that it cites.
struct Unbacked {
  std::string statement;
  std::vector<std::string> numbers;
  std::vector<std::string> names;

  bool operator==(const Unbacked&) const = default;
};

struct FactCheck {
  int statements = 0;
  int numbers_stand = 0;  ///< statements all of whose numbers stand in what they cite
  int names_stand = 0;
  std::vector<Unbacked> unbacked;
  std::vector<std::string> doubted;  ///< statements of which the provider says that they go beyond
                                     ///< what they cite; they do not change the score

  bool operator==(const FactCheck&) const = default;
};

/// A part of the score: `part` of `whole` earns that share of `points`.
struct ScoreTerm {
  std::string name;
  int part = 0;
  int whole = 0;
  double points = 0;  ///< the most it can earn
  double earned = 0;

  bool operator==(const ScoreTerm&) const = default;
};

/// 3-validation.json, which three stages fill in turn. A score of 0.0 is a score: presence counts.
struct Validation {
  std::optional<CitationValidation> citation_validation{};
  std::optional<FactCheck> fact_check_results{};
  std::optional<double> overall_score{};  ///< 0 to 10, in tenths
  std::vector<ScoreTerm> terms{};
  std::vector<std::string> caps{};     ///< why it is at most 7.9
  std::vector<std::string> remarks{};  ///< a person's

  bool operator==(const Validation&) const = default;
};

/// Everything, for state.json.
struct MemoState {
  Request request;
  Deck deck_analysis;
  Research research;
  Briefs section_research;
  Text header;
  std::vector<Section> draft_sections;
  Validation validation_results;
  std::string final_memo;

  bool operator==(const MemoState&) const = default;
};

#define MEMO_JSON(Type)                                  \
  void to_json(nlohmann::json& json, const Type& value); \
  void from_json(const nlohmann::json& json, Type& value);
MEMO_JSON(Request)
MEMO_JSON(Quote)
MEMO_JSON(Finding)
MEMO_JSON(Deck)
MEMO_JSON(Research)
MEMO_JSON(Part)
MEMO_JSON(Brief)
MEMO_JSON(Briefs)
MEMO_JSON(Section)
MEMO_JSON(Text)
MEMO_JSON(Broken)
MEMO_JSON(CitationValidation)
MEMO_JSON(Unbacked)
MEMO_JSON(FactCheck)
MEMO_JSON(ScoreTerm)
MEMO_JSON(Validation)
MEMO_JSON(MemoState)
#undef MEMO_JSON

}  // namespace memo

/// Requests of earlier versions had no outline.
template <>
struct resumable::Schema<memo::Request> {
  static constexpr std::string_view name = "";
  static void add_outline(Json& request);
  static constexpr Migrations migrations{add_outline};
};
