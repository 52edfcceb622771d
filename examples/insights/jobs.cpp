#include "insights/jobs.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <resumable/digest.hpp>
#include <resumable/error.hpp>
#include <resumable/status.hpp>

#include "insights/readings.hpp"

namespace insights {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;
using Json = nlohmann::json;

constexpr std::string_view removing = ".removing-";

struct Record {
  Json value;
  std::string at;
};

/// A record whose bytes are what its header says.
std::optional<Record> read(const rs::CheckpointStore& store, const std::string& run,
                           rs::RecordId id) {
  try {
    const auto stored = store.get(run, id);
    if (!stored) return std::nullopt;
    const Json header = Json::parse(stored->header);
    const std::string payload = rs::read_all(*stored->payload);
    if (rs::digest(payload).hex() != header.at("payload").at("digest")) return std::nullopt;
    return Record{Json::parse(payload), header.at("at").get<std::string>()};
  } catch (const rs::Error&) {
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

/// The last record below a path, other than `but`, that can be read. Of each path the newest
/// counts.
std::optional<Record> last(const rs::CheckpointStore& store, const std::string& run,
                           const std::string& prefix, std::string_view but = "") {
  std::map<std::string, std::uint64_t> newest;
  store.scan(run, {.prefix = prefix, .quarantined = false}, [&](const rs::Found& found) {
    const bool counts = found.damage == rs::Damage::none && found.id.path != but;
    if (counts) newest[std::string{found.id.path}] = found.id.generation;
    return true;
  });
  for (auto one = newest.rbegin(); one != newest.rend(); ++one) {
    if (auto record = read(store, run, {one->first, one->second})) return record;
  }
  return std::nullopt;
}

Job look(const rs::CheckpointStore& store, const std::string& id) {
  Job job;
  job.id = id;
  job.state = rs::run_state(store, id);
  job.owner = store.owner(id);
  if (const auto request = last(store, id, "@input/request")) {
    try {
      job.request = request->value.get<Request>();
    } catch (const Json::exception&) {  // of another program, or a later one
    }
    job.saved_at = request->at;
  }
  const std::string turns = "@history/insights/history/";
  if (const auto turn = last(store, id, turns, turns + "gap")) {
    job.turns = turn->value.value("turn", std::int64_t{0});
    job.tool_calls = turn->value.value("toolCalls", std::int64_t{0});
    job.elapsed_ms = turn->value.value("elapsedMs", std::int64_t{0});
    job.saved_at = std::max(job.saved_at, turn->at);
  }
  if (const auto value = last(store, id, "insights")) {
    job.finished = true;
    job.turns = value->value.value("turns", std::int64_t{0});
    job.tool_calls = value->value.value("toolCalls", std::int64_t{0});
    job.saved_at = std::max(job.saved_at, value->at);
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
