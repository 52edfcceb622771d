/// @file
/// The values that the phases hand on. Plain structs with JSON serialisers: every field is written,
/// a missing one is an error.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace research {

/// What a server answered for one path, as it came: reading it is not part of fetching it.
struct Response {
  int status = 0;
  std::string type;  ///< Content-Type
  std::string body;

  bool operator==(const Response&) const = default;
};

/// A paragraph or list item with the heading above it.
struct Passage {
  std::string heading;
  std::string text;

  bool operator==(const Passage&) const = default;
};

/// A page of the site, read.
struct Page {
  std::string path;  ///< on the site
  std::string url;   ///< what the page calls itself (rel="canonical"), else the path
  std::string title;
  std::string date;
  std::vector<std::string> tags;
  std::vector<Passage> passages;

  bool operator==(const Page&) const = default;
};

/// Phase 0: what a crawl of the site found.
struct Scrape {
  std::string title;                 ///< of the start page
  std::vector<Page> pages;           ///< those with text, in the order in which they were found
  std::vector<std::string> missing;  ///< paths that are linked to but gave no page

  bool operator==(const Scrape&) const = default;
};

/// Somebody who reads the pages with one thing in mind.
struct Role {
  std::string name;
  std::string focus;
  std::vector<std::string> pages;  ///< paths of those that speak of it, the most relevant first

  bool operator==(const Role&) const = default;
};

/// Phase 0.5.
struct Roles {
  std::string topic;
  std::vector<Role> roles;

  bool operator==(const Roles&) const = default;
};

/// Phase 1: a question that a role asks of the pages.
struct Goal {
  std::string id;  ///< `goal-1`
  std::string role;
  std::string question;
  std::vector<std::string> phrases;  ///< what to look for

  bool operator==(const Goal&) const = default;
};

/// Phase 2: one step of the plan.
struct Step {
  std::string id;                    ///< `step-1`: what the plan calls it
  std::string goal;                  ///< the goal's id
  std::string seek;                  ///< `reports` (what is said) or `advice` (what to do)
  std::string task;                  ///< in words
  std::vector<std::string> phrases;  ///< what to look for
  std::vector<std::string> pages;    ///< where

  bool operator==(const Step&) const = default;
};

/// A sentence of a page, word for word.
struct Finding {
  std::string quote;
  std::string url;
  std::string title;
  std::string date;

  bool operator==(const Finding&) const = default;
};

/// Phase 3: what a step found.
struct StepResult {
  std::string id;
  std::string goal;
  std::string seek;
  std::vector<Finding> findings;
  std::string digest;  ///< one sentence about the step, counted

  bool operator==(const StepResult&) const = default;
};

/// A statement of the report and the finding that backs it.
struct Statement {
  std::string text;
  Finding finding;

  bool operator==(const Statement&) const = default;
};

struct Section {
  std::string goal;
  std::string heading;
  std::vector<Statement> reports;
  std::vector<Statement> advice;

  bool operator==(const Section&) const = default;
};

/// Phase 4.
struct Synthesis {
  std::string topic;
  std::string made_by;  ///< the provider
  std::vector<Statement> lead;
  std::vector<Section> sections;
  std::vector<std::string> digests;  ///< of the steps

  bool operator==(const Synthesis&) const = default;
};

void to_json(nlohmann::json& json, const Response& value);
void from_json(const nlohmann::json& json, Response& value);
void to_json(nlohmann::json& json, const Passage& value);
void from_json(const nlohmann::json& json, Passage& value);
void to_json(nlohmann::json& json, const Page& value);
void from_json(const nlohmann::json& json, Page& value);
void to_json(nlohmann::json& json, const Scrape& value);
void from_json(const nlohmann::json& json, Scrape& value);
void to_json(nlohmann::json& json, const Role& value);
void from_json(const nlohmann::json& json, Role& value);
void to_json(nlohmann::json& json, const Roles& value);
void from_json(const nlohmann::json& json, Roles& value);
void to_json(nlohmann::json& json, const Goal& value);
void from_json(const nlohmann::json& json, Goal& value);
void to_json(nlohmann::json& json, const Step& value);
void from_json(const nlohmann::json& json, Step& value);
void to_json(nlohmann::json& json, const Finding& value);
void from_json(const nlohmann::json& json, Finding& value);
void to_json(nlohmann::json& json, const StepResult& value);
void from_json(const nlohmann::json& json, StepResult& value);
void to_json(nlohmann::json& json, const Statement& value);
void from_json(const nlohmann::json& json, Statement& value);
void to_json(nlohmann::json& json, const Section& value);
void from_json(const nlohmann::json& json, Section& value);
void to_json(nlohmann::json& json, const Synthesis& value);
void from_json(const nlohmann::json& json, Synthesis& value);

}  // namespace research
