// Two stages that look every statement up in what it cites. The first needs no provider.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "memo/memo_text.hpp"
#include "memo/stages.hpp"
#include "model/asking.hpp"
#include "text/backing.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

constexpr std::size_t judged_at_once = 20;  // statements

/// A statement with the passages that its citations lead to.
struct Checked {
  Statement statement;
  std::vector<text::Passage> passages{};
  std::vector<Broken> broken{};
};

/// As a memo shows it.
std::string as_shown(const std::string& passage) { return plain(escaped(passage)); }

bool stands_in(const Statement& statement, const std::vector<text::Passage>& passages) {
  std::string all;
  for (const auto& passage : passages) all += as_shown(passage.body) + ' ';
  return all.find(statement.text) != all.npos;
}

Checked checked(Statement statement, const std::map<std::string, std::string>& marks,
                const std::vector<Brief>& briefs, const Sources& sources) {
  Checked result{std::move(statement)};
  for (const auto& mark : result.statement.citations) {
    const auto found = marks.find(mark);
    const std::string citation = found == marks.end() ? mark : found->second;
    const auto passages = passages_at(citation, sources, briefs);
    std::string why;
    if (!passages) {
      why = "no source has such a place";
    } else if (result.statement.is_quote && !stands_in(result.statement, *passages)) {
      why = "the quoted words do not stand there";
    }
    if (!why.empty()) result.broken.push_back({result.statement.text, citation, why});
    if (passages) result.passages.insert(result.passages.end(), passages->begin(), passages->end());
  }
  return result;
}

std::vector<Checked> check_all(const Request& request, const Text& draft,
                               const std::vector<Brief>& briefs, const Sources& sources) {
  const auto list = citation_list(draft.markdown);
  const std::map<std::string, std::string> marks{list.begin(), list.end()};
  std::vector<Checked> all;
  for (auto& statement : statements(draft.markdown, own_lines(request, briefs))) {
    all.push_back(checked(std::move(statement), marks, briefs, sources));
  }
  return all;
}

std::vector<std::string> texts_of(const std::vector<text::Passage>& passages) {
  std::vector<std::string> texts;
  for (const auto& passage : passages)
    texts.push_back(passage.title + '\n' + as_shown(passage.body));
  return texts;
}

/// The statements of which the provider says that their passages do not support them.
std::vector<std::string> doubts(const model::Call& call, const std::vector<Checked>& all,
                                std::size_t from, std::size_t to) {
  Json asked = Json::array();
  for (std::size_t i = from; i < to; ++i) {
    Json passages = Json::array();
    for (const auto& passage : all[i].passages) passages.push_back(as_shown(passage.body));
    asked.push_back(
        {{"id", i}, {"text", all[i].statement.text}, {"passages", std::move(passages)}});
  }
  const model::Task task{
      "judge",
      "For each statement say whether its passages, by themselves, support all of it, figures and "
      "names included.",
      Json{{"statements", std::move(asked)}}.dump(), R"({"verdicts":[{"id":0,"supported":true}]})",
      std::to_string(from / judged_at_once + 1)};
  return model::ask(call, task, [&](const Json& answer) {
    std::vector<std::string> doubted;
    for (const Json& verdict : answer.at("verdicts")) {
      const auto& one = model::offered(all, verdict.at("id"));
      if (!verdict.at("supported").get<bool>()) doubted.push_back(one.statement.text);
    }
    return doubted;
  });
}

}  // namespace

Validation validate_citations(const Request& request, const Text& draft,
                              const std::vector<Brief>& briefs, const Sources& sources) {
  CitationValidation result;
  for (const auto& one : check_all(request, draft, briefs, sources)) {
    ++result.statements;
    const auto citations = static_cast<int>(one.statement.citations.size());
    result.cited += citations > 0 ? 1 : 0;
    result.citations += citations;
    result.resolved += citations - static_cast<int>(one.broken.size());
    result.broken.insert(result.broken.end(), one.broken.begin(), one.broken.end());
    if (citations == 0) result.uncited.push_back(one.statement.text);
  }
  return {.citation_validation = std::move(result)};
}

Validation fact_check(const model::Call& call, const Validation& before, const Request& request,
                      const Text& draft, const std::vector<Brief>& briefs, const Sources& sources) {
  FactCheck result;
  auto all = check_all(request, draft, briefs, sources);
  for (const auto& one : all) {
    const auto passages = texts_of(one.passages);
    Unbacked unbacked{one.statement.text, text::numbers_missing(one.statement.text, passages),
                      text::names_missing(one.statement.text, passages)};
    ++result.statements;
    result.numbers_stand += unbacked.numbers.empty() ? 1 : 0;
    result.names_stand += unbacked.names.empty() ? 1 : 0;
    if (!unbacked.numbers.empty() || !unbacked.names.empty())
      result.unbacked.push_back(std::move(unbacked));
  }
  // Quotations and rows have been looked up, and what cites nothing has nothing to support it.
  std::erase_if(all, [](const Checked& one) {
    return one.statement.is_quote || one.statement.is_row || one.passages.empty();
  });
  for (std::size_t from = 0; from < all.size(); from += judged_at_once) {
    const auto more = doubts(call, all, from, std::min(from + judged_at_once, all.size()));
    result.doubted.insert(result.doubted.end(), more.begin(), more.end());
  }
  Validation validation = before;
  validation.fact_check_results = std::move(result);
  return validation;
}

}  // namespace memo
