#include "memo/versions.hpp"

#include <algorithm>

#include <resumable/error.hpp>
#include <resumable/resume.hpp>

#include "memo/pipeline.hpp"

namespace memo {
namespace {

namespace rs = resumable;

/// Its first call was killed before it had recorded all inputs.
bool is_empty(const rs::cli::Version& version) { return version.state == rs::RunState::not_begun; }

}  // namespace

Versions versions_of(rs::CheckpointStore& store, std::string_view subject) {
  Versions result;
  for (rs::cli::Version& version : rs::cli::versions(store, subject)) {
    auto& list = is_empty(version) ? result.empty : result.begun;
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
    const MemoPipeline memo{{}};
    const rs::Plan plan = rs::ResumePlanner{store}.plan(
        memo.pipeline(), {.run = version.run, .create = rs::Create::never});
    return approval_of(plan, version.state);
  } catch (const rs::Error&) {
    return Approval::not_asked;  // its sources are gone, say: going on tells
  }
}

}  // namespace memo
