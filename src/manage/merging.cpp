// Adding the records of one run to another.
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "manage/owned_run.hpp"
#include "manage/run_records.hpp"
#include "manage/writing.hpp"
#include "record/environment.hpp"
#include "record/record_index.hpp"
#include "record/run_facts.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using manage::OwnedRun;
using manage::Payloads;
using manage::RunRecords;
using manage::Whole;
using record::RunFacts;

void refuse_other_pipeline(std::string_view run, const std::string& from, const std::string& to) {
  if (from.empty() || to.empty() || from == to) return;
  throw Error(Errc::foreign, {.what = fmt::format("run '{}' belongs to pipeline '{}', not to '{}'",
                                                  core::printable(run), core::printable(to),
                                                  core::printable(from)),
                              .run = std::string{run},
                              .kept = "nothing was changed",
                              .next = "merge runs of one pipeline"});
}

class Merge {
 public:
  /// `to`: of the run that gets what it lacks.
  Merge(const CheckpointStore& from, std::string_view run, const RunRecords& source,
        const RunFacts& to, MergeConflicts rule)
      : from_(from), run_(run), to_(to), rule_(rule) {
    for (const Whole& one : source.whole) {
      if (source.current(one.path) == &one && core::traits(one.head.kind).merged) add(one);
    }
    if (rule_ == MergeConflicts::refuse && !result_.conflicts.empty()) drafts_.clear();
    result_.merged = drafts_.size();
  }

  [[nodiscard]] const MergeResult& result() const noexcept { return result_; }

  void write(OwnedRun& to) {
    if (drafts_.empty()) return;
    if (auto run = to.facts().forgetting(to.lease().fence())) {
      to.facts().place(*run);
      drafts_.push_back(*std::move(run));
    }
    to.recorder().commit(std::move(drafts_));
    to.note_unfinished();
  }

 private:
  void add(const Whole& one) {
    const plan::Row* there = to_.current(one.path);
    const bool lost = plan::is_lost(to_.rows(one.path));
    if (there != nullptr && !lost) {
      const bool same = there->head.identity == one.head.identity &&
                        there->head.fingerprint == one.head.fingerprint &&
                        there->head.kind == one.head.kind;
      if (same) {
        ++result_.same;
        return;
      }
      result_.conflicts.push_back({one.header.key, one.head.identity.hex(),
                                   there->head.identity.hex(),
                                   to_.locate(one.path, there->generation)});
      if (rule_ != MergeConflicts::take) return;
    }
    record::Draft draft{.key = {one.path, one.header.key},
                        .generation = to_.next_generation(one.path),
                        .head = one.head,
                        .header = one.header,
                        .payload = std::make_shared<manage::RemotePayload>(from_, run_, one),
                        .erase = {},
                        .packed = true};
    // The files are those of the other run's folder.
    draft.header.exports.clear();
    draft.header.confirmed.clear();
    draft.header.from_generation = 0;
    if (there != nullptr) {
      const auto present = to_.header(one.path, there->generation);
      if (present) draft.header.confirmed = present->confirmed;
    }
    drafts_.push_back(std::move(draft));
  }

  const CheckpointStore& from_;
  std::string run_;
  const RunFacts& to_;
  MergeConflicts rule_;
  std::vector<record::Draft> drafts_;
  MergeResult result_;
};

/// As OwnedRun has them, without a lease.
MergeResult dry_run(const CheckpointStore& from, std::string_view run, const RunRecords& source,
                    const CheckpointStore& to, std::string_view into, MergeConflicts rule) {
  manage::refuse_owned(to, into);
  static_cast<void>(manage::read_run(to, into, Payloads::leave));  // the run must exist
  record::World world;
  const detail::Graph no_stages;
  RunFacts facts{no_stages, to, std::string{into}, world.clock(), world.files()};
  facts.owned(false);
  facts.gather_records();
  refuse_other_pipeline(into, source.pipeline, facts.pipeline());
  return Merge{from, run, source, facts, rule}.result();
}

}  // namespace

MergeResult merge_runs(const CheckpointStore& from, std::string_view run, CheckpointStore& to,
                       std::string_view into, const MergeOptions& options) {
  if (&from == &to && run == into) {
    throw Error(Errc::bad_option, {.what = "a run cannot be merged into itself",
                                   .run = std::string{run},
                                   .kept = "nothing was changed",
                                   .next = "name two runs"});
  }
  return record::look_until_found([&](bool) {
    const auto source = manage::read_run(from, run, Payloads::prove, {.stop = options.stop});
    manage::refuse_problems(run, source);
    if (options.dry_run) return dry_run(from, run, source, to, into, options.conflicts);
    OwnedRun owned{to, into, {.wait = options.wait, .stop = options.stop}};
    refuse_other_pipeline(into, source.pipeline, owned.facts().pipeline());
    Merge merge{from, run, source, owned.facts(), options.conflicts};
    merge.write(owned);
    return merge.result();
  });
}

}  // namespace v0
}  // namespace resumable
