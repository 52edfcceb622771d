/// @file
/// The values that the phases hand on. Plain structs with JSON serialisers: every field is written,
/// a missing one is an error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace research {

/// What a server answered for one path, as it came: reading it is not part of fetching it.
struct Response {
  int status = 0;
  std::string type;  ///< Content-Type
  std::string body;
  std::string location{};  ///< of a redirect
  bool cut = false;        ///< the body was longer; this is its beginning

  bool operator==(const Response&) const = default;
};

/// How much of a site is read.
struct Limits {
  std::size_t pages = 1000;                  ///< paths that are asked for
  std::size_t bytes = std::size_t{2} << 20;  ///< of a page; of a longer one the beginning is read
  std::size_t seconds = 3600;                ///< of one call; then what was found is all

  bool operator==(const Limits&) const = default;
};

/// A paragraph, list item, definition or row of a table, with the heading above it.
struct Passage {
  std::string heading;
  std::string text;       ///< of a row the cells, with ` | ` between
  std::string columns{};  ///< of a row what the columns are called, likewise; of an item the words
                          ///< that lead to its list, with a colon; of a definition its term
  bool is_row = false;
  bool is_link = false;  ///< the name of another page, and no more

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
  std::vector<std::string> notes{};  ///< what was left out, and why: sentences for people

  bool operator==(const Scrape&) const = default;
};

/// A sentence, list item or row of a page, word for word.
struct Finding {
  std::string quote;
  std::string columns;  ///< as Passage::columns
  std::string heading;  ///< above it on the page
  std::string path;
  std::string url;
  std::string title;
  std::string date;                  ///< of the page
  std::string written;               ///< the date of its section, else of the page
  std::size_t place = 0;             ///< its index in Evidence::units(): the order of the pages
  std::size_t passage = 0;           ///< likewise; equal for the sentences of a paragraph
  std::size_t weight = 0;            ///< how much it bears on the topic, more with figures
  std::string seek;                  ///< the kind that it is of: `reports` or `advice`
  std::size_t page_words = 0;        ///< how long its page is
  std::vector<std::size_t> newer{};  ///< the place of what a later page likely says instead
  std::size_t rank = 0;  ///< 1 for what was chosen first for the report; 0: not chosen for it

  bool operator==(const Finding&) const = default;
};

/// How much of the text a report may take up.
struct Budget {
  std::size_t reports = 0;  ///< words of sentences that say how things are
  std::size_t advice = 0;   ///< words of those that say what to do

  bool operator==(const Budget&) const = default;
};

/// Somebody who reads the evidence on one side of the topic.
struct Role {
  std::string name;
  std::string focus;              ///< that side, as a heading
  std::vector<Finding> evidence;  ///< what bears on it, the most telling first
  Budget words;

  bool operator==(const Role&) const = default;
};

/// Phase 0.5.
struct Roles {
  std::string topic;
  std::vector<Role> roles;
  std::vector<std::string> silent;  ///< words of the topic that stand on no page
  std::vector<std::string> notes;   ///< of the scrape
  std::size_t most_words = 0;       ///< of the report, with all that it has; 0: no limit

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
  std::vector<Finding> evidence;     ///< among what
  std::size_t words = 0;             ///< how many to take at most

  bool operator==(const Step&) const = default;
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

/// What belongs together: a claim, and all that backs it.
struct Paragraph {
  std::vector<Statement> statements;

  bool operator==(const Paragraph&) const = default;
};

struct Section {
  std::string goal;
  std::string heading;
  std::vector<Paragraph> paragraphs;

  bool operator==(const Section&) const = default;
};

/// Phase 4.
struct Synthesis {
  std::string topic;
  std::string made_by;  ///< the provider
  std::vector<Statement> lead;
  std::vector<Section> sections;
  std::vector<std::string> silent;   ///< words of the topic that stand on no page
  std::vector<std::string> notes;    ///< what the scrape left out
  std::vector<std::string> digests;  ///< of the steps

  bool operator==(const Synthesis&) const = default;
};

void to_json(nlohmann::json& json, const Response& value);
void from_json(const nlohmann::json& json, Response& value);
void to_json(nlohmann::json& json, const Limits& value);
void from_json(const nlohmann::json& json, Limits& value);
void to_json(nlohmann::json& json, const Passage& value);
void from_json(const nlohmann::json& json, Passage& value);
void to_json(nlohmann::json& json, const Page& value);
void from_json(const nlohmann::json& json, Page& value);
void to_json(nlohmann::json& json, const Scrape& value);
void from_json(const nlohmann::json& json, Scrape& value);
void to_json(nlohmann::json& json, const Budget& value);
void from_json(const nlohmann::json& json, Budget& value);
void to_json(nlohmann::json& json, const Paragraph& value);
void from_json(const nlohmann::json& json, Paragraph& value);
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
