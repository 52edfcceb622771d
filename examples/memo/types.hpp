/// @file
/// The values that the memo's stages hand on. Plain structs with JSON serialisers: every field is
/// written, a missing one is an error, absence is an absent field; doubles are finite.
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

/// A question that a memo asks of its sources.
struct Topic {
  std::string id;       ///< stable: `market.size`
  std::string heading;  ///< `Market size`
  std::string question;
  std::string query;  ///< words to rank sentences by
  /// An answer often holds one, or its heading does; see memo::Signs for `*`, `#`, `^` and `&`.
  std::vector<std::string> signs;

  bool operator==(const Topic&) const = default;
};

/// A section of the outline, before anything is known. Nothing in it depends on its position.
struct SectionPlan {
  std::string key;  ///< stable: `team`
  std::string title;
  std::vector<Topic> topics;
  std::vector<std::string> tables;  ///< captions or words of captions that belong here

  bool operator==(const SectionPlan&) const = default;
};

/// A sentence of a source that answers a topic, word for word.
struct Finding {
  std::string topic;
  std::string quote;
  std::string source;
  /// `Later (2024-09)` or `Earlier (2023-06)` if sources may differ on it (statements.hpp); absent
  /// if they do not.
  std::optional<std::string> mark = std::nullopt;

  bool operator==(const Finding&) const = default;
};

/// What the deck (or the pages that stand in for one) says: 0-deck-analysis.json.
struct Deck {
  std::string company;
  std::vector<std::string> files;
  std::vector<Finding> findings;
  std::vector<std::string> silent;  ///< ids of topics without an answer

  bool operator==(const Deck&) const = default;
};

/// What all sources say, as notes to each question: 1-research.json.
struct Research {
  std::string company;
  std::vector<Topic> asked;
  std::vector<Finding> findings;
  std::vector<std::string> silent;   ///< ids of topics without an answer
  std::vector<std::string> sources;  ///< paths that were searched

  bool operator==(const Research&) const = default;
};

/// One answered question inside a section.
struct Part {
  std::string heading;
  std::string question;
  std::vector<Finding> findings;

  bool operator==(const Part&) const = default;
};

/// What the writer of one section gets. Depends on its own plan only, not on its neighbours.
struct SectionBrief {
  std::string key;
  std::string title;
  std::vector<Part> parts;
  std::vector<std::string> silent;   ///< headings of topics without an answer
  std::vector<std::string> remarks;  ///< the memo's own words, which no source backs
  std::vector<Part> nearest{};       ///< for topics without an answer: what comes nearest to one

  bool operator==(const SectionBrief&) const = default;
};

/// The plan of all sections, in memo order: 1-section-research.json.
struct SectionResearch {
  std::vector<SectionBrief> sections;

  bool operator==(const SectionResearch&) const = default;
};

/// A statement of the memo with the sentence that backs it. For a table row or caption, `quote`
/// holds the cells, joined by " | ".
struct Claim {
  std::string text;
  std::string quote;
  std::string source;

  bool operator==(const Claim&) const = default;
};

/// A written section: 2-sections/{position}-{key}.md. The markdown counts; the claims remember
/// where its statements are from. An edited markdown may have statements without a claim.
struct Section {
  std::string key;
  std::string title;
  std::string markdown;
  std::vector<Claim> claims;
  std::vector<std::string> remarks;

  bool operator==(const Section&) const = default;
};

/// header.md
struct Header {
  std::string company;
  std::string markdown;
  std::vector<Claim> claims;

  bool operator==(const Header&) const = default;
};

void to_json(nlohmann::json& json, const Request& value);
void from_json(const nlohmann::json& json, Request& value);
void to_json(nlohmann::json& json, const Topic& value);
void from_json(const nlohmann::json& json, Topic& value);
void to_json(nlohmann::json& json, const SectionPlan& value);
void from_json(const nlohmann::json& json, SectionPlan& value);
void to_json(nlohmann::json& json, const Finding& value);
void from_json(const nlohmann::json& json, Finding& value);
void to_json(nlohmann::json& json, const Deck& value);
void from_json(const nlohmann::json& json, Deck& value);
void to_json(nlohmann::json& json, const Research& value);
void from_json(const nlohmann::json& json, Research& value);
void to_json(nlohmann::json& json, const Part& value);
void from_json(const nlohmann::json& json, Part& value);
void to_json(nlohmann::json& json, const SectionBrief& value);
void from_json(const nlohmann::json& json, SectionBrief& value);
void to_json(nlohmann::json& json, const SectionResearch& value);
void from_json(const nlohmann::json& json, SectionResearch& value);
void to_json(nlohmann::json& json, const Claim& value);
void from_json(const nlohmann::json& json, Claim& value);
void to_json(nlohmann::json& json, const Section& value);
void from_json(const nlohmann::json& json, Section& value);
void to_json(nlohmann::json& json, const Header& value);
void from_json(const nlohmann::json& json, Header& value);

}  // namespace memo

/// Requests of earlier versions had no outline.
template <>
struct resumable::Schema<memo::Request> {
  static constexpr std::string_view name = "";
  static void add_outline(Json& request);
  static constexpr Migrations migrations{add_outline};
};
