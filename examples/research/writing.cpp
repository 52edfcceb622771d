// Phases 3 and 4: from passages to statements that cite them, and to report.md.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/answering.hpp"
#include "model/asking.hpp"
#include "model/quoting.hpp"
#include "research/phases.hpp"
#include "research/web_text.hpp"
#include "text/backing.hpp"
#include "text/index.hpp"

namespace research {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_in_lead = 3;

/// Whether each number of a statement stands in something that it cites. A model that invents one
/// is not asked again: what it says is left out, and counted.
bool is_backed(const Statement& statement) {
  std::vector<std::string> texts;
  for (const Quote& quote : statement.cited) texts.push_back(quote.heading + '\n' + quote.text);
  return text::numbers_missing(statement.text, texts).empty();
}

std::size_t leave_out_unbacked(std::vector<Statement>& statements) {
  return std::erase_if(statements, [](const Statement& one) { return !is_backed(one); });
}

std::string digest_of(const Step& step, const StepResult& result) {
  std::set<std::string> pages;
  for (const Statement& statement : result.statements) {
    for (const Quote& quote : statement.cited) pages.insert(quote.page);
  }
  return fmt::format("{} read {} and made {}, from {}.", step.id,
                     counted(step.passages.size(), "passage"),
                     counted(result.statements.size(), "statement"), counted(pages.size(), "page"));
}

/// What a model finds most telling; each rests on what the statements that it names rest on.
std::vector<Statement> lead_by(const model::Call& call, const std::string& topic,
                               const std::vector<Statement>& all) {
  Json given = Json::array();
  for (const Statement& one : all) given.push_back({{"id", given.size()}, {"text", one.text}});
  const model::Task task{
      "lead",
      "Sum up in at most three sentences what these statements say about the topic, each with the "
      "ids of the statements that it rests on. Say no more than they say, and write figures and "
      "names as they do.",
      Json{{"topic", topic}, {"statements", std::move(given)}}.dump(),
      R"({"lead":[{"text":"…","statements":[0,2]}]})"};
  return model::ask(call, task, [&](const Json& answer) {
    std::vector<Statement> lead;
    for (const Json& one : answer.at("lead")) {
      if (lead.size() == most_in_lead) break;
      Statement statement{text::collapsed(one.at("text").get<std::string>()), {}};
      for (const Json& id : one.at("statements")) {
        const auto& cited = model::offered(all, id).cited;
        statement.cited.insert(statement.cited.end(), cited.begin(), cited.end());
      }
      if (statement.text.empty() || statement.cited.empty()) {
        throw model::Misfit{"a sentence without words or without statements"};
      }
      lead.push_back(std::move(statement));
    }
    return lead;
  });
}

/// The pages that are cited, in the order in which they are.
std::vector<Source> sources_of(const std::vector<Statement>& statements, const Scrape& scrape) {
  std::vector<Source> sources;
  for (const Statement& statement : statements) {
    for (const Quote& quote : statement.cited) {
      if (std::ranges::find(sources, quote.page, &Source::path) != sources.end()) continue;
      const auto page = std::ranges::find(scrape.pages, quote.page, &Page::path);
      sources.push_back({page->path, page->url, page->title, page->date});
    }
  }
  return sources;
}

/// Text that stays text in Markdown.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view{"\\*_[]<`|"}.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// `[1][3]`
std::string marks(const Statement& statement, const std::vector<Source>& sources) {
  std::set<std::ptrdiff_t> numbers;
  for (const Quote& quote : statement.cited) {
    numbers.insert(std::ranges::find(sources, quote.page, &Source::path) - sources.begin() + 1);
  }
  return fmt::format("[{}]", fmt::join(numbers, "]["));
}

bool is_quote(const Statement& statement) {
  return statement.cited.size() == 1 && statement.text == statement.cited[0].text;
}

/// An item for each statement. A quotation says below which heading it stands, if that is neither
/// the one above it in the report nor that of the item before.
std::string items(const std::vector<Statement>& statements, const std::string& above,
                  const std::vector<Source>& sources) {
  std::string text;
  std::string where = above;
  for (const Statement& one : statements) {
    text += "- ";
    if (is_quote(one) && std::exchange(where, one.cited[0].heading) != one.cited[0].heading) {
      const bool goes_on = where.starts_with(above + " / ");
      text += fmt::format("*{}:* ", plain(where.substr(goes_on ? above.size() + 3 : 0)));
    }
    text += fmt::format(fmt::runtime(is_quote(one) ? "“{}” {}\n" : "{} {}\n"), plain(one.text),
                        marks(one, sources));
  }
  return text;
}

/// Where a reader finds the page: its address, or the file of a site without one.
std::string place_of(const Source& source) {
  return fmt::format(fmt::runtime(source.url.find("://") == source.url.npos ? "`{}`" : "<{}>"),
                     source.url);
}

std::string list_of(const std::vector<Source>& sources) {
  std::string text;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string date = sources[i].date.empty() ? "" : ", " + sources[i].date;
    text += fmt::format("{}. {}{}: {}\n", i + 1, plain(sources[i].title), plain(date),
                        place_of(sources[i]));
  }
  return text;
}

}  // namespace

StepResult execute(const model::Call& call, const Step& step) {
  model::Question question{step.question, {}};
  for (const auto& [text, heading, page, line] : step.passages) {
    question.passages.push_back({heading, text, page, line});
  }
  StepResult result{step.id, step.question, {}, 0, {}};
  const auto answers = model::answer(call, {question}, step.passages.size());
  for (const auto& answer : answers.front()) {
    Statement& statement = result.statements.emplace_back(Statement{answer.text, {}});
    for (const auto& one : answer.cited) {
      statement.cited.push_back({one.body, one.title, one.file, one.line});
    }
  }
  result.left_out = leave_out_unbacked(result.statements);
  result.digest = digest_of(step, result);
  return result;
}

Synthesis synthesize(const model::Call& call, const Roles& roles,
                     const std::vector<StepResult>& results, const Scrape& scrape) {
  Synthesis made{roles.topic, call.provider.name(), {}, {}, {}, {}, {}};
  std::vector<Statement> all;
  std::size_t left_out = 0;
  for (const StepResult& result : results) {
    all.insert(all.end(), result.statements.begin(), result.statements.end());
    left_out += result.left_out;
    if (result.statements.empty()) made.silent.push_back(result.question);
    if (!result.statements.empty()) made.sections.push_back(result);
  }
  if (!model::is_quoting(made.made_by) && !all.empty()) {
    made.lead = lead_by(call, roles.topic, all);
    left_out += leave_out_unbacked(made.lead);
    all.insert(all.begin(), made.lead.begin(), made.lead.end());
  }
  made.sources = sources_of(all, scrape);
  made.notes.push_back(fmt::format("{} with text were read, {} cited.",
                                   counted(scrape.pages.size(), "page"),
                                   counted(made.sources.size(), "page")));
  made.notes.push_back(
      fmt::format("A passage that scores below {:.1f} for a question (SQLite's bm25) is left out, "
                  "unless all do.",
                  text::least_score));
  if (left_out > 0) {
    made.notes.push_back(
        fmt::format("{} of the model left out: a number in it stands in no passage that it cites.",
                    counted(left_out, "statement")));
  }
  made.notes.insert(made.notes.end(), scrape.notes.begin(), scrape.notes.end());
  return made;
}

std::string markdown(const Synthesis& synthesis) {
  std::string text = fmt::format("# {}\n\n", plain(synthesis.topic));
  text +=
      model::is_quoting(synthesis.made_by)
          ? "*No model wrote this: it quotes the pages word for word, and whether that answers "
            "anything is for the reader to judge. A model writes better: `--provider openai "
            "--base-url URL`.*\n"
          : fmt::format("*Written by {} from passages of the pages.*\n", plain(synthesis.made_by));
  if (!synthesis.lead.empty()) {
    text += "\n## In short\n\n" + items(synthesis.lead, {}, synthesis.sources);
  }
  for (const StepResult& section : synthesis.sections) {
    text += fmt::format("\n## {}\n\n{}", plain(section.question),
                        items(section.statements, section.question, synthesis.sources));
  }
  if (!synthesis.silent.empty()) {
    text += "\n## Not found\n\nNothing was found for:\n\n";
    for (const std::string& question : synthesis.silent) text += "- " + plain(question) + "\n";
  }
  text += "\n## Sources\n\n" + list_of(synthesis.sources) + "\n## How this was found\n\n";
  for (const std::string& note : synthesis.notes) text += "- " + plain(note) + "\n";
  return text;
}

}  // namespace research
