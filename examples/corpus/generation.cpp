#include "corpus/generation.hpp"

#include <utility>

#include <resumable/plan.hpp>

#include "corpus/standing.hpp"

namespace corpus {

namespace rs = resumable;

Generation::Generation(rs::CheckpointStore& store, const std::filesystem::path& folder,
                       Settings settings, const rs::ResumeOptions& options, std::ostream& err)
    : notes_(err),
      corpus_(watched(settings)),
      metadata_(folder / "corpus_metadata.json", store, options.run, settings,
                options.fresh
                    ? Standing{}
                    : standing_of(store, options.run,
                                  rs::ResumePlanner{store}.plan(corpus_.pipeline(), options))) {}

/// The stages tell the observer, which is there before the first stage runs.
Settings Generation::watched(Settings settings) {
  settings.written = [this](const std::string& key, const Page& page) {
    metadata_.written(key, page);
  };
  return settings;
}

}  // namespace corpus
