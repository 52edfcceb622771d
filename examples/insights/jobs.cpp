#include "insights/jobs.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <random>
#include <resumable/error.hpp>
#include <resumable/records.hpp>
#include <resumable/status.hpp>
#include <type_traits>

#include "insights/readings.hpp"

namespace insights {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;

constexpr std::string_view removing = ".removing-";

/// What cannot be read counts as not on record.
template <class Read>
std::invoke_result_t<Read&> if_whole(Read read) {
  try {
    return read();
  } catch (const rs::Error&) {
    return std::nullopt;
  }
}

Job look(const rs::CheckpointStore& store, const std::string& id) {
  Job job;
  job.id = id;
  job.state = rs::run_state(store, id);
  job.owner = store.owner(id);
  const rs::Records records{store, id};
  if (auto request = if_whole([&] { return records.input<Request>("request"); })) {
    job.request = std::move(request->value);
    job.saved_at = request->at;
  }
  if (const auto turn = if_whole([&] { return records.last_entry<Exchange>("insights"); })) {
    job.turns = turn->value.turn;
    job.tool_calls = turn->value.tool_calls;
    job.elapsed_ms = turn->value.elapsed_ms;
    job.saved_at = std::max(job.saved_at, turn->at);
  }
  if (const auto found = if_whole([&] { return records.stage<Insights>("insights"); })) {
    job.finished = true;
    job.turns = found->value.turns;
    job.tool_calls = found->value.tool_calls;
    job.saved_at = std::max(job.saved_at, found->at);
  }
  return job;
}

}  // namespace

std::optional<Time> parse_utc(std::string_view text) {
  const auto day = day_number(text.substr(0, 10));
  if (!day || text.size() < 20 || text[10] != 'T' || !text.ends_with('Z')) return std::nullopt;
  const auto part = [&](std::size_t at) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, value);
    return value;
  };
  return Time{std::chrono::days{*day}} + std::chrono::hours{part(11)} +
         std::chrono::minutes{part(14)} + std::chrono::seconds{part(17)};
}

std::string format_utc(Time time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::optional<Time> Job::expires() const {
  const auto saved = parse_utc(saved_at);
  if (!saved || !request) return std::nullopt;
  return *saved + std::chrono::seconds{request->ttl_seconds};
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

std::optional<Job> Jobs::find(const std::string& id) const {
  Job job = look(store_, id);
  return job.state.empty() ? std::nullopt : std::optional{std::move(job)};
}

std::vector<Job> Jobs::list() const {
  std::vector<Job> jobs;
  store_.runs("", [&](std::string_view id) {
    jobs.push_back(look(store_, std::string{id}));
    return true;
  });
  std::ranges::stable_sort(jobs, std::ranges::greater{}, &Job::saved_at);
  return jobs;
}

bool Jobs::is_expired(const Job& job) const {
  const auto until = job.expires();
  return until && *until <= now_();
}

bool Jobs::is_old(const std::string& id, std::int64_t ttl_seconds) const {
  constexpr std::string_view begin = "insights_";
  if (!id.starts_with(begin)) return false;
  std::int64_t ms = 0;
  const auto read = std::from_chars(id.data() + begin.size(), id.data() + id.size(), ms);
  if (read.ec != std::errc{} || *read.ptr != '_') return false;
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(now_().time_since_epoch());
  return ms <= now.count() - 1000 * ttl_seconds;
}

std::vector<Cleaned> Jobs::clean(bool dry_run) {
  std::vector<Cleaned> done;
  for (const Job& job : list()) {
    if (!is_expired(job)) continue;
    const std::string why = "expired " + format_utc(*job.expires());
    done.push_back(dry_run ? Cleaned{job.id, !job.owner, why} : remove(job.id));
    if (done.back().why.empty()) done.back().why = why;
  }
  return done;
}

/// The lease keeps others from beginning to work on it; whoever was faster is left alone.
Cleaned Jobs::remove(const std::string& id) {
  try {
    const auto lease = store_.lease(id, {.create = rs::Create::never});
    const auto job = find(id);
    if (!job || !is_expired(*job)) return {id, false, "somebody went on with it"};
    const fs::path folder = store_.artifact_folder(id);
    const fs::path aside = folder.parent_path() / (std::string{removing} + id);
    fs::remove_all(aside);  // of a clean-up that was killed
    fs::rename(folder, aside);
    fs::remove_all(aside);
    return {id, true, ""};
  } catch (const rs::Error& error) {
    return {id, false, error.what()};
  } catch (const fs::filesystem_error& error) {
    return {id, false, error.what()};
  }
}

}  // namespace insights
