#include "corpus/rewriting.hpp"

#include <fmt/format.h>
#include <resumable/error.hpp>
#include <resumable/records.hpp>
#include <resumable/resume.hpp>

#include "corpus/offline.hpp"
#include "corpus/pipeline.hpp"
#include "corpus/standing.hpp"

namespace corpus {
namespace {

namespace rs = resumable;

Standing recorded_standing(Arguments arguments, rs::CheckpointStore& store) {
  arguments.no_resume = false;
  const CorpusPipeline corpus{settings_of(arguments, store)};
  const std::string run = arguments.run_id();
  return standing_of(store, run, rs::ResumePlanner{store}.plan(corpus.pipeline(), {.run = run}));
}

}  // namespace

void confirm_rewriting(const Arguments& arguments, rs::CheckpointStore& store,
                       rs::cli::Console& console) {
  const std::string run = arguments.run_id();
  const auto wrote = rs::Records{store, run}.input<std::string>("provider");
  if (!wrote || wrote->value == OfflineWriter{}.name()) return;
  const Standing standing = recorded_standing(arguments, store);
  if (standing.words.empty()) return;
  const std::string loss = fmt::format(
      "{} wrote {} words in {} files of '{}', and {} would write all of them again", wrote->value,
      standing.word_count(), standing.words.size(), run, settings_of(arguments, store).provider);
  if (rs::cli::confirm(console, loss + ". Continue?")) return;
  throw rs::Error(rs::Errc::bad_option,
                  {.what = loss,
                   .run = run,
                   .kept = "nothing was changed",
                   .next = "add --yes to write them again, or leave out --no-resume and --fresh to "
                           "continue"});
}

}  // namespace corpus
