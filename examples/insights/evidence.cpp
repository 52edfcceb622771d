#include "insights/evidence.hpp"

#include <algorithm>
#include <regex>

#include "insights/words.hpp"

namespace insights {

using Json = nlohmann::json;

namespace {

void add_listed(std::set<std::string>& list, const std::vector<Finding>& findings) {
  for (const Finding& one : findings) {
    for (std::string& word : words_in(one.text)) list.insert(std::move(word));
  }
}

}  // namespace

Evidence evidence_of(std::size_t clause, const std::vector<DirectCall>& direct,
                     const Json& exchanges, const Selection& told) {
  Evidence found;
  std::set<std::string> texts;
  for (const Finding& one : told.told) {
    found.kinds.insert(one.kind);
    texts.insert(one.text);
  }
  std::vector<Json> beside;  // told, and of no clause
  std::vector<Json> others;
  for (const Json& exchange : exchanges) {
    for (Json made : exchange.value("calls", Json::array())) {
      // What is noted is looked up by all words of the question.
      if (made.at("tool") == "remarks") continue;
      const std::vector<Finding> findings =
          findings_of(made.at("tool").get<std::string>(), made.at("result"));
      const auto is_it = [&](const DirectCall& one) {
        return one.call.at("tool") == made.at("tool") &&
               one.call.at("arguments") == made.at("arguments");
      };
      const bool is_own = std::ranges::any_of(
          direct, [&](const DirectCall& one) { return one.clause == clause && is_it(one); });
      const bool is_told = std::ranges::any_of(
          findings, [&](const Finding& one) { return texts.contains(one.text); });
      if (is_own && !findings.empty()) {
        add_listed(found.listed[made.at("arguments").value("by", "")], findings);
        found.calls.push_back(std::move(made));
      } else if (is_told) {
        const bool is_of_other = std::ranges::any_of(direct, is_it);
        // What a price depends on is found by the tool.
        const std::string of = made.at("result").value("depends_on", "");
        if (!of.empty()) made["arguments"]["by"] = of;
        const std::string by = made.at("arguments").value("by", "");
        add_listed((of.empty() ? found.listed_beside : found.listed)[by], findings);
        (is_of_other ? others : beside).push_back(std::move(made));
      }
    }
  }
  found.own = found.calls.size();
  if (found.own == 0) std::ranges::move(others, std::back_inserter(found.calls));
  std::ranges::move(beside, std::back_inserter(found.calls));
  return found;
}

bool is_told_besides(const Clause& clause, std::size_t at, const std::vector<DirectCall>& direct,
                     const Selection& told) {
  static const std::set<std::string> any{"statistics", "shares", "often", "counts", "compare"};
  static const std::regex day{R"(\bwhen\b|\b(?:what|which) (?:day|date)\b)", std::regex::icase};
  static const std::regex often{R"(\bhow often\b)", std::regex::icase};
  static const std::regex share{R"(\b(?:per ?cent\w*|share|proportion|part)\b)", std::regex::icase};
  static const std::regex figure{R"(\bhow (?:many|much)\b)", std::regex::icase};
  const auto asks = [&](const std::regex& form) { return std::regex_search(clause.text, form); };
  const auto tells = [&](const std::string& kind, const char* sign = "") {
    return std::ranges::any_of(told.told, [&](const Finding& one) {
      return (kind.empty() || one.kind == kind) && one.text.find(sign) != std::string::npos;
    });
  };
  const auto found = [&](const std::set<std::string>& figures, bool is_ordered) {
    return std::ranges::any_of(direct, [&](const DirectCall& one) {
      const Json& arguments = one.call.at("arguments");
      return one.clause + 1 == at && figures.contains(arguments.value("figure", "")) &&
             (!is_ordered || arguments.contains("order"));
    });
  };
  const bool is_of_kind = std::ranges::any_of(told.told, [&](const Finding& one) {
    const std::string kind = one.kind == "no trend" ? "trend" : one.kind;
    const bool is_it = clause.about.asks.contains(kind) && !any.contains(kind);
    return is_it || (kind == "gap" && (clause.about.asks.contains("quality") ||
                                       clause.about.asks.contains("quiet")));
  });
  if (is_of_kind) return true;
  if (asks(day)) return tells("gap") || found({"most", "least"}, false);
  if (asks(often)) return tells("often");
  if (!clause.says("pointing")) return false;
  return (asks(share) && tells("", " %")) || (asks(figure) && found({"sum"}, true));
}

}  // namespace insights
