#include "manage/owned_run.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "record/tags.hpp"
#include "resumable/error.hpp"

namespace resumable::manage {

OwnedRun::OwnedRun(CheckpointStore& store, std::string_view run, LeaseRequest request)
    : store_(store), run_(run) {
  request.create = Create::never;
  lease_ = store.lease(run, request);
  facts_.emplace(no_stages_, store, run_, world_.clock(), world_.files());
  facts_->gather_records();
  recorder_.emplace(*lease_, world_.clock(), facts_->uid(), facts_->pipeline());
  recorder_->keep(record::tagged(*facts_));
}

void OwnedRun::damaged(const std::string& path, std::uint64_t generation) const {
  throw Error(Errc::damaged, {.what = fmt::format("generation {} of '{}' is damaged", generation,
                                                  core::printable(path)),
                              .run = run_,
                              .file = facts_->locate(path, generation),
                              .kept = "nothing was changed",
                              .next = "choose another generation"});
}

plan::Row OwnedRun::row(const std::string& path, std::uint64_t generation) const {
  std::string there;
  for (const plan::Row& row : facts_->rows(path)) {
    if (row.generation == generation && !row.quarantined) {
      if (row.is_whole()) return row;
      damaged(path, generation);
    }
    if (row.is_whole()) there += fmt::format("{}{}", there.empty() ? "" : ", ", row.generation);
  }
  throw Error(
      Errc::no_value,
      {.what = there.empty()
                   ? fmt::format("'{}' has no value in run '{}'", core::printable(path),
                                 core::printable(run_))
                   : fmt::format("'{}' has no generation {} in run '{}'; it has {}",
                                 core::printable(path), generation, core::printable(run_), there),
       .run = run_,
       .kept = "nothing was changed",
       .next = there.empty() ? "choose a stage that has run" : "choose one of these"});
}

core::Header OwnedRun::header(const std::string& path, std::uint64_t generation) const {
  auto header = facts_->header(path, generation);
  if (!header) damaged(path, generation);
  return *std::move(header);
}

void OwnedRun::prove_payload(const std::string& path, std::uint64_t generation) const {
  try {
    static_cast<void>(facts_->payload(path, generation));
  } catch (const record::DamagedRecord&) {
    damaged(path, generation);
  }
}

void OwnedRun::note_unfinished() {
  auto json = nlohmann::ordered_json::parse(store_.manifest(run_).value_or("{}"), nullptr, false);
  if (!json.is_object()) json = nlohmann::ordered_json::object();
  json["run"] = run_;
  json["status"] = "interrupted";
  lease_->manifest(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                   "\n");
}

}  // namespace resumable::manage
