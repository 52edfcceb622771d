// What a plan found besides the stages: edits to adopt, and notes that are warnings.
#include <fmt/format.h>

#include "core/advice.hpp"
#include "core/remedy.hpp"
#include "resumable/error.hpp"
#include "run/session.hpp"

namespace resumable::run {

/// Commits one proposal. Files that a record will say are a user's are durable before it is.
void Session::take_edit_over(exports::Proposal& proposal, record::Recorder& recorder) {
  const auto must = [&](const std::string& path, std::error_code error) {
    if (!error) return;
    throw Error(Errc::store_failed,
                {.what = fmt::format("the edited file '{}' could not be saved", path),
                 .stage = graph().nodes[proposal.node].shown(),
                 .operation = "sync",
                 .file = folder_->full(path),
                 .kept = "the file is untouched",
                 .next = core::remedy(error, "fix the cause") + " and resume",
                 .cause = error});
  };
  for (const std::string& path : proposal.copies) must(path, folder_->keep_copy(path));
  std::vector<record::Draft> drafts;
  for (exports::Proposal::Value& one : proposal.values) {
    for (core::Export& exported : one.draft.header.exports) {
      if (exported.order == exports::newest_order) exported.order = recorder.order();
      if (exported.edited) must(exported.path, folder_->sync(exported.path));
    }
    drafts.push_back(one.draft);
  }
  if (const auto& file = proposal.appended) {
    must(file->path, folder_->sync(file->path));
    drafts.push_back(exports::appended_draft(*facts_, file->path, file->known));
  }
  const auto done = recorder.commit(std::move(drafts));
  if (proposal.appended) {
    facts_->note(done.back().path, done.back().generation, done.back().head);
  }
  for (std::size_t i = 0; i < proposal.values.size(); ++i) {
    const auto& [subject, draft] = proposal.values[i];
    facts_->note(done[i].path, done[i].generation, done[i].head, draft.header);
    ledger_->note_exports(subject.node, subject.item, draft.header.exports);
    for (const core::Export& exported : draft.header.exports) {
      if (exported.edited) {
        ledger_->note_published({exported.path, exported.digest, {}, exported.order, true});
      }
    }
  }
}

/// Commits what the plan proposed. Each commit is independent: what a kill leaves out is found
/// again.
void Session::take_edits_over(record::Recorder& recorder, record::Events& events) {
  for (exports::Proposal& one : edits_->proposals()) take_edit_over(one, recorder);
  for (const plan::EditFact& edit : ledger_->edits()) {
    for (const Cause& cause : edit.causes) {
      Event event;
      event.kind = EventKind::edited;
      event.stage = graph().nodes[edit.node].shown();
      event.item = edit.item;
      event.file = cause.file;
      event.message = cause.text(core::no_advice);
      events.emit(std::move(event));
    }
  }
}

void Session::warn_of_notes() {
  for (const Cause& note : report_->plan.notes()) {
    const bool warns = note.reason == Reason::program_changed ||
                       note.reason == Reason::concurrency_limited || note.reason == Reason::stray ||
                       note.reason == Reason::left_out || note.reason == Reason::uncertain;
    if (warns) report_->warnings.push_back(note.text(core::no_advice));
  }
}

}  // namespace resumable::run
