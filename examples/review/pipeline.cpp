// The whole review on one page: a person reads the outline and the draft, and changes what he
// likes; each edit is the value of its stage.
#include "review/pipeline.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <resumable/context.hpp>
#include <resumable/yaml.hpp>

#include "model/answering.hpp"
#include "model/quoting.hpp"
#include "review/text.hpp"

namespace review {
namespace {

namespace rs = resumable;
using Files = std::vector<rs::SourceFile>;

/// The title of a file, with its name after a title that `outline` has already.
std::string heading_of(const Outline& outline, const std::string& heading,
                       const std::string& name) {
  const bool taken = std::ranges::count(outline.sections, heading, &Heading::heading) != 0;
  return taken ? fmt::format("{} ({})", heading, name) : heading;
}

/// Whether a report is made from the file, unless a person names another one.
bool is_source(const rs::SourceFile& file) {
  return file.name.ends_with(".md") && !text::is_folder_note(file.name);
}

/// How many sentences of a file a report states.
int length_of(std::size_t sentences) {
  constexpr std::size_t percent = 45;
  return static_cast<int>(std::clamp<std::size_t>((sentences * percent + 99) / 100, 3, 20));
}

Outline outline_of(const std::string& title, const Files& files) {
  Outline outline{title, {}};
  for (const rs::SourceFile& file : files) {
    if (!is_source(file)) continue;
    const Source source = source_of(file.name, file.read());
    if (source.sentences.empty()) continue;
    outline.sections.push_back({heading_of(outline, source.title, file.name), file.name,
                                length_of(source.sentences.size())});
  }
  if (outline.sections.empty()) {
    throw rs::Error(
        rs::Errc::stage_failed,
        {.what = "no source is a .md file with a paragraph of text (README, LICENSE and the like "
                 "are left out)",
         .kept = "nothing was made yet",
         .next = "add .md files with whole sentences to the folder of the sources; then type"});
  }
  return outline;
}

/// In the order of the source. Between quotes a mark stands for what was left out: `of this` in the
/// second may mean something that the first does not say.
std::string joined(std::vector<model::Statement> statements) {
  std::ranges::stable_sort(statements, {},
                           [](const model::Statement& one) { return one.cited.front().line; });
  std::string text;
  int last = 0;  // the place of the quote before
  for (const model::Statement& one : statements) {
    const text::Passage& cited = one.cited.front();
    const bool is_quote = one.text == cited.body;
    if (is_quote && last > 0 && cited.line > last + 1) text += "[…]\n";
    last = is_quote ? cited.line : 0;
    text += one.text + "\n";
  }
  return text.empty() ? "*The source does not say.*\n" : text;
}

/// What a model is offered, in sentences for each that is asked for.
constexpr std::size_t offered = 3;

Section write(const model::Call& call, const Heading& heading, const Files& files) {
  const auto file = std::ranges::find(files, heading.source, &rs::SourceFile::name);
  if (file == files.end()) {
    throw std::runtime_error(
        fmt::format("section '{}' is to be written from '{}', which is not "
                    "among the sources",
                    heading.heading, heading.source));
  }
  const auto count = static_cast<std::size_t>(heading.sentences);
  const auto sentences =
      ranked(source_of(file->name, file->read()), heading.heading, offered * count);
  const std::string question = fmt::format("What is there to say about “{}”? Write {} sentences.",
                                           heading.heading, heading.sentences);
  return {heading.heading, joined(model::answer(call, {{question, sentences}}, count).front())};
}

rs::Text report_of(const Draft& draft) {
  std::string text = "# " + draft.title + "\n";
  for (const Section& section : draft.sections) {
    text += fmt::format("\n## {}\n\n{}", section.heading, as_paragraphs(section.text));
  }
  return {text};
}

/// Returns the value once a user has agreed to it.
template <class T>
auto agreed(std::string_view file) {
  return [file](rs::Context& ctx, const T& value) {
    ctx.require_approval(fmt::format("read {}, and change what you like", file));
    return value;
  };
}

constexpr const char* outline_help =
    "Change, delete or add sections; 'source' is the name of a file, 'sentences' 1 to 20.\n"
    "Then type: review continue";
constexpr const char* draft_help =
    "Change, delete or add sections and their text.\nThen type: review continue";

}  // namespace

ReviewPipeline::ReviewPipeline(const Settings& settings) {
  rs::Pipeline& review = pipeline_;
  const auto title = model::given(review, "title", settings.title);
  const auto files =
      settings.sources ? review.files("sources", *settings.sources) : review.files("sources");

  const auto provider = model::given(review, "provider", settings.provider);

  const auto outline = review.stage("outline", inputs(title, files), outline_of);
  rs::yaml_artifact(review, outline, reviews[0].file, outline_help);
  review.validate(outline,
                  [names = settings.files](const Outline& one) { return problem_of(one, names); });
  const auto plan =
      review.stage("agree_outline", inputs(outline), agreed<Outline>(reviews[0].file));

  const auto headings =
      review.stage("sections", inputs(plan), [](const Outline& one) { return one.sections; });
  const auto written =
      review.stage("write", inputs(provider, each(headings, &Heading::heading), files),
                   model::asking<model::QuotingProvider>(settings.calling, write));
  const auto draft = review.stage("draft", inputs(plan, written),
                                  [](const Outline& one, const std::vector<Section>& sections) {
                                    return Draft{one.title, sections};
                                  });
  rs::yaml_artifact(review, draft, reviews[1].file, draft_help);
  review.validate(draft, [](const Draft& one) { return problem_of(one); });
  const auto final_draft =
      review.stage("agree_draft", inputs(draft), agreed<Draft>(reviews[1].file));

  const auto report = review.stage("report", inputs(final_draft), report_of);
  review.artifact(report, "report.md");
}

void check_edit(std::string_view field, const std::string& text) {
  const auto problem = field == reviews[0].field ? problem_of(rs::value_from_yaml<Outline>(text))
                                                 : problem_of(rs::value_from_yaml<Draft>(text));
  if (problem) throw std::runtime_error(*problem);
}

}  // namespace review
