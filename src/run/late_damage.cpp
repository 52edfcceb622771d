#include "run/late_damage.hpp"

#include <fmt/format.h>

#include "core/graph.hpp"

namespace resumable::run {

using namespace std::string_literals;

namespace {

/// Under a lease of its own: the call's was released. False when another process owns the run, or
/// the store cannot be written.
bool mark(const detail::ReportData& report, const record::DamagedRecord& damaged) {
  try {
    const auto lease = report.store->lease(report.run, {.create = Create::never});
    record::RunFacts facts{*report.graph, *report.store, report.run, report.world->clock(),
                           report.world->files()};
    facts.gather_records();
    record::Recorder recorder{*lease, report.world->clock(), facts.uid(), report.graph->pipeline};
    recorder.keep(record::tagged(facts));
    facts.mark_damaged(recorder, damaged);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Error late_damage(const detail::ReportData& report, const record::DamagedRecord& record) {
  report.facts->suspect(record.path, record.generation);
  std::string how = mark(report, record) ? "" : " with ResumeOptions::verify_payloads";
  if (report.on_damage == OnDamage::refuse)
    how += (how.empty() ? "" : " and") + " without OnDamage::refuse"s;
  if (how.empty()) how = " again";
  return {Errc::damaged,
          {.what = fmt::format("the checkpoint '{}' is damaged", record.path),
           .run = report.run,
           .file = report.facts->locate(record.path, record.generation),
           .kept = "the file as it is",
           .next = "resume" + how + ": it is set aside and its stage runs again"}};
}

}  // namespace resumable::run
