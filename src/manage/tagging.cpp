#include "manage/tagging.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/text.hpp"
#include "core/time.hpp"
#include "manage/owned_run.hpp"
#include "manage/writing.hpp"
#include "record/record_index.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"

namespace resumable::manage {
namespace {

/// Records that say nothing about the state of the work: when, where to, how often, by whom.
bool is_bookkeeping(std::string_view path) {
  for (const std::string_view prefix : {"@alive", "@appended/", "@attempt/", "@exported",
                                        "@request/", "@run", "@tag/", "@tries/"}) {
    const bool is_prefix = prefix.ends_with('/');
    if (is_prefix ? path.starts_with(prefix) : path == prefix) return true;
  }
  return false;
}

void check_name(std::string_view name) {
  const bool good = !name.empty() && name.size() <= 128 && core::is_utf8(name) &&
                    std::ranges::none_of(name, [](char c) {
                      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
                    });
  if (good) return;
  throw Error(Errc::bad_name,
              {.what = fmt::format("'{}' cannot be the name of a tag", core::printable(name)),
               .kept = "nothing was changed",
               .next = "use 1 to 128 bytes of UTF-8 without control characters"});
}

}  // namespace

record::TagRecord tag_of(const record::RecordIndex& records, std::string_view run,
                         std::string_view name) {
  std::string there;
  for (record::TagRecord& tag : record::all_tags(records)) {
    if (tag.name == name) return std::move(tag);
    there += fmt::format("{}'{}'", there.empty() ? "" : ", ", core::printable(tag.name));
  }
  throw Error(Errc::no_value,
              {.what = fmt::format("run '{}' has no tag '{}'; it has {}", core::printable(run),
                                   core::printable(name), there.empty() ? "none" : there),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = there.empty() ? "tag the run first" : "choose one of these"});
}

}  // namespace resumable::manage

namespace resumable {
inline namespace v0 {

using manage::OwnedRun;

TagResult tag_run(CheckpointStore& store, std::string_view run, std::string_view name,
                  const TagOptions& options) {
  manage::check_name(name);
  OwnedRun owned{store, run, {.wait = options.wait, .stop = options.stop}};
  record::TagRecord tag{
      .name = std::string{name}, .at = manage::now_text(), .who = options.who, .records = {}};
  for (const std::string& path : owned.facts().paths_below("")) {
    const plan::Row* row = owned.facts().current(path);
    if (row == nullptr || manage::is_bookkeeping(path)) continue;
    tag.records.emplace_back(path, row->generation);
  }
  TagResult result{.records = tag.records.size()};
  for (const record::TagRecord& one : record::all_tags(owned.facts())) {
    if (one.name != name) continue;
    result.existed = one.records == tag.records;
    if (result.existed) return result;
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("run '{}' has a tag '{}' of another state, of {}",
                                     core::printable(run), core::printable(name), one.at),
                 .run = std::string{run},
                 .kept = "nothing was changed",
                 .next = "choose another name, or remove that tag first"});
  }
  owned.facts().commit(owned.recorder(),
                       record::Draft::small(core::Kind::label, record::tag_key(name), CodecId::json,
                                            record::encode_tag_record(tag)));
  return result;
}

bool untag_run(CheckpointStore& store, std::string_view run, std::string_view name,
               const TagOptions& options) {
  manage::check_name(name);
  OwnedRun owned{store, run, {.wait = options.wait, .stop = options.stop}};
  const core::Key key = record::tag_key(name);
  const plan::Row* row = owned.facts().current(key.path);
  const auto rows = owned.facts().rows(key.path);
  const bool lost = plan::is_lost(rows);
  if (!lost && (row == nullptr || row->head.kind == core::Kind::tombstone)) return false;
  owned.facts().commit(owned.recorder(),
                       record::Draft::small(core::Kind::tombstone, key, CodecId::none, ""));
  return true;
}

std::vector<RunTag> run_tags(const CheckpointStore& store, std::string_view run) {
  return record::look_until_found([&](bool last) {
    record::World world;
    const detail::Graph no_stages;
    record::RunFacts facts{no_stages, store, std::string{run}, world.clock(), world.files()};
    facts.owned(last);
    facts.gather_records();
    std::vector<RunTag> tags;
    for (const record::TagRecord& one : record::all_tags(facts)) {
      const auto at = core::parse_utc(one.at).value_or(std::chrono::system_clock::time_point{});
      tags.push_back({.name = one.name,
                      .at = std::chrono::floor<std::chrono::milliseconds>(at),
                      .who = one.who,
                      .records = one.records.size()});
    }
    return tags;
  });
}

}  // namespace v0
}  // namespace resumable
