#include "memo/tasks.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "memo/statements.hpp"
#include "model/asking.hpp"

namespace memo {
namespace {

using model::Misfit;
using Json = nlohmann::json;

Json question_json(const Question& question, std::size_t id) {
  Json candidates = Json::array();
  for (std::size_t i = 0; i < question.candidates.size(); ++i) {
    const auto& candidate = question.candidates[i];
    candidates.push_back({{"id", i}, {"text", candidate.text}, {"source", candidate.source}});
    if (candidate.score > 0) candidates.back()["score"] = candidate.score;
    if (!candidate.heading.empty()) candidates.back()["heading"] = candidate.heading;
  }
  Json json{{"id", id},
            {"question", question.text},
            {"limit", question.limit},
            {"candidates", std::move(candidates)}};
  if (!question.signs.empty()) json["often"] = question.signs;
  return json;
}

std::vector<std::size_t> checked(const std::vector<std::size_t>& picked, const Question& question) {
  std::vector<std::size_t> out;
  for (const auto index : picked) {
    if (index >= question.candidates.size()) throw Misfit{"a candidate that was not offered"};
    const bool twice = std::ranges::find(out, index) != out.end();
    if (!twice && out.size() < question.limit) out.push_back(index);
  }
  return out;
}

model::Task pick_task(const std::string& purpose, const std::vector<Question>& questions,
                      const std::string& subject) {
  Json asked = Json::array();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!questions[i].candidates.empty()) asked.push_back(question_json(questions[i], i));
  }
  return {"pick",
          purpose +
              " For each question pick the ids of the candidates that answer it, best "
              "first, at most `limit`; none if none does. Answers often hold words of `often`, but "
              "need not.",
          Json{{"questions", std::move(asked)}}.dump(),
          R"({"picks":[{"question":0,"candidates":[2,0]}]})", subject};
}

Json brief_json(const SectionBrief& brief) {
  Json parts = Json::array();
  std::size_t id = 0;
  for (const auto& part : brief.parts) {
    Json evidence = Json::array();
    for (const auto& finding : part.findings) {
      evidence.push_back({{"id", id++}, {"quote", finding.quote}, {"source", finding.source}});
      if (finding.mark) evidence.back()["mark"] = *finding.mark;
    }
    parts.push_back({{"heading", part.heading},
                     {"question", part.question},
                     {"evidence", std::move(evidence)}});
  }
  return {{"title", brief.title}, {"parts", std::move(parts)}};
}

std::vector<Finding> evidence_of(const SectionBrief& brief) {
  std::vector<Finding> evidence;
  for (const auto& part : brief.parts) {
    evidence.insert(evidence.end(), part.findings.begin(), part.findings.end());
  }
  return evidence;
}

/// What sources may differ on is quoted, behind its mark.
std::string marked(const std::string& mark, const std::string& text) {
  const bool quoted = text.starts_with("“") && text.ends_with("”");
  return mark + ": " + (quoted ? text : "“" + text + "”");
}

/// A statement as a sentence of a paragraph: what begins a line of another kind, which no check
/// would read, is taken off its head, and it has no further lines.
std::string as_sentence(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text.substr(std::min(text.find_first_not_of("#|*<!> "), text.size()));
}

Claim claim_from(const Json& json, const std::vector<Finding>& evidence) {
  const auto id = json.at("evidence").get<std::size_t>();
  const auto text = as_sentence(json.at("text").get<std::string>());
  if (id >= evidence.size()) throw Misfit{"evidence that was not given"};
  if (text.empty()) throw Misfit{"an empty statement"};
  const Finding& finding = evidence[id];
  return {finding.mark ? marked(*finding.mark, text) : text, finding.quote, finding.source};
}

/// An earlier figure without the later one in front of it would read as the current one.
void check_order(const std::vector<Claim>& claims) {
  bool led = false;
  for (const auto& claim : claims) {
    std::string_view text = claim.text;
    const auto mark = take_mark(text);
    if (is_set_behind(mark) && !led) {
      throw Misfit{"an earlier figure without the later one before it"};
    }
    led = !mark.empty();
  }
}

/// No check reads a heading, so one with a figure has to be one that was given.
std::string heading_from(const Json& json, const SectionBrief& brief) {
  std::string heading = as_sentence(json.at("heading").get<std::string>());
  const bool given = std::ranges::count(brief.parts, heading, &Part::heading) != 0;
  const bool has_figure = heading.find_first_of("0123456789") != heading.npos;
  return given || !has_figure ? heading : brief.title;
}

Paragraph paragraph_from(const Json& json, const SectionBrief& brief,
                         const std::vector<Finding>& evidence) {
  Paragraph paragraph{heading_from(json, brief), {}};
  for (const auto& statement : json.at("statements")) {
    paragraph.claims.push_back(claim_from(statement, evidence));
  }
  check_order(paragraph.claims);
  return paragraph;
}

model::Task judge_task(const std::vector<Claim>& claims) {
  Json statements = Json::array();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    statements.push_back({{"id", i}, {"statement", claims[i].text}, {"quote", claims[i].quote}});
  }
  return {"judge",
          "For each statement say whether its quote, by itself, supports all of it, figures and "
          "names included.",
          Json{{"statements", std::move(statements)}}.dump(),
          R"({"verdicts":[{"id":0,"supported":true}]})"};
}

}  // namespace

std::vector<std::vector<std::size_t>> pick(const model::Call& call, const std::string& purpose,
                                           const std::vector<Question>& questions,
                                           const std::string& subject) {
  using Picks = std::vector<std::vector<std::size_t>>;
  const auto asked = [](const Question& question) { return !question.candidates.empty(); };
  if (std::ranges::none_of(questions, asked)) return Picks(questions.size());
  return model::ask(call, pick_task(purpose, questions, subject), [&](const Json& answer) {
    Picks picks(questions.size());
    for (const auto& entry : answer.at("picks")) {
      const auto id = entry.at("question").get<std::size_t>();
      if (id >= questions.size()) throw Misfit{"a question that was not asked"};
      picks[id] = checked(entry.at("candidates").get<std::vector<std::size_t>>(), questions[id]);
    }
    return picks;
  });
}

std::vector<Paragraph> write(const model::Call& call, const SectionBrief& brief) {
  if (brief.parts.empty()) return {};
  const model::Task task{
      "write",
      "Write the section '" + brief.title +
          "' of an investment memo in a sober tone. Use only the evidence given, a "
          "statement per sentence, each with the id of the evidence that backs it. "
          "Keep figures and names as they are. Evidence with a `mark` gives figures that may be of "
          "one thing at two times: state the later directly before the earlier; their marks are "
          "added for you.",
      brief_json(brief).dump(),
      R"({"paragraphs":[{"heading":"Need","statements":[{"text":"…","evidence":0}]}]})"};
  const auto evidence = evidence_of(brief);
  return model::ask(call, task, [&](const Json& answer) {
    std::vector<Paragraph> paragraphs;
    for (const auto& json : answer.at("paragraphs")) {
      paragraphs.push_back(paragraph_from(json, brief, evidence));
    }
    return paragraphs;
  });
}

std::vector<bool> judge(const model::Call& call, const std::vector<Claim>& claims) {
  if (claims.empty()) return {};
  return model::ask(call, judge_task(claims), [&](const Json& answer) {
    std::vector<bool> verdicts(claims.size(), false);
    for (const auto& verdict : answer.at("verdicts")) {
      const auto id = verdict.at("id").get<std::size_t>();
      if (id >= claims.size()) throw Misfit{"a statement that was not asked about"};
      verdicts[id] = verdict.at("supported").get<bool>();
    }
    return verdicts;
  });
}

}  // namespace memo
