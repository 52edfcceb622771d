#include "corpus/former.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <resumable/cli.hpp>
#include <resumable/manage.hpp>

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

}  // namespace corpus
