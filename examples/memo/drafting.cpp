// A section from its brief, with one call: the item of a fan-out, which is paid once.
#include <algorithm>

#include <fmt/format.h>

#include "memo/memo_text.hpp"
#include "memo/stages.hpp"
#include "model/answering.hpp"
#include "model/quoting.hpp"

namespace memo {
namespace {

Quote as_quote(const text::Passage& passage) {
  return {passage.body, passage.title, passage.file, passage.line};
}

/// A statement as Markdown: in quotation marks if it is a passage word for word, else each of its
/// sentences with all that the statement cites.
std::string written(const model::Statement& statement) {
  const auto same = std::ranges::find(statement.cited, statement.text, &text::Passage::body);
  if (same != statement.cited.end()) return quoted(as_quote(*same));
  std::string marks;
  for (const auto& passage : statement.cited) marks += citation_mark(as_quote(passage));
  std::string text;
  for (const auto sentence : text::sentences(statement.text)) {
    text += (text.empty() ? "" : " ") + escaped(sentence) + marks;
  }
  return text;
}

/// What a person wrote is in the memo, whatever a model makes of it.
void add_what_is_by_hand(std::vector<model::Statement>& statements, const Part& part) {
  for (const auto& quote : part.quotes) {
    const auto cites = [&](const model::Statement& statement) {
      return std::ranges::any_of(statement.cited, [&](const auto& passage) {
        return passage.file == quote.file && passage.line == quote.line;
      });
    };
    if (!quote.by_hand || std::ranges::any_of(statements, cites)) continue;
    statements.push_back({quote.text, {{quote.title, quote.text, quote.file, quote.line}}});
  }
}

std::string paragraph(const std::vector<model::Statement>& statements) {
  std::string text;
  for (const auto& statement : statements)
    text += (text.empty() ? "" : "\n\n") + written(statement);
  return text;
}

}  // namespace

Section draft_section(const model::Call& call, const Brief& brief) {
  std::vector<model::Question> questions;
  std::size_t most = 0;
  for (const auto& part : brief.parts) {
    questions.push_back({part.asked, {}});
    for (const auto& quote : part.quotes) {
      questions.back().passages.push_back({quote.title, quote.text, quote.file, quote.line});
    }
    most = std::max(most, part.quotes.size());
  }
  auto answers = model::answer(call, questions, most);
  std::string text = fmt::format("## {}\n", brief.title);
  std::string silent;
  for (std::size_t i = 0; i < brief.parts.size(); ++i) {
    const Part& part = brief.parts[i];
    add_what_is_by_hand(answers[i], part);
    if (!answers[i].empty() || !part.see.empty()) {
      text += fmt::format("\n### {}\n\n{}\n", part.heading,
                          answers[i].empty() ? see_line(part.see) : paragraph(answers[i]));
    } else {
      silent += silence_item(part) + '\n';
    }
  }
  for (const auto& remark : brief.remarks) text += '\n' + remark + '\n';
  if (!silent.empty()) text += fmt::format("\n{}\n\n{}", silence_line, silent);
  return {brief.key, brief.title, std::move(text)};
}

}  // namespace memo
