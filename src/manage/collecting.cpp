// Removes what is no longer needed: old generations, and whole runs.
//
// A run is removed by CheckpointStore::remove(), whose condition is checked again once no one else
// can own it. A generation is removed by a commit that only erases, a file that was set aside by
// itself. So a kill only leaves more or less to remove, and repeating the call completes it.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "manage/interrupted.hpp"
#include "manage/run_records.hpp"
#include "manage/set_aside.hpp"
#include "record/environment.hpp"
#include "record/left.hpp"
#include "record/recorder.hpp"
#include "record/small_records.hpp"
#include "record/tags.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"
#include "sys/disk_use.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using manage::OldSetAside;
using manage::Payloads;
using manage::RunRecords;
using manage::Whole;
using Time = std::chrono::system_clock::time_point;

/// What the tags of a run name; all of it where one of them cannot be read.
record::Tagged tagged(const CheckpointStore& store, std::string_view run,
                      const RunRecords& records) {
  record::Tagged all;
  for (const RecordProblem& one : records.problems) {
    if (one.path.starts_with("@tag/")) all.add_all();
  }
  for (const Whole& one : records.whole) {
    const bool current = records.current(one.path) == &one;
    if (!current || !one.path.starts_with("@tag/") || one.head.kind != core::Kind::label) continue;
    const auto stored = store.get(run, {one.path, one.generation});
    const auto tag = stored ? record::decode_tag_record(read_all(*stored->payload)) : std::nullopt;
    if (tag) {
      all.add(*tag);
    } else {
      all.add_all();
    }
  }
  return all;
}

bool has_tags(const RunRecords& records) {
  const auto is_tag = [](const auto& one) { return one.path.starts_with("@tag/"); };
  return std::ranges::any_of(records.problems, is_tag) ||
         std::ranges::any_of(records.whole, [&](const Whole& one) {
           return is_tag(one) && one.head.kind == core::Kind::label &&
                  records.current(one.path) == &one;
         });
}

Time time_of(const Whole& record) {
  // If a time cannot be read, nothing is removed.
  return core::parse_utc(record.header.at).value_or(Time::max());
}

/// When the last record was made; nothing where a record cannot be read: it may be newer.
std::optional<Time> last_use(const RunRecords& records) {
  if (!records.problems.empty() || records.whole.empty()) return std::nullopt;
  Time last = Time::min();
  for (const Whole& one : records.whole) last = std::max(last, time_of(one));
  return last;
}

class Collector {
 public:
  Collector(CheckpointStore& store, const GarbageOptions& options)
      : store_(store), options_(options), now_(world_.clock().wall()) {}

  GarbageResult collect() {
    std::vector<std::string> runs;
    store_.runs(options_.prefix, [&](std::string_view run) {
      runs.emplace_back(run);
      return true;
    });
    for (const std::string& run : runs) {
      try {
        look_at(run);
      } catch (const Error& error) {
        if (error.errc() == Errc::unknown_run) continue;  // another process removed it
        result_.skipped.push_back({run, error.what()});
      }
    }
    look_for_interrupted_removals(runs);
    if (options_.max_bytes) choose_for_size();
    for (const Old& one : old_) {
      if (one.chosen && has_good_copy(one)) result_.removed.push_back(one.garbage);
    }
    if (options_.prefix.empty()) look_for_leftovers();
    if (!options_.dry_run) {
      remove_all();
      if (options_.prefix.empty()) remove_leftovers();
    }
    for (const Garbage& one : result_.removed) {
      result_.bytes += one.bytes;
      result_.set_aside -= is_file(one) ? 1U : 0U;
      result_.set_aside_bytes -= is_file(one) ? one.bytes : 0;
    }
    return std::move(result_);
  }

 private:
  /// A generation that may go.
  struct Old {
    std::string run;
    Garbage garbage;
    std::uint64_t newest = 0;  ///< generation of this path
    Time at;
    bool chosen = false;
  };

  /// Of runs that are gone. remove_run() finishes them; a run that has begun again meanwhile stays,
  /// as it is not expired.
  void look_for_interrupted_removals(const std::vector<std::string>& runs) {
    for (const std::string& run : manage::interrupted_removals(store_, world_.files())) {
      const bool meant = run.starts_with(options_.prefix);
      if (!meant || std::ranges::count(runs, run) > 0) continue;
      result_.removed.push_back(
          {.run = run, .path = {}, .generation = 0, .bytes = 0, .where = run});
    }
  }

  void look_at(const std::string& run) {
    if (store_.owner(run)) {
      result_.skipped.push_back({run, "a process owns it"});
      return;
    }
    const RunRecords records = manage::read_run(store_, run, Payloads::leave);
    if (is_expired(run, records)) {
      result_.removed.push_back(
          {.run = run, .path = {}, .generation = 0, .bytes = records.bytes, .where = run});
      return;
    }
    kept_bytes_ += records.bytes;
    look_at_set_aside(run);
    const record::Tagged kept = tagged(store_, run, records);
    const record::LeftRecords left = what_left(run, records, true);
    // Values last: if this is killed, they show that something is left to remove.
    for (const bool is_value : {false, true}) {
      for (const Whole& one : records.whole) {
        if (one.path.starts_with('@') != is_value && left.may_go(one.path)) add_left(run, one);
      }
    }
    for (std::size_t end = records.whole.size(); end > 0;) {
      std::size_t begin = end - 1;
      while (begin > 0 && records.whole[begin - 1].path == records.whole[begin].path) --begin;
      if (!left.may_go(records.whole[begin].path)) {
        look_at_path(run, kept, {&records.whole[begin], end - begin});
      }
      end = begin;
    }
  }

  /// Which stages and items have left long enough ago. Nothing where work has gone on since that
  /// was recorded: they may have returned.
  record::LeftRecords what_left(const std::string& run, const RunRecords& records, bool says_why) {
    const Whole* const row =
        options_.left_older_than ? records.current(core::left_key().path) : nullptr;
    const auto stored =
        row != nullptr ? store_.get(run, {row->path, row->generation}) : std::nullopt;
    if (!stored || !core::payload_matches(row->header, *stored->payload)) return {};
    record::LeftRecords left{record::decode_left(read_all(*stored->payload)),
                             now_ - *options_.left_older_than};
    const char* why = !records.problems.empty() ? "a record cannot be read"
                      : has_tags(records)       ? "it has a tag"
                      : records.highest_fence() > row->head.fence
                          ? "its last work has not ended as done"
                          : nullptr;
    if (left.empty() || why == nullptr) return without_edits(std::move(left), records);
    if (says_why) {
      result_.skipped.push_back(
          {run, fmt::format("what left its pipeline is kept, because {}", why)});
    }
    return {};
  }

  static record::LeftRecords without_edits(record::LeftRecords left, const RunRecords& records) {
    for (const Whole& one : records.whole) {
      if (left.empty()) break;
      if ((one.head.flags & ~core::dropped) != 0 || !one.header.adopted_by.empty())
        left.keep(one.path);
    }
    return left;
  }

  void add_left(const std::string& run, const Whole& one) {
    result_.removed.push_back({.run = run,
                               .path = one.path,
                               .generation = one.generation,
                               .bytes = one.header.payload_bytes,
                               .where = store_.locate(run, {one.path, one.generation}),
                               .left = true});
  }

  /// A file of a run, rather than a record or the run.
  static bool is_file(const Garbage& one) { return !one.path.empty() && one.generation == 0; }

  [[nodiscard]] OldSetAside set_aside(const std::string& run) {
    return manage::old_set_aside(store_, run, world_.files(),
                                 detail::earlier(now_, *options_.set_aside_older_than));
  }

  void look_at_set_aside(const std::string& run) {
    for (const exports::SetAside& one : manage::all_set_aside(store_, run, world_.files())) {
      ++result_.set_aside;
      result_.set_aside_bytes += one.bytes;
    }
    if (!options_.set_aside_older_than) return;
    const OldSetAside old = set_aside(run);
    if (!old.kept_because.empty()) result_.skipped.push_back({run, old.kept_because});
    for (const exports::SetAside& one : old.files) {
      result_.removed.push_back({.run = run,
                                 .path = one.path,
                                 .generation = 0,
                                 .bytes = one.bytes,
                                 .where = old.folder + "/" + one.path});
    }
  }

  /// Under the lease: what was set aside by then, and may still go.
  void remove_files(const std::string& run, const std::vector<Garbage>& garbage) {
    if (std::ranges::none_of(garbage, is_file)) return;
    const OldSetAside old = set_aside(run);
    for (const Garbage& one : garbage) {
      const auto file = std::ranges::find(old.files, one.path, &exports::SetAside::path);
      const bool gone = is_file(one) && file != old.files.end() &&
                        exports::remove_set_aside(world_.files(), old.folder, *file);
      if (gone) result_.removed.push_back(one);
    }
  }

  /// Older than what the caller allows, or than its program has said.
  [[nodiscard]] bool is_expired(const std::string& run, const RunRecords& records) const {
    if (has_tags(records)) return false;
    const auto last = last_use(records);
    if (!last) return false;
    if (options_.runs_older_than && *last < detail::earlier(now_, *options_.runs_older_than))
      return true;
    const auto record = manage::run_record(store_, run, records);
    return record && record->time_to_live.count() > 0 &&
           *last < detail::earlier(now_, record->time_to_live);
  }

  /// Inputs are recorded twice.
  static bool is_repeated(const Whole& one) {
    return one.head.kind == core::Kind::input && one.head.revision == core::repeated_input;
  }

  /// The generations of one path, the newest last.
  void look_at_path(const std::string& run, const record::Tagged& kept,
                    std::span<const Whole> all) {
    if (all.size() < 2 || all.front().path.starts_with("@tag/")) return;
    const std::size_t keep = std::max<std::size_t>(options_.keep_generations, 1);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const Whole& one = all[i];
      const auto newer = static_cast<std::size_t>(
          std::ranges::count_if(all.subspan(i + 1), std::not_fn(is_repeated)));
      if (newer == 0) continue;  // the current value, recorded twice
      const bool has_newer_schema = one.head.schema > all.back().head.schema;
      if (has_newer_schema || kept.contains(one.path, one.generation)) continue;
      const bool surplus = keep <= newer;
      const bool old =
          !options_.older_than || time_of(one) < detail::earlier(now_, *options_.older_than);
      if (!(surplus && old) && !options_.max_bytes) continue;
      old_.push_back({run,
                      {.run = run,
                       .path = one.path,
                       .generation = one.generation,
                       .bytes = one.header.payload_bytes,
                       .where = store_.locate(run, {one.path, one.generation})},
                      all.back().generation,
                      time_of(one),
                      surplus && old});
    }
  }

  void look_for_leftovers() {
    Leftovers found = store_.remove_leftovers(true);
    for (const Leftover& one : found.removed) result_.bytes += one.bytes;
    result_.leftovers = std::move(found.removed);
    for (Leftovers::Skipped& one : found.skipped) {
      const bool told = std::ranges::any_of(
          result_.skipped, [&](const auto& other) { return other.run == one.run; });
      if (!told) result_.skipped.push_back({std::move(one.run), std::move(one.why)});
    }
  }

  /// Those that were found, and what belonged to the records that are gone now: its bytes are
  /// counted with them.
  void remove_leftovers() {
    const Leftovers gone = store_.remove_leftovers();
    std::erase_if(result_.leftovers, [&](const Leftover& one) {
      if (std::ranges::count(gone.removed, one.where, &Leftover::where) > 0) return false;
      result_.bytes -= one.bytes;  // its run has an owner by now
      return true;
    });
  }

  /// Takes the oldest generations, as long as there is too much.
  void choose_for_size() {
    std::uint64_t bytes = kept_bytes_;
    for (const Old& one : old_) {
      if (one.chosen) bytes -= one.garbage.bytes;
    }
    std::ranges::stable_sort(old_, {}, &Old::at);
    for (Old& one : old_) {
      if (bytes <= *options_.max_bytes) break;
      if (std::exchange(one.chosen, true)) continue;
      bytes -= one.garbage.bytes;
    }
  }

  void remove_all() {
    std::map<std::string, std::vector<Garbage>> by_run;
    for (const Garbage& one : std::exchange(result_.removed, {})) {
      if (one.path.empty()) {
        measured(one.run, [&] { remove_run(one); });
      } else {
        by_run[one.run].push_back(one);
      }
    }
    for (const auto& [run, garbage] : by_run) {
      measured(run, [&, &run = run, &garbage = garbage] { erase(run, garbage); });
    }
  }

  /// Adds what `act` gives back to the disk.
  void measured(const std::string& run, FunctionRef<void()> act) {
    const auto* folders = store_.capability<ArtifactFolder>();
    const std::string folder = folders != nullptr ? folders->artifact_folder(run) : "";
    const std::uint64_t before = folders != nullptr ? sys::disk_use(folder) : 0;
    act();
    if (folders == nullptr) return;
    const std::uint64_t after = sys::disk_use(folder);
    result_.disk_bytes = result_.disk_bytes.value_or(0) + before - std::min(after, before);
  }

  void remove_run(const Garbage& one) {
    try {
      const auto still = [&] {
        return is_expired(one.run, manage::read_run(store_, one.run, Payloads::leave));
      };
      const auto removed =
          store_.remove(one.run, {.artifacts = options_.artifacts, .condition = still});
      if (removed.removed) result_.removed.push_back(one);
    } catch (const Error& error) {
      result_.skipped.push_back({one.run, error.what()});
    }
  }

  /// Another process may have tagged the run, or written to it, since it was checked.
  void erase(const std::string& run, const std::vector<Garbage>& garbage) {
    try {
      const auto lease = store_.lease(run, {.create = Create::never});
      const RunRecords records = manage::read_run(store_, run, Payloads::leave);
      const record::Tagged kept = tagged(store_, run, records);
      const record::LeftRecords left = what_left(run, records, false);
      std::vector<RecordId> ids;
      std::vector<Garbage> erased;
      for (const Garbage& one : garbage) {
        const Whole* newest = records.current(one.path);
        if (is_file(one)) continue;
        const bool superseded = newest != nullptr && newest->generation > one.generation;
        const bool may_go = one.left ? left.may_go(one.path) : superseded;
        if (!may_go || kept.contains(one.path, one.generation)) continue;
        ids.push_back({one.path, one.generation});
        erased.push_back(one);
      }
      if (std::ranges::any_of(erased, &Garbage::left)) forget(run, records, *lease);
      if (!ids.empty()) lease->commit({.puts = {}, .erases = ids});
      result_.removed.insert(result_.removed.end(), erased.begin(), erased.end());
      remove_files(run, garbage);
    } catch (const Error& error) {
      result_.skipped.push_back({run, error.what()});
    }
  }

  /// Values that stay may name some that left: that is no sign of loss. To lists and ages, the
  /// run's record is as old as it was.
  void forget(const std::string& run, const RunRecords& records, Lease& lease) {
    const core::Key key = core::run_key();
    auto said = manage::run_record(store_, run, records);
    if (!said || !said->forgotten) return;
    said->forgotten = lease.fence();
    const Whole& now = *records.current(key.path);
    auto draft = record::Draft::small(core::Kind::run, key, CodecId::json, encode_run(*said));
    draft.generation = now.generation + 1;
    draft.head.fence = now.head.fence;
    draft.keeps_fence = true;
    draft.header.at = now.header.at;
    for (const Whole& one : records.all(key.path)) {
      if (one.generation < now.generation) draft.erase.emplace_back(one.path, one.generation);
    }
    record::Recorder{lease, world_.clock(), records.uid, records.pipeline}.commit(std::move(draft));
  }

  /// Whether the newest generation is verified to be whole: otherwise an older one may be the only
  /// copy.
  [[nodiscard]] bool has_good_copy(const Old& old) {
    const auto [known, fresh] = proved_.try_emplace({old.run, old.garbage.path}, false);
    if (!fresh) return known->second;
    try {
      const RecordId newest{old.garbage.path, old.newest};
      const auto stored = store_.get(old.run, newest);
      const auto header = stored ? core::decode_header(stored->header, stored->tag) : std::nullopt;
      known->second = header && core::payload_matches(*header, *stored->payload);
    } catch (const Error&) {
      known->second = false;
    }
    if (!known->second) {
      result_.skipped.push_back({old.run, fmt::format("the newest generation of '{}' is damaged",
                                                      core::printable(old.garbage.path))});
    }
    return known->second;
  }

  CheckpointStore& store_;
  const GarbageOptions& options_;
  record::World world_{};
  Time now_;
  std::vector<Old> old_;
  std::uint64_t kept_bytes_ = 0;
  std::map<std::pair<std::string, std::string>, bool> proved_;
  GarbageResult result_;
};

}  // namespace

GarbageResult collect_garbage(CheckpointStore& store, const GarbageOptions& options) {
  return Collector{store, options}.collect();
}

}  // namespace v0
}  // namespace resumable
