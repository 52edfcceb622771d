#include "research/report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace research {
namespace {

/// Numbers sources as they are first cited.
class Citations {
 public:
  std::string line(const Statement& statement) {
    const Finding& finding = statement.finding;
    auto found = std::ranges::find(sources_, finding.url, &Finding::url);
    if (found == sources_.end()) found = sources_.insert(sources_.end(), finding);
    const auto number = found - sources_.begin() + 1;
    if (statement.text == finding.quote) return fmt::format("- “{}” [{}]\n", finding.quote, number);
    return fmt::format("- {} [{}]\n  > {}\n", statement.text, number, finding.quote);
  }

  std::string list() const {
    std::string text;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Finding& source = sources_[i];
      const std::string date = source.date.empty() ? "" : ", " + source.date;
      text += fmt::format("{}. {}{}: <{}>\n", i + 1, source.title, date, source.url);
    }
    return text;
  }

 private:
  std::vector<Finding> sources_;
};

std::string list_of(Citations& citations, const std::string& heading,
                    const std::vector<Statement>& statements) {
  if (statements.empty()) return {};
  std::string text = "\n### " + heading + "\n\n";
  for (const Statement& statement : statements) text += citations.line(statement);
  return text;
}

}  // namespace

std::string markdown(const Synthesis& synthesis) {
  Citations citations;
  std::string text = fmt::format("# {}\n\n", synthesis.topic);
  text += synthesis.made_by == "extractive"
              ? "*No model wrote this: the statements are sentences of the pages, word for word, "
                "chosen by counting terms.*\n"
              : fmt::format("*Worded by {}; under a statement is the sentence that it rests on.*\n",
                            synthesis.made_by);
  text += "\n## In short\n\n";
  for (const Statement& statement : synthesis.lead) text += citations.line(statement);
  for (const Section& section : synthesis.sections) {
    text += fmt::format("\n## {}\n\n{}\n", section.heading, section.goal);
    text += list_of(citations, "What the pages report", section.reports);
    text += list_of(citations, "What the pages advise", section.advice);
  }
  text += "\n## Sources\n\n" + citations.list();
  text += "\n## How this was found\n\n";
  for (const std::string& digest : synthesis.digests) text += "- " + digest + "\n";
  return text;
}

}  // namespace research
