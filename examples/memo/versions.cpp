#include "memo/versions.hpp"

#include <algorithm>

#include <resumable/error.hpp>
#include <resumable/resume.hpp>

#include "memo/pipeline.hpp"

namespace memo {
namespace {

namespace rs = resumable;

rs::Plan plan_of(rs::CheckpointStore& store, const std::string& run) {
  const MemoPipeline memo{{}};
  return rs::ResumePlanner{store}.plan(memo.pipeline(), {.run = run, .create = rs::Create::never});
}

/// A version is `created` until its first call has recorded all inputs. Should only the note of
/// that be lost, the records tell.
bool is_empty(rs::CheckpointStore& store, const rs::cli::Version& version) {
  if (version.state != rs::RunState::created) return false;
  try {
    const rs::Plan plan = plan_of(store, version.run);
    return std::ranges::any_of(plan.notes(), [](const rs::Cause& cause) {
      return cause.reason == rs::Reason::missing_input && cause.file.empty();
    });
  } catch (const rs::Error&) {
    return false;  // whoever continues it is told what is wrong
  }
}

}  // namespace

Versions versions_of(rs::CheckpointStore& store, std::string_view subject) {
  Versions result;
  for (rs::cli::Version& version : rs::cli::versions(store, subject)) {
    auto& list = is_empty(store, version) ? result.empty : result.begun;
    list.push_back(std::move(version));
  }
  return result;
}

bool is_unfinished(const rs::cli::Version& version) {
  return version.state != rs::RunState::done && version.state != rs::RunState::running;
}

Approval approval_of(const rs::Plan& plan, std::optional<rs::RunState> state) {
  std::size_t to_run = 0;
  for (const rs::Decision& decision : plan) {
    if (decision.action == rs::Action::wait) return Approval::asked;
    to_run += decision.action == rs::Action::skip ? 0U : 1U;
  }
  // It was left waiting, and what had asked is all that would run now.
  const bool last = plan["finalize"].action == rs::Action::run && to_run == 1;
  return state == rs::RunState::waiting && last ? Approval::given : Approval::not_asked;
}

Approval approval_of(rs::CheckpointStore& store, const rs::cli::Version& version) {
  if (version.state != rs::RunState::waiting) return Approval::not_asked;
  try {
    return approval_of(plan_of(store, version.run), version.state);
  } catch (const rs::Error&) {
    return Approval::not_asked;  // its sources are gone, say: going on tells
  }
}

}  // namespace memo
