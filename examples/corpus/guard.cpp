#include "corpus/guard.hpp"

#include <charconv>
#include <map>
#include <ostream>
#include <string_view>

#include <fmt/format.h>
#include <resumable/error.hpp>
#include <resumable/manage.hpp>
#include <resumable/records.hpp>

#include "corpus/offline.hpp"
#include "corpus/pipeline.hpp"
#include "corpus/standing.hpp"

namespace corpus {
namespace {

namespace rs = resumable;
constexpr std::string_view prefix = "former-";

std::map<unsigned, std::string> numbered(const rs::CheckpointStore& store, const std::string& run) {
  std::map<unsigned, std::string> tags;
  for (const rs::RunTag& tag : rs::run_tags(store, run)) {
    if (!tag.name.starts_with(prefix)) continue;
    unsigned number = 0;
    std::from_chars(tag.name.data() + prefix.size(), tag.name.data() + tag.name.size(), number);
    if (number > 0) tags[number] = tag.name;
  }
  return tags;
}

/// What is written, whatever the command line asks for now.
Standing recorded_standing(rs::CheckpointStore& store, const std::string& run) {
  Settings settings;
  settings.as_recorded = true;
  const CorpusPipeline corpus{settings};
  return standing_of(store, run, rs::ResumePlanner{store}.plan(corpus.pipeline(), {.run = run}));
}

/// How many of the files that `standing` has would be written again. What a changed outline touches
/// is known only once it is read, and does not count.
std::size_t count_rewritten(const Standing& standing, const Settings& settings,
                            rs::CheckpointStore& store, const rs::ResumeOptions& options) {
  const rs::Records records{store, options.run};
  const bool all = options.fresh ||
                   records.input<std::string>("provider")->value != settings.provider ||
                   records.input<std::size_t>("section_words")->value != settings.section_words;
  if (all) return standing.words.size();
  const CorpusPipeline corpus{settings};
  std::size_t count = 0;
  rs::ResumePlanner{store}
      .plan(corpus.pipeline(), options)
      .items("pieces", [&](std::string_view key, rs::Action action, rs::Reason) {
        const bool paid = standing.words.contains(std::string{key});
        count += paid && action == rs::Action::run ? 1U : 0U;
        return true;
      });
  return count;
}

}  // namespace

std::vector<std::string> former_tags(const rs::CheckpointStore& store, const std::string& run) {
  std::vector<std::string> names;
  for (const auto& [number, name] : numbered(store, run)) names.push_back(name);
  return names;
}

std::string next_former(const rs::CheckpointStore& store, const std::string& run) {
  const auto tags = numbered(store, run);
  return fmt::format("{}{}", prefix, tags.empty() ? 1 : tags.rbegin()->first + 1);
}

std::string tag_former(rs::CheckpointStore& store, const std::string& run) {
  std::string name = next_former(store, run);
  rs::tag_run(store, run, name, {.who = rs::cli::user()});
  return name;
}

std::string restore_former(rs::CheckpointStore& store, const std::string& run,
                           const std::string& tag) {
  const std::string beside = run + "." + tag;
  rs::fork_run(store, run, beside, {.tag = tag});
  std::string present = tag_former(store, run);
  rs::merge_runs(store, beside, store, run, {.conflicts = rs::MergeConflicts::take});
  store.remove(beside);
  return present;
}

void confirm_rewriting(const Arguments& arguments, rs::CheckpointStore& store,
                       const rs::ResumeOptions& options, rs::cli::Console& console) {
  const std::string& run = options.run;
  const rs::Records records{store, run};
  const auto wrote = records.input<std::string>("provider");
  if (!wrote || wrote->value == OfflineWriter{}.name()) return;
  if (records.items("pieces").empty()) return;  // perhaps killed while it recorded its inputs
  const Standing standing = recorded_standing(store, run);
  const Settings settings = settings_of(arguments, store);
  const std::size_t count = count_rewritten(standing, settings, store, options);
  if (count == 0) return;
  const std::string back = arguments.command("restore " + next_former(store, run));
  const std::string loss = fmt::format(
      "{} wrote {} words in {} files of '{}', and {} would write {} of them again", wrote->value,
      standing.word_count(), standing.words.size(), run, settings.provider,
      count == standing.words.size() ? "all" : std::to_string(count));
  const std::string question =
      fmt::format("{} (to bring them back afterwards: {}). Continue?", loss, back);
  if (!arguments.yes && !rs::cli::confirm(console, question)) {
    throw rs::Error(
        rs::Errc::bad_option,
        {.what = loss,
         .run = run,
         .kept = "nothing was changed",
         .next = fmt::format("add --yes to write them again, or leave out what asks for it: "
                             "--no-resume, --fresh, --redo, --from, or another --provider or "
                             "--section-words; with --yes they are kept, and this brings them "
                             "back: {}",
                             back)});
  }
  console.err << fmt::format("note: the present corpus is kept as '{}'; to bring it back: {}\n",
                             tag_former(store, run), back);
}

}  // namespace corpus
