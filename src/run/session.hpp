/// @file
/// One call of resume(), plan() or approve(): from options to facts to a plan, and to a run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exports/adoption.hpp"
#include "exports/edits.hpp"
#include "exports/folder.hpp"
#include "exports/ledger.hpp"
#include "plan/planner.hpp"
#include "record/environment.hpp"
#include "record/events.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "run/executor.hpp"
#include "run/manifest.hpp"
#include "run/report_data.hpp"
#include "store/timed_store.hpp"

namespace resumable::run {

class Session {
 public:
  /// @throws Error{Errc::bad_name}, Error{Errc::unknown_stage}, Error{Errc::bad_option}
  Session(const Pipeline& pipeline, const CheckpointStore& store, const ResumeOptions& options);

  /// Reads the facts and decides. Writes nothing. The facts have the headers of all stages then, or
  /// those that a plan needs.
  std::shared_ptr<const detail::PlanData> plan(bool all_headers = false);
  /// What resume() says of a plan that refuses, which this has made.
  [[nodiscard]] Error refusal(const Plan& plan) const;

  [[nodiscard]] const record::RunFacts& facts() const { return *facts_; }

  /// Takes the lease, plans again under it, runs. `store` is the one that the session was made
  /// with; `expected` must be the plan then.
  std::shared_ptr<detail::ReportData> resume(CheckpointStore& store,
                                             const std::optional<Digest>& expected);

 private:
  /// As declared; once the facts are gathered, with the names under which the run has its records.
  [[nodiscard]] const detail::Graph& graph() const { return facts_ ? facts_->graph() : declared_; }
  void ask_runs();
  void ask_choices();
  [[nodiscard]] std::vector<bool> asked_again() const;
  std::shared_ptr<const detail::PlanData> plan_as(bool owned, record::Headers headers);
  std::shared_ptr<const detail::PlanData> plan_once(record::Headers headers);
  [[nodiscard]] record::Headers needed_headers() const;
  [[nodiscard]] std::optional<std::uint64_t> stamp() const;
  std::shared_ptr<const detail::PlanData> look_before(const std::optional<Digest>& expected);
  void refuse_not_begun() const;
  [[nodiscard]] Create how_to_create() const;
  void check_expected(const Plan& plan, const std::optional<Digest>& expected) const;
  void resume_or_report(const std::optional<Digest>& expected);
  void resume_or_throw(const std::optional<Digest>& expected);
  [[nodiscard]] bool may_find_out() const;
  void find_out();
  void report_kept(const detail::PlanData& planned);
  [[nodiscard]] std::vector<PlannedStage> outlook(const detail::PlanData& planned) const;
  void warn_of_notes();
  void take_edit_over(exports::Proposal& proposal, record::Recorder& recorder);
  void take_edits_over(record::Recorder& recorder, record::Events& events);
  void execute_under(Lease& lease, const detail::PlanData& planned);
  void record_beginning(record::Recorder& recorder, const detail::PlanData& planned);
  void record_end(record::Recorder& recorder, Lease& lease, Executor& executor);
  void tell_beginning(record::Events& events, const detail::PlanData& planned);
  void tell_suspended(record::Events& events, record::Recorder& recorder);
  void take_results(Executor& executor);
  [[nodiscard]] Error lost() const;
  void adopt(const Executor::Failure& first);
  void refuse(const Plan& plan);
  void begin_run(record::Recorder& recorder, bool complete);
  void restore_description(record::RunRecord& run) const;
  void record_inputs(record::Recorder& recorder);
  void record_lists_of_inputs(record::Recorder& recorder);
  void record_requests(record::Recorder& recorder, std::span<const plan::NodeState> states);
  void record_left(record::Recorder& recorder, const Executor& executor);
  void write_manifest(Lease& lease, std::string_view status, const Executor* executor);
  void fail(const Error& error);
  [[nodiscard]] std::error_code cause_of(const std::string& file) const;

  const detail::Graph& declared_;
  std::shared_ptr<store::TimedStore> timed_;  ///< before the store itself
  std::shared_ptr<CheckpointStore> queue_;    ///< with Durability::queued, before that
  const CheckpointStore* store_;
  CheckpointStore* writable_ = nullptr;  ///< the same, in resume()
  WorkQueue* work_ = nullptr;            ///< of the store, if items are shared
  const ResumeOptions& options_;
  std::shared_ptr<record::World> world_;
  sys::BootTime begun_;
  stage::Limits limits_;
  std::optional<exports::Folder> folder_;
  std::vector<plan::Request> asked_;  ///< by these options
  std::vector<exports::Choice> reject_;
  std::vector<exports::Choice> accept_;
  std::shared_ptr<record::RunFacts> facts_;
  std::optional<exports::ExportLedger> ledger_;
  std::optional<exports::Edits> edits_;
  std::optional<plan::Decider> decider_;
  std::optional<exports::Adoption> adoption_;
  std::shared_ptr<detail::ReportData> report_;
  enum class Recorded : std::uint8_t { nothing, requests, edits };
  Recorded recorded_ = Recorded::nothing;  ///< of what these options ask for
  bool again_ = false;                     ///< the outcome of a commit was unknown
  bool has_told_ = false;                  ///< that the run has started
  Manifest manifest_;
  std::optional<Timestamp> created_;  ///< the run, once it has begun
};

/// `stage` or `stage/item`.
/// @throws Error{Errc::unknown_stage}, Error{Errc::bad_option}
[[nodiscard]] plan::Request parse_selector(const detail::Graph& graph, std::string_view selector,
                                           plan::Request::What what);

}  // namespace resumable::run
