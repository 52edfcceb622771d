#include "memo/extractive.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "memo/backing.hpp"
#include "memo/fit.hpp"
#include "memo/limits.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

/// Months, with the word behind: the year.
std::set<std::string> months_in(const std::string& text) {
  std::set<std::string> found;
  const auto stems = terms(text);
  for (std::size_t i = 0; i < stems.size(); ++i) {
    if (!is_month_stem(stems[i])) continue;
    found.insert(stems[i] + (i + 1 < stems.size() ? ' ' + stems[i + 1] : ""));
  }
  return found;
}

/// Without the question that it answers.
std::string_view answer_in(std::string_view text) {
  constexpr std::string_view mark = "? — ";
  const auto at = text.find(mark);
  return at == std::string_view::npos ? text : text.substr(at + mark.size());
}

/// More than half the words in common: a second sentence says nothing new. Names may be alike, and
/// so may events: `starts in July` is no repetition of `starts in May`.
bool repeats(const std::string& text, const std::vector<std::string>& chosen) {
  if (terms(text).size() < 5) return false;
  const auto months = months_in(text);
  return std::ranges::any_of(chosen, [&](const auto& before) {
    return (overlap_percent(text, answer_in(before)) > 55 || overlap_percent(before, text) > 55) &&
           std::ranges::includes(months_in(before), months);
  });
}

/// It knows no language: what fits a question badly, or much worse than another passage does, is no
/// answer to it.
std::int64_t least_score(const Json& candidates) {
  std::int64_t best = least_fit;
  for (const auto& one : candidates) best = std::max(best, one.value("score", least_fit));
  return std::max(least_fit, best * 40 / 100);
}

/// Candidates come best first: takes them in that order, leaving out what only repeats.
Json best_of(const Json& question) {
  Json picked = Json::array();
  std::vector<std::string> chosen;
  const auto least = least_score(question.at("candidates"));
  for (const auto& candidate : question.at("candidates")) {
    if (picked.size() >= question.at("limit").get<std::size_t>()) break;
    const auto text = candidate.at("text").get<std::string>();
    if (candidate.value("score", least_fit) < least || repeats(text, chosen)) continue;
    chosen.push_back(text);
    picked.push_back(candidate.at("id"));
  }
  return {{"question", question.at("id")}, {"candidates", std::move(picked)}};
}

Json pick(const Json& input) {
  Json picks = Json::array();
  for (const auto& question : input.at("questions")) picks.push_back(best_of(question));
  return {{"picks", std::move(picks)}};
}

/// `We …` cannot stand in a memo as if the memo said it: it is shown as a quotation.
std::string as_statement(const std::string& quote) {
  const bool quoted = is_first_person(quote) && quote.find("“") == std::string::npos;
  return quoted ? "“" + quote + "”" : quote;
}

Json paragraph(const Json& part) {
  Json statements = Json::array();
  for (const auto& evidence : part.at("evidence")) {
    const auto quote = evidence.at("quote").get<std::string>();
    statements.push_back({{"text", as_statement(quote)}, {"evidence", evidence.at("id")}});
  }
  return {{"heading", part.at("heading")}, {"statements", std::move(statements)}};
}

Json write(const Json& input) {
  Json paragraphs = Json::array();
  for (const auto& part : input.at("parts")) paragraphs.push_back(paragraph(part));
  return {{"paragraphs", std::move(paragraphs)}};
}

/// Every figure of the statement is in the quote, and most of its words are.
bool supports(const std::string& quote, const std::string& statement) {
  return unbacked_figures(statement, quote, quote).empty() &&
         overlap_percent(statement, quote) >= 60;
}

Json judge(const Json& input) {
  Json verdicts = Json::array();
  for (const auto& entry : input.at("statements")) {
    verdicts.push_back({{"id", entry.at("id")},
                        {"supported", supports(entry.at("quote").get<std::string>(),
                                               entry.at("statement").get<std::string>())}});
  }
  return {{"verdicts", std::move(verdicts)}};
}

}  // namespace

model::Answer ExtractiveProvider::do_ask(const model::Task& task, const std::stop_token&) {
  const Json input = Json::parse(task.input);
  if (task.name == "pick") return {pick(input).dump(), {}};
  if (task.name == "write") return {write(input).dump(), {}};
  if (task.name == "judge") return {judge(input).dump(), {}};
  throw model::ProviderError{"the extractive provider knows no task '" + task.name + "'", {}};
}

}  // namespace memo
