#include "record/suspects.hpp"

#include <map>
#include <mutex>
#include <set>

namespace resumable::record {
namespace {

struct Known {
  std::mutex guard;
  std::map<std::pair<std::string, std::string>, std::set<Suspect>> of_runs;
};

Known& known() {
  static Known instance;
  return instance;
}

}  // namespace

void suspect(const std::string& store, const std::string& run, Suspect record) {
  const std::scoped_lock lock{known().guard};
  known().of_runs[{store, run}].insert(std::move(record));
}

std::vector<Suspect> suspects(const std::string& store, const std::string& run) {
  const std::scoped_lock lock{known().guard};
  const auto found = known().of_runs.find({store, run});
  if (found == known().of_runs.end()) return {};
  return {found->second.begin(), found->second.end()};
}

void clear_suspect(const std::string& store, const std::string& run, const Suspect& record) {
  const std::scoped_lock lock{known().guard};
  const auto found = known().of_runs.find({store, run});
  if (found == known().of_runs.end()) return;
  found->second.erase(record);
  if (found->second.empty()) known().of_runs.erase(found);
}

}  // namespace resumable::record
