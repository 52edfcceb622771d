#include "run/late_damage.hpp"

#include <vector>

#include <fmt/format.h>

#include "core/graph.hpp"

namespace resumable::run {

namespace {

using Damaged = std::vector<record::DamagedRecord>;

/// The values that cannot be used, the one that was found first. All are read, so that one call can
/// make all of them again.
Damaged find_damaged(const detail::ReportData& report, const record::DamagedRecord& found) {
  Damaged all{found};
  const record::RunFacts& facts = *report.facts;
  const auto prove = [&](const std::string& path) {
    const plan::Row* row = facts.current(path);
    if (row == nullptr || path == found.path) return;
    try {
      static_cast<void>(facts.payload(path, row->generation));
    } catch (const record::DamagedRecord& damaged) {
      all.push_back(damaged);
    } catch (const Error&) {
      // It cannot be read now, which is told when it is needed.
    }
  };
  for (const std::string& stage : facts.stored_stages()) {
    prove(stage);
    for (const std::string& item : facts.item_paths(stage)) prove(item);
  }
  return all;
}

/// Under a lease of its own: the call's was released. False when another process owns the run, or
/// the store cannot be written.
bool mark(const detail::ReportData& report, const Damaged& damaged) {
  try {
    const auto lease = report.store->lease(report.run, {.create = Create::never});
    record::RunFacts facts{*report.graph, *report.store, report.run, report.world->clock(),
                           report.world->files()};
    facts.gather_records();
    record::Recorder recorder{*lease, report.world->clock(), facts.uid(), report.graph->pipeline};
    recorder.keep(record::tagged(facts));
    for (const record::DamagedRecord& one : damaged) facts.mark_damaged(recorder, one);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Error late_damage(const detail::ReportData& report, const record::DamagedRecord& record) {
  const Damaged all = find_damaged(report, record);
  for (const record::DamagedRecord& one : all) report.facts->suspect(one.path, one.generation);
  std::vector<Advice> advice;
  if (!mark(report, all)) advice.push_back({.option = Option::verify_payloads});
  if (report.on_damage == OnDamage::refuse) {
    advice.push_back({.option = Option::on_damage, .leave_out = true});
  }
  return {Errc::damaged,
          {.what = all.size() == 1 ? fmt::format("the checkpoint '{}' is damaged", record.path)
                                   : fmt::format("the checkpoint '{}' and {} more are damaged",
                                                 record.path, all.size() - 1),
           .run = report.run,
           .file = report.facts->locate(record.path, record.generation),
           .kept = "the file as it is",
           .next = all.size() == 1 ? "resume again: it is set aside and its stage runs again"
                                   : "resume again: they are set aside and made again",
           .advice = std::move(advice)}};
}

}  // namespace resumable::run
