// Taking an earlier generation of a value back.
//
// The new generation has the payload of the old one, and the fingerprint and revision of the one
// that it replaces: the value counts as made from the present inputs, and its dependents see a
// different identity. Nothing is erased here: the next commit of the stage does that.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "exports/folder.hpp"
#include "exports/place.hpp"
#include "manage/owned_run.hpp"
#include "manage/tagging.hpp"
#include "manage/writing.hpp"
#include "record/former_names.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using core::Export;
using manage::OwnedRun;
using plan::Row;

[[noreturn]] void bad_option(std::string what, std::string next) {
  throw Error(Errc::bad_option,
              {.what = std::move(what), .kept = "nothing was changed", .next = std::move(next)});
}

class RollingBack {
 public:
  RollingBack(OwnedRun& run, std::string_view selector, std::string folder)
      : run_(run), selector_(selector) {
    if (!folder.empty()) {
      folder_.emplace(run.world().files(), run.world().random(), std::move(folder));
    }
  }

  void to_generation(std::uint64_t generation) {
    const std::size_t slash = selector_.find('/');
    const core::Key key = slash == selector_.npos ? core::stage_key(selector_)
                                                  : core::item_key(selector_.substr(0, slash),
                                                                   selector_.substr(slash + 1));
    const bool has_items = slash == selector_.npos && run_.facts().rows(key.path).empty() &&
                           !run_.facts().item_paths(selector_).empty();
    if (has_items) {
      bad_option(fmt::format("stage '{}' has items, each with generations of its own",
                             core::printable(selector_)),
                 "name an item as 'stage/item', or a tag instead of a generation");
    }
    add(key.path, generation);
  }

  void to_tag(const record::TagRecord& tag) {
    const std::size_t slash = selector_.find('/');
    const std::string path =
        slash == selector_.npos
            ? core::stage_key(selector_).path
            : core::item_key(selector_.substr(0, slash), selector_.substr(slash + 1)).path;
    bool found = false;
    for (const auto& [one, generation] : tag.records) {
      const bool item = slash == selector_.npos && one.starts_with(path + "/");
      if (one != path && !item) continue;
      found = true;
      add(one, generation);
    }
    if (found) return;
    throw Error(Errc::no_value,
                {.what = fmt::format("tag '{}' names no value of '{}'", core::printable(tag.name),
                                     core::printable(selector_)),
                 .kept = "nothing was changed",
                 .next = "choose another tag, or a stage that had already run"});
  }

  RollBackResult commit(const CheckpointStore& store, const std::string& name) {
    if (drafts_.empty()) return std::move(result_);
    for (record::Draft& draft : drafts_) {
      draft.payload = std::make_shared<manage::RemotePayload>(
          store, name, draft.key.path, draft.header.from_generation, draft.header.payload_bytes);
    }
    for (const auto& one : run_.recorder().commit(std::move(drafts_))) {
      result_.values[one_at(one.path)].generation = one.generation;
    }
    run_.note_unfinished();
    return std::move(result_);
  }

 private:
  void add(const std::string& path, std::uint64_t generation) {
    const Row old = run_.row(path, generation);
    const Row* now = run_.facts().current(path);
    const core::Header before = run_.header(path, generation);
    if (old.head.kind != core::Kind::value) {
      bad_option(fmt::format("'{}' is not a stage's value", core::printable(path)),
                 "name a stage, or an item of one");
    }
    if (old.head.has(core::dropped) && now->generation != generation) {
      bad_option(fmt::format("the value of generation {} of '{}' was dropped after use", generation,
                             core::printable(before.key)),
                 "choose a generation that has its value, or make it again");
    }
    const core::Header present = run_.header(path, now->generation);
    const auto rows = run_.facts().rows(path);
    const bool is_newest = !rows.empty() && rows.back().generation == now->generation;
    const bool same = now->generation == generation || present.from_generation == generation;
    if (is_newest && same) {
      ++result_.unchanged;
      return;
    }
    run_.prove_payload(path, generation);
    record::Draft draft{.key = {path, before.key},
                        .generation = run_.facts().next_generation(path),
                        .head = old.head,
                        .header = before,
                        .payload = nullptr,
                        .erase = {},
                        .packed = true};
    draft.head.fingerprint = now->head.fingerprint;
    draft.head.revision = now->head.revision;
    draft.header.inputs = present.inputs;
    draft.header.confirmed = present.confirmed;
    draft.header.exports = exports(path, before.exports, present.exports);
    draft.header.from_generation = generation;
    draft.header.at.clear();
    paths_.push_back(path);
    result_.values.push_back({before.key, generation, 0});
    drafts_.push_back(std::move(draft));
  }

  [[nodiscard]] std::size_t one_at(const std::string& path) const {
    return static_cast<std::size_t>(std::ranges::find(paths_, path) - paths_.begin());
  }

  /// What the artifacts will be, and what may be replaced by it: the file there, if it is as some
  /// record left it. A person's file has another digest, and stays.
  [[nodiscard]] std::vector<Export> exports(const std::string& path, const std::vector<Export>& old,
                                            const std::vector<Export>& present) {
    std::vector<Export> all;
    for (const Export& one : old) {
      const auto now = std::ranges::find(present, one.path, &Export::path);
      if (now == present.end()) continue;
      Export next{one.path, one.digest, std::nullopt, 0};
      if (!one.is_nothing() && !is_taken_over(path, *now)) {
        next.before = replaced(one, *now);
        next.order = run_.recorder().order();
      }
      all.push_back(std::move(next));
    }
    return all;
  }

  [[nodiscard]] std::optional<Digest> replaced(const Export& old, const Export& present) const {
    if (folder_) {
      const auto found = folder_->look(present.path);
      const bool ours = found.state == exports::Found::State::file &&
                        (found.digest == old.digest || found.digest == present.digest ||
                         found.digest == present.before);
      if (ours) return found.digest;
    }
    if (present.is_nothing()) return std::nullopt;
    return present.digest;
  }

  /// Whether a record of another stage has exported the path since.
  [[nodiscard]] bool is_taken_over(const std::string& path, const Export& present) {
    if (!highest_) {
      highest_.emplace();
      for (const std::string& stage : run_.facts().stored_stages()) {
        note_exports(stage);
        for (const std::string& item : run_.facts().item_paths(stage)) note_exports(item);
      }
    }
    const auto found = highest_->find(present.path);
    return found != highest_->end() && found->second.first > present.order &&
           found->second.second != path;
  }

  void note_exports(const std::string& path) {
    const Row* row = run_.facts().current(path);
    const auto header = row ? run_.facts().header(path, row->generation) : std::nullopt;
    if (!header) return;
    for (const Export& one : header->exports) {
      auto& highest = (*highest_)[one.path];
      highest = std::max(highest, {one.order, path});
    }
  }

  OwnedRun& run_;
  std::string selector_;
  std::optional<exports::Folder> folder_;
  std::vector<record::Draft> drafts_;
  std::vector<std::string> paths_;
  std::optional<std::map<std::string, std::pair<std::uint64_t, std::string>>> highest_;
  RollBackResult result_;
};

}  // namespace

RollBackResult roll_back(CheckpointStore& store, std::string_view run, std::string_view stage,
                         const RollBackOptions& options) {
  if ((options.generation == 0) == options.tag.empty()) {
    bad_option("a roll-back needs a generation or a tag", "give one of the two");
  }
  OwnedRun owned{store, run, {.wait = options.wait, .stop = options.stop}};
  std::string folder = options.artifact_folder.string();
  if (folder.empty()) folder = exports::artifact_folder(store, run);
  RollingBack rolling{owned, record::recorded_name(owned.facts(), stage), std::move(folder)};
  if (options.tag.empty()) {
    rolling.to_generation(options.generation);
  } else {
    rolling.to_tag(manage::tag_of(owned.facts(), run, options.tag));
  }
  return rolling.commit(store, std::string{run});
}

}  // namespace v0
}  // namespace resumable
