/// @file
/// Behind Report: what happened, and what is needed to load values later.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/run_facts.hpp"
#include "resumable/resume.hpp"
#include "run/reports.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

struct ReportData {
  std::shared_ptr<const Graph> graph;  ///< not the pipeline's life: a report may outlive it
  std::string run;
  Outcome outcome = Outcome::done;
  int signal = 0;
  std::optional<Error> error;
  bool resumed = false;
  std::optional<Suspension> suspension;
  std::uint64_t fence = 0;  ///< of this call's lease: records with a lower one are of earlier calls
  Plan plan;
  std::vector<StageReport> stages;
  std::vector<std::string> warnings;
  std::vector<run::FanOutReport> fan_outs;                ///< by node
  std::map<std::string, Savings, std::less<>> continued;  ///< see run::Reports
  Overhead overhead;
  std::shared_ptr<record::World> world;
  /// What the facts read through, before the store.
  std::vector<std::shared_ptr<const CheckpointStore>> layers;
  std::shared_ptr<record::RunFacts> facts;
  CheckpointStore* store = nullptr;
  OnDamage on_damage = OnDamage::work_around;

  std::mutex guard;  ///< for what follows
  std::map<std::uint32_t, AnyValue> values;
  std::optional<Savings> saved;
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable
