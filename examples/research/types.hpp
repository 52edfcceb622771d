/// @file
/// The values that the phases hand on: plain structs, and their JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <resumable/schema.hpp>

namespace research {

/// What a server answered for one path, as it came: reading it is not part of fetching it.
struct Response {
  int status = 0;
  std::string type;  ///< Content-Type
  std::string body;
  std::string location{};  ///< of a redirect
  bool cut = false;        ///< the body was longer; this is its beginning
};

/// How much of a site is read, and quoted.
struct Limits {
  std::size_t pages = 1000;                  ///< paths that are asked for
  std::size_t bytes = std::size_t{2} << 20;  ///< of a page; of a longer one the beginning is read
  std::size_t seconds = 3600;                ///< of one call; then what was found is all
  std::size_t words = 600;                   ///< of the quotations in a report without a model
};

/// A passage of a page, word for word (text/passages.hpp).
struct Quote {
  std::string text;
  std::string heading;  ///< those above it
  std::string page;     ///< its path
  int line = 0;

  bool operator==(const Quote&) const = default;
};

/// A page of the site, read.
struct Page {
  std::string path;  ///< on the site
  std::string url;   ///< what the page calls itself (rel="canonical"), else where it is
  std::string title;
  std::string date;
  std::vector<Quote> passages;
};

/// Phase 0: what a crawl of the site found.
struct Scrape {
  std::string title;                 ///< of the start page
  std::vector<Page> pages;           ///< those with text, in the order in which they were found
  std::vector<std::string> missing;  ///< paths that are linked to but gave no page
  std::vector<std::string> notes{};  ///< what was left out, and why: sentences for people
};

/// What is asked of the pages.
struct Question {
  std::string text;    ///< a heading of the report
  std::string search;  ///< the words to look for
  std::string page{};  ///< the path of the only page that is asked; empty: all are

  bool operator==(const Question&) const = default;
};

/// Phase 0.5: somebody who reads the pages, and what for.
struct Role {
  std::string name;
  std::vector<Question> questions;
};

struct Roles {
  std::string topic;
  std::vector<Role> roles;
};

/// Phase 1: a question that a role wants answered.
struct Goal {
  std::string id;  ///< `goal-1`
  std::string role;
  Question question;
};

/// Phase 2: a goal, and the passages that are put to it.
struct Step {
  std::string id;  ///< `step-1`
  std::string goal;
  std::string question;
  std::vector<Quote> passages;  ///< none: the pages do not say it
};

/// A sentence of the report and the passages that it rests on.
struct Statement {
  std::string text;
  std::vector<Quote> cited;
};

/// Phase 3: what a step found.
struct StepResult {
  std::string id;
  std::string question;
  std::vector<Statement> statements;
  std::size_t left_out = 0;  ///< statements with a number that stands in nothing that they cite
  std::string digest;        ///< one sentence about the step
};

/// A page that is cited.
struct Source {
  std::string path;
  std::string url;
  std::string title;
  std::string date;
};

/// Phase 4: the report, but for its layout.
struct Synthesis {
  std::string topic;
  std::string made_by;  ///< the provider
  std::vector<Statement> lead;
  std::vector<StepResult> sections;
  std::vector<std::string> silent;  ///< questions that the pages do not answer
  std::vector<Source> sources;
  std::vector<std::string> notes;
};

/// The first version held findings of another kind, which cannot be turned into passages: it is
/// refused, never misread.
struct SecondVersion {
  static constexpr std::string_view name = "";
  static constexpr resumable::Migrations<0> migrations{resumable::oldest(2)};
};

}  // namespace research

template <>
struct resumable::Schema<research::Limits> {
  static constexpr std::string_view name = "";
  static void add_words(Json& limits) { limits["words"] = 600; }
  static constexpr Migrations migrations{add_words};
};
template <>
struct resumable::Schema<research::Scrape> : research::SecondVersion {};
template <>
struct resumable::Schema<research::Roles> : research::SecondVersion {};
template <>
struct resumable::Schema<research::Goal> : research::SecondVersion {};
template <>
struct resumable::Schema<research::Step> : research::SecondVersion {};
template <>
struct resumable::Schema<research::StepResult> : research::SecondVersion {};
template <>
struct resumable::Schema<research::Synthesis> : research::SecondVersion {};

namespace research {

// Both serialisers of a type from the list of its members; a missing one is an error.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Response, status, type, body, location, cut)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limits, pages, bytes, seconds, words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Quote, text, heading, page, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Page, path, url, title, date, passages)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Scrape, title, pages, missing, notes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Question, text, search, page)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Role, name, questions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Roles, topic, roles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Goal, id, role, question)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Step, id, goal, question, passages)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statement, text, cited)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StepResult, id, question, statements, left_out, digest)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Source, path, url, title, date)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Synthesis, topic, made_by, lead, sections, silent, sources,
                                   notes)

}  // namespace research
