#include "store/filter.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/known_artifacts.hpp"

namespace resumable::store {

StoreFactories with_prefix(std::string_view prefix, const StoreFactories& factories,
                           const Filter& filter) {
  StoreFactories all = factories;
  std::set<std::string> schemes{"file", "journal"};
  for (const auto& [scheme, factory] : factories) schemes.insert(scheme);
  schemes.erase("");  // a path
  for (const std::string& scheme : schemes) {
    all[std::string{prefix} + scheme] = [=](std::string_view url, CreateStore create) {
      const std::string_view rest = url.substr(url.find('+') + 1);
      return filter(open_store(rest, factories, create));
    };
  }
  return all;
}

RemoveResult remove_from(CheckpointStore& next, const CheckpointStore& filter, bool has_folder,
                         std::string_view run, const RemoveOptions& options) {
  RemoveOptions more = options;
  std::vector<KnownArtifact> known{options.known.begin(), options.known.end()};
  if (options.artifacts == RemoveArtifacts::remove && has_folder) {
    for (KnownArtifact& one : known_artifacts(filter, run)) known.push_back(std::move(one));
    more.known = known;
  }
  return next.remove(run, more);
}

}  // namespace resumable::store
