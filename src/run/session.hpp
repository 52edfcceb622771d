/// @file
/// One call of resume(), plan() or approve(): from options to facts to a plan, and to a run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/planner.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "run/environment.hpp"
#include "run/events.hpp"
#include "run/executor.hpp"
#include "run/recorder.hpp"
#include "run/report_data.hpp"
#include "run/run_facts.hpp"

namespace resumable::inline v0::run {

class Session {
 public:
  /// @throws Error{Errc::bad_name}, Error{Errc::unknown_stage}, Error{Errc::bad_option}
  Session(const Pipeline& pipeline, CheckpointStore& store, const ResumeOptions& options);

  /// Reads the facts and decides. Writes nothing.
  std::shared_ptr<const detail::PlanData> plan();

  [[nodiscard]] const RunFacts& facts() const { return *facts_; }

  /// Takes the lease, plans again under it, runs. `expected` must be the plan then.
  std::shared_ptr<detail::ReportData> resume(const std::optional<Digest>& expected);

 private:
  std::shared_ptr<const detail::PlanData> plan(bool owned);
  std::shared_ptr<const detail::PlanData> plan_once();
  void look_before(const std::optional<Digest>& expected);
  void check_expected(const Plan& plan, const std::optional<Digest>& expected) const;
  void resume_or_throw(const std::optional<Digest>& expected);
  void begin_run_and_execute(Lease& lease, const detail::PlanData& planned);
  void tell_suspended(Events& events, Recorder& recorder);
  void adopt(const Executor::Failure& first);
  void refuse(const Plan& plan);
  void begin_run(Recorder& recorder);
  void record_inputs(Recorder& recorder);
  void record_requests(Recorder& recorder);
  void record_exports(Recorder& recorder);
  void write_manifest(Lease& lease, std::string_view status, const Executor* executor);
  void fail(const Error& error);
  void commit(Recorder& recorder, Draft draft);
  [[nodiscard]] std::vector<plan::Request> all_requests() const;
  [[nodiscard]] bool pending(const plan::Request& request,
                             const std::vector<plan::NodeState>& states) const;

  const detail::Graph& graph_;
  CheckpointStore& store_;
  const ResumeOptions& options_;
  std::shared_ptr<World> world_;
  sys::BootTime begun_;
  Limits limits_;
  std::optional<artifact::Folder> folder_;
  std::vector<plan::Request> asked_;  ///< by these options
  std::shared_ptr<RunFacts> facts_;
  std::optional<plan::Decider> decider_;
  std::shared_ptr<detail::ReportData> report_;
};

/// `stage` or `stage/item`.
/// @throws Error{Errc::unknown_stage}, Error{Errc::bad_option}
[[nodiscard]] plan::Request parse_selector(const detail::Graph& graph, std::string_view selector,
                                           plan::Request::What what);

}  // namespace resumable::inline v0::run
