// An object is named by a record of the lease that stored it, or by none, ever: another lease gives
// its objects other names. So an object may go once the lease that stored it can commit nothing
// more, and no record names it; a worker counts as a lease here. To know the first, this takes the
// lease of the run itself, and the items from the workers that have some. The objects are listed
// before that: whatever is stored later is not touched. No clock is involved.
#include "s3/leftovers.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/run_id.hpp"
#include "resumable/error.hpp"
#include "resumable/work_queue.hpp"

namespace resumable::s3 {
namespace {

using Names = std::set<std::string, std::less<>>;

/// What the records of a run name. `why_not`, if it cannot be known.
Names named(const CheckpointStore& records, std::string_view run, std::string& why_not) {
  Names names;
  records.scan(run, {.headers = true}, [&](const RecordHead& head) {
    if (!head.header) {
      why_not = "it has a record that cannot be read, or that was set aside";
      return false;
    }
    if (auto reference = unmark(*head.header).reference) names.insert(std::move(reference->name));
    return true;
  });
  return names;
}

class Remover {
 public:
  Remover(CheckpointStore& records, Home& home, bool dry_run)
      : records_(records), home_(home), dry_run_(dry_run) {}

  Leftovers all() {
    for (auto& [name, objects] : by_run()) {
      const auto run = core::decode_run(name);
      if (!run) continue;  // nothing that this library stores
      try {
        of_run(*run, std::move(objects));
      } catch (const Error& error) {
        if (error.errc() != Errc::busy) throw;
        skip(*run, "a process owns it");
      }
    }
    return std::move(result_);
  }

 private:
  using Objects = std::map<std::string, Listed>;  ///< by name

  std::map<std::string, Objects> by_run() {
    std::map<std::string, Objects> runs;
    if (!home_.folder({})) return runs;
    std::string folder = home_.run_prefix("x", {});
    folder.resize(folder.size() - 2);
    home_.objects().list(folder,
                         [&](Listed one) {
                           const std::string_view below =
                               std::string_view{one.key}.substr(folder.size());
                           const std::size_t slash = below.find('/');
                           if (slash == below.npos) return;  // the mark
                           std::string run{below.substr(0, slash)};
                           std::string name{below.substr(slash + 1)};
                           runs[std::move(run)].emplace(std::move(name), std::move(one));
                         },
                         {});
    return runs;
  }

  void of_run(const std::string& run, Objects objects) {
    if (leave_named(run, objects)) return;
    std::unique_ptr<Lease> lease;
    try {
      if (dry_run_ && records_.owner(run)) return skip(run, "a process owns it");
      if (!dry_run_) lease = records_.lease(run, {.create = Create::never});
    } catch (const Error& error) {
      // It was removed after its objects were stored.
      if (error.errc() != Errc::unknown_run) throw;
    }
    if (lease) {
      // Else a worker could commit, under the next owner, a record of an object that is gone.
      if (auto* queue = records_.capability<WorkQueue>()) queue->end(run, lease->fence());
      if (leave_named(run, objects)) return;
    }
    for (const auto& [name, object] : objects) {
      if (!dry_run_) home_.objects().remove(object.key, {});
      result_.removed.push_back(
          {.run = run, .where = home_.objects().url_of(object.key), .bytes = object.size});
    }
  }

  /// Whether nothing else is left, or it cannot be known.
  bool leave_named(const std::string& run, Objects& objects) {
    std::string why_not;
    const Names names = named(records_, run, why_not);
    if (!why_not.empty()) {
      skip(run, std::move(why_not));
      return true;
    }
    std::erase_if(objects, [&](const auto& one) { return names.contains(one.first); });
    return objects.empty();
  }

  void skip(std::string run, std::string why) {
    result_.skipped.push_back({.run = std::move(run), .why = std::move(why)});
  }

  CheckpointStore& records_;
  Home& home_;
  bool dry_run_;
  Leftovers result_;
};

}  // namespace

std::vector<Listed> objects_of_run(Home& home, std::string_view run, const Wait& wait) {
  std::vector<Listed> found;
  if (!home.folder(wait)) return found;
  home.objects().list(
      home.run_prefix(run, wait), [&](Listed one) { found.push_back(std::move(one)); }, wait);
  return found;
}

Leftovers remove_leftovers(CheckpointStore& records, Home& home, bool dry_run) {
  return Remover{records, home, dry_run}.all();
}

}  // namespace resumable::s3
