// What a plan found beside the stages: edits that are taken over, notes that are warnings.
#include <fmt/format.h>

#include "resumable/error.hpp"
#include "run/session.hpp"

namespace resumable::run {

/// Commits what the plan proposed. Each commit stands alone: what a kill leaves out is found again.
void Session::take_edits_over(record::Recorder& recorder, record::Events& events) {
  for (exports::Proposal& one : edits_->proposals()) {
    const auto must = [&](const std::string& path, std::error_code error) {
      if (!error) return;
      throw Error(Errc::store_failed,
                  {.what = fmt::format("the edited file '{}' could not be saved", path),
                   .stage = graph_.nodes[one.subject.node].name,
                   .item = one.subject.item,
                   .operation = "sync",
                   .file = folder_->full(path),
                   .kept = "the file is untouched",
                   .next = "fix the cause and resume",
                   .cause = error});
    };
    for (const std::string& path : one.copies) must(path, folder_->keep_copy(path));
    for (core::Export& exported : one.draft.header.exports) {
      if (exported.order == UINT64_MAX) exported.order = recorder.order();
      if (exported.edited) must(exported.path, folder_->sync(exported.path));
    }
    const auto exports = one.draft.header.exports;
    const auto header = std::make_shared<const core::Header>(one.draft.header);
    const record::Committed done = recorder.commit(one.draft);
    facts_->note(done.path, done.generation, done.head, header);
    ledger_->note_exports(one.subject.node, one.subject.item, exports);
    for (const core::Export& exported : exports) {
      if (exported.edited) {
        ledger_->note_published({exported.path, exported.digest, {}, exported.order, true});
      }
    }
  }
  for (const plan::EditFact& edit : ledger_->edits()) {
    for (const Cause& cause : edit.causes) {
      Event event;
      event.kind = EventKind::edited;
      event.stage = graph_.nodes[edit.node].name;
      event.item = edit.item;
      event.file = cause.file;
      event.message = cause.text();
      events.emit(std::move(event));
    }
  }
}

void Session::warn_of_notes() {
  for (const Cause& note : report_->plan.notes()) {
    const bool warns = note.reason == Reason::program_changed ||
                       note.reason == Reason::concurrency_limited || note.reason == Reason::stray;
    if (warns) report_->warnings.push_back(note.text());
  }
}

}  // namespace resumable::run
