/// @file
/// A small memo: three stages rewrite each section's file in turn. What it is made of can be
/// turned, every call of a body is noted in a file that outlives a killed process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "resumable/file_store.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "resumable/text.hpp"
#include "support/run_log.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

struct Outline {
  std::string title;
  std::vector<std::string> sections;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outline, title, sections)

/// outline.json; draft, links and charts each write sections/NN-item.md; memo.md.
struct Memo {
  std::vector<std::string> sections{"intro", "team", "market"};
  std::string company = "Fernstone";
  std::string pattern = "sections/{position:02}-{item}.md";
  std::string draft = "draft";  ///< the words that a stage puts into its values
  std::string links = "links";
  std::string charts = "charts";
  bool links_repeat_draft = true;  ///< whether links' value depends on draft's words
  bool outlined = false;           ///< sections come from a stage, not from the host
  std::uint32_t charts_revision = 1;
  bool charts_are_a_view = true;

  /// Declares the pipeline and runs it.
  Report run(CheckpointStore& store, const Journal& journal, ResumeOptions options = {}) const {
    const Pipeline memo = pipeline(journal);
    if (options.run.empty()) options.run = "r1";
    return resume(memo, store, options);
  }

  [[nodiscard]] Pipeline pipeline(const Journal& journal) const {
    Pipeline memo{"memo"};
    const auto name = memo.input("company", company);
    const auto given = memo.input("given", sections);
    const auto outline =
        memo.stage("outline", inputs(name, given),
                   [=](const std::string& title, const std::vector<std::string>& all) {
                     journal.note("outline");
                     return Outline{title, all};
                   });
    const auto listed = memo.stage("listed", inputs(outline), [=](const Outline& of) {
      journal.note("listed");
      return of.sections;
    });
    const auto& list = outlined ? listed : given;
    const auto drafts = memo.stage("draft", inputs(each(list), name),
                                   [=, this](const std::string& item, const std::string& title) {
                                     journal.note("draft/" + item);
                                     return Text{title + ": " + draft + " of " + item + "\n"};
                                   });
    const auto linked =
        memo.stage("links", inputs(each(drafts)), [=, this](Context& c, const Text& t) {
          journal.note("links/" + c.item());
          return Text{(links_repeat_draft ? t.text : c.item() + "\n") + "+ " + links + "\n"};
        });
    const auto charted = memo.stage({.name = "charts", .revision = charts_revision},
                                    inputs(each(linked)), [=, this](Context& c, const Text& t) {
                                      journal.note("charts/" + c.item());
                                      return Text{t.text + "+ " + charts + "\n"};
                                    });
    const auto whole = memo.stage("memo", inputs(charted), [=](const std::vector<Text>& all) {
      journal.note("memo");
      std::string text;
      for (const Text& one : all) text += one.text;
      return Text{text};
    });
    memo.artifact(outline, "outline.json");
    memo.artifact(drafts, pattern);
    memo.artifact(linked, pattern);
    if (charts_are_a_view) {
      memo.artifact(charted, pattern, &Text::text);
    } else {
      memo.artifact(charted, pattern);
    }
    memo.artifact(whole, "memo.md");
    const auto has = [](const std::string& words) {
      return [words](const FoundFile& file) { return file.text.find(words) != file.text.npos; };
    };
    memo.adopt_if(linked, has("+ " + links));
    memo.adopt_if(charted, has("+ " + charts));
    return memo;
  }
};

/// Of each section, how the file reads when all is done.
[[nodiscard]] inline std::string section_text(const Memo& memo, const std::string& item) {
  const std::string begin = memo.links_repeat_draft
                                ? memo.company + ": " + memo.draft + " of " + item + "\n"
                                : item + "\n";
  return begin + "+ " + memo.links + "\n+ " + memo.charts + "\n";
}

/// The texts that were kept in a run's .resumable/removed.
[[nodiscard]] inline std::vector<std::string> removed_texts(const std::filesystem::path& run) {
  std::vector<std::string> texts;
  const std::filesystem::path folder = run / ".resumable/removed";
  if (!std::filesystem::exists(folder)) return texts;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    texts.push_back(read_file(entry.path()));
  }
  return texts;
}

}  // namespace resumable::test
