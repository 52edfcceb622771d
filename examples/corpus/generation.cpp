#include "corpus/generation.hpp"

#include <fstream>
#include <utility>

#include <nlohmann/json.hpp>
#include <resumable/plan.hpp>
#include <resumable/records.hpp>

#include "corpus/outline.hpp"

namespace corpus {

namespace rs = resumable;

Metadata::Metadata(std::filesystem::path file, const rs::CheckpointStore& store, std::string run,
                   const Settings& settings, const Standing& before)
    : file_(std::move(file)),
      store_(store),
      run_(std::move(run)),
      target_words_(settings.target_words),
      start_time_(settings.start_time),
      phase_(before.phase == "init" ? "concept" : before.phase),
      city_name_(before.city_name),
      words_(before.words),
      word_count_(before.word_count()),
      completed_(before.words.size()) {}

void Metadata::written(const std::string& key, const Page& page) {
  const std::scoped_lock lock{guard_};
  uncommitted_[key] = page.words;
  if (page.kind == Kind::concept_of_city) invented_ = page.title;
}

void Metadata::on_event(const rs::Event& event) {
  switch (event.kind) {
    case rs::EventKind::run_started: return write();
    case rs::EventKind::committed:
      if (event.stage == "pieces" && event.step.empty()) count(event.item);
      return;
    case rs::EventKind::stage_started:
      if (event.stage != "finalize") return;
      phase_ = "finalize";
      return write();
    case rs::EventKind::run_finished:
      if (event.code == "done") finish();
      return write();
    default: return;
  }
}

void Metadata::count(const std::string& key) {
  {
    const std::scoped_lock lock{guard_};
    const auto one = uncommitted_.find(key);
    if (one == uncommitted_.end()) return;  // an expansion
    std::size_t& words = words_[key];
    word_count_ = word_count_ - words + one->second;
    words = one->second;
    completed_ = words_.size();
    uncommitted_.erase(one);
    if (key == concept_key) {
      city_name_ = invented_;
      phase_ = "generating";
    }
  }
  write();
}

/// The last stage has counted what the corpus now consists of. That was recorded, even if nothing
/// had to run.
void Metadata::finish() {
  phase_ = "done";
  if (const auto totals = rs::Records{store_, run_}.stage<Totals>("finalize")) {
    city_name_ = totals->value.city_name;
    word_count_ = totals->value.word_count;
    completed_ = totals->value.completed;
  }
}

void Metadata::write() const {
  const nlohmann::ordered_json json{{"city_name", city_name_},   {"target_words", target_words_},
                                    {"word_count", word_count_}, {"start_time", start_time_},
                                    {"phase", phase_},           {"completed", completed_}};
  // Readers see the old bytes or the new ones. Not synced: it can be made again.
  std::filesystem::create_directories(file_.parent_path());
  const std::filesystem::path aside = file_.string() + ".tmp";
  std::ofstream{aside} << json.dump(2) << "\n" << std::flush;
  std::filesystem::rename(aside, file_);
}

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
