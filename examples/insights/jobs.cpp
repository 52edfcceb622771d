// Where the records of a job are read without running it: status, list, and the removal of old
// jobs.
#include "insights/jobs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/records.hpp>
#include <resumable/run_list.hpp>

#include "insights/pipeline.hpp"
#include "insights/readings.hpp"
#include "program/store.hpp"

namespace insights {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;

/// Beside the jobs: the ids of those that have expired, a line each with the time.
fs::path expired_file(rs::CheckpointStore& store, const std::string& id) {
  return fs::path{program::folder_of(store, id)}.parent_path() / ".expired";
}

/// Reads a part of a job, or notes why it gives no value.
template <class Read>
std::invoke_result_t<Read&> read_part(Job& job, const char* part, Read read) {
  try {
    return read();
  } catch (const rs::Error& error) {
    job.unreadable.push_back({part, std::string{to_string(error.errc())}, error.what()});
    return std::nullopt;
  }
}

/// Turns that are damaged give no value, and then nothing tells of them but this.
void note_torn_turns(const rs::CheckpointStore& store, Job& job) {
  store.scan(job.id, {.quarantined = false}, [&](const rs::RecordHead& found) {
    const std::string_view path = found.id.path;
    const bool is_whole = found.damage == rs::Damage::none;
    if (is_whole || !(path.starts_with("@batch/") || path.starts_with("@history/"))) return true;
    job.unreadable.push_back(
        {"turns", "damaged", "they cannot be read: " + store.locate(job.id, found.id)});
    return true;
  });
}

/// The job of this id; nullopt when the run is none: not of this program's pipeline, or nothing of
/// it has been recorded yet.
std::optional<Job> look(const rs::CheckpointStore& store, const std::string& id) {
  auto run = rs::run_info(store, id);
  if (run && run->error) throw rs::Error{*run->error};
  const rs::Records records{store, id};
  if (!run || records.pipeline() != pipeline_name.view()) return std::nullopt;
  Job job{.id = id, .run = *std::move(run)};
  job.saved = rs::saved_by_resuming(store, job.run);
  job.bytes_kept = rs::record_totals(store, id).payload_bytes;
  if (auto request = read_part(job, "request", [&] { return records.input<Request>("request"); })) {
    job.request = std::move(request->value);
    job.saved_at = request->at;
  }
  static_cast<void>(
      read_part(job, "readings", [&] { return records.input<Readings>("readings"); }));
  if (const auto turn =
          read_part(job, "turns", [&] { return records.last_entry<Exchange>("insights"); })) {
    job.turns = turn->value.turn;
    job.tool_calls = turn->value.tool_calls;
    job.elapsed_ms = turn->value.elapsed_ms;
    job.saved_at = std::max(job.saved_at, std::optional{turn->at});
  }
  if (const auto spent = read_part(
          job, "turns", [&] { return records.last_entry<std::int64_t>("insights", spent_name); })) {
    job.elapsed_ms = std::max(job.elapsed_ms, spent->value);
  }
  if (const auto found =
          read_part(job, "answer", [&] { return records.stage<Insights>("insights"); })) {
    job.finished = true;
    job.outcome = found->value.outcome;
    job.turns = found->value.turns;
    job.tool_calls = found->value.tool_calls;
    job.saved_at = std::max(job.saved_at, std::optional{found->at});
  }
  if (!job.finished) note_torn_turns(store, job);
  return job;
}

}  // namespace

std::string to_text(std::optional<rs::Timestamp> at) { return at ? rs::to_string(*at) : ""; }

std::optional<rs::Timestamp> Job::expires() const {
  if (!saved_at || !request) return std::nullopt;
  return *saved_at + std::chrono::seconds{request->ttl_seconds};
}

bool Job::is_lost() const {
  return std::ranges::any_of(unreadable, [](const Unreadable& one) {
    return one.part == "request" || one.part == "readings";
  });
}

bool Job::is_newer() const {
  return std::ranges::count(unreadable, to_string(rs::Errc::newer), &Unreadable::reason) > 0;
}

std::string Jobs::new_id() const {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now_().time_since_epoch());
  static constexpr std::string_view signs = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> pick{0, signs.size() - 1};
  std::string id = fmt::format("insights_{}_", ms.count());
  for (int i = 0; i < 6; ++i) id += signs[pick(random)];
  return id;
}

std::optional<Job> Jobs::find(const std::string& id) const { return look(store_, id); }

std::vector<Job> Jobs::list() const {
  std::vector<Job> jobs;
  store_.runs("", [&](std::string_view id) {
    if (auto job = look(store_, std::string{id})) jobs.push_back(std::move(*job));
    return true;
  });
  std::ranges::stable_sort(jobs, std::ranges::greater{}, &Job::saved_at);
  return jobs;
}

bool Jobs::is_expired(const Job& job) const {
  const auto until = job.expires();
  return until && *until <= now_();
}

std::optional<std::string> Jobs::expired_at(const std::string& id) const {
  std::ifstream lines{expired_file(store_, id)};
  std::optional<std::string> last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(id + " ")) last = line.substr(id.size() + 1);
  }
  return last;
}

std::vector<Cleaned> Jobs::clean(bool dry_run) {
  std::vector<Cleaned> done;
  for (const Job& job : list()) {
    if (!is_expired(job)) continue;
    const std::string why = "expired " + to_text(job.expires());
    done.push_back(dry_run ? Cleaned{job.id, !job.run.owner, why} : remove(job.id));
    if (done.back().why.empty()) done.back().why = why;
  }
  return done;
}

/// Whoever began to work on it before is left alone.
Cleaned Jobs::remove(const std::string& id) {
  const auto is_over = [&] {
    const auto job = find(id);
    if (!job || !is_expired(*job)) return false;
    // A line that is lost makes the id unknown, no more.
    std::ofstream{expired_file(store_, id), std::ios::app} << id + " " + to_text(job->expires())
                                                           << "\n";
    return true;
  };
  try {
    const auto result =
        store_.remove(id, {.artifacts = rs::RemoveArtifacts::remove, .condition = is_over});
    if (!result.removed) return {id, false, "it was resumed meanwhile"};
    if (result.kept.empty()) return {id, true, ""};
    return {id, true, "edited files stay in " + program::folder_of(store_, id)};
  } catch (const std::runtime_error& error) {
    return {id, false, error.what()};
  }
}

}  // namespace insights
