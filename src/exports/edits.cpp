#include "exports/edits.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "core/key.hpp"
#include "exports/appended_edits.hpp"
#include "exports/reading.hpp"
#include "plan/planner.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {
namespace {

bool covers(const Choice& one, const Subject& subject) {
  return one.node == subject.node && (one.item.empty() || one.item == subject.item);
}

}  // namespace

/// A file that is not as it was exported.
struct Edits::Edited {
  Subject subject;
  std::string path;
  Digest on_disk;
  core::Export exported;
};

void Edits::find() {
  std::vector<Edited> found;
  for (const auto& [path, writers] : tools_.ledger.all_writers()) look(path, found);
  std::ranges::stable_sort(
      found, {}, [](const Edited& one) { return std::tie(one.subject.node, one.subject.item); });
  for (auto begin = found.begin(); begin != found.end();) {
    const auto end = std::find_if(begin, found.end(), [&](const Edited& one) {
      return one.subject.node != begin->subject.node || one.subject.item != begin->subject.item;
    });
    const std::vector<Edited> files(begin, end);
    if (tools_.graph.recorded) {
      tell(begin->subject, files);
    } else if (gives_up(begin->subject)) {
      reject(begin->subject, files);
    } else {
      take_over(begin->subject, files);
    }
    begin = end;
  }
  look_at_appended();
  choose_without_edits();
  tools_.ledger.edits(facts_);
}

/// A recorded graph has no types, so nothing is read back. The files count as exported as they are.
void Edits::tell(const Subject& subject, const std::vector<Edited>& files) {
  const auto current = values_.current(subject);
  if (!current) return;
  record::Draft draft = values_.same_draft(*current);
  std::vector<Cause> causes;
  for (const Edited& file : files) {
    causes.push_back(
        {.reason = Reason::edited,
         .file = tools_.ledger.artifact_file(file.path),
         .detail = fmt::format("'{}': the program that owns the run decides how to use this edit",
                               file.path)});
    const auto known = std::ranges::find(draft.header.exports, file.path, &core::Export::path);
    if (known == draft.header.exports.end()) return;
    *known = {file.path, file.on_disk, file.on_disk, newest_order, true};
  }
  propose(subject, std::move(draft), std::move(causes), {});
}

void Edits::look(std::string_view path, std::vector<Edited>& found) const {
  const auto writers = tools_.ledger.writers(path);
  std::vector<core::Export> exports;
  bool lost = plan::is_lost(tools_.facts.rows(core::exported_key().path));
  const PathWriter* last = &writers.front();
  for (const PathWriter& one : writers) {
    exports.push_back(one.exported);
    lost = lost || tools_.ledger.has_lost_record(one.node, one.item);
    if (one.exported.order > last->exported.order) last = &one;
  }
  const plan::Look look = tools_.ledger.look(path);
  if (look.state != plan::Look::State::file) return;
  // An edit whose record is lost is adopted again, if the record of what was edited is not.
  const bool lost_edit =
      tools_.ledger.is_lost_edit(path, look.digest) && !tools_.ledger.has_lost_export(path);
  const auto what = plan::judge_file(tools_.ledger, path, exports, lost);
  if (what != plan::FileFound::edited && !lost_edit) return;
  const auto before = tools_.ledger.seen(path);
  // If nothing of ours was there, the file is not an edit.
  if (!before && !last->exported.before) return;
  const PathWriter* seen = nullptr;  // whose text the user had
  for (const PathWriter& one : writers) {
    if (!before || one.exported.order > before->order) continue;
    if (one.exported.digest == before->digest) seen = &one;
  }
  const auto& nodes = tools_.graph.nodes;
  const bool read_back =
      seen != nullptr && std::ranges::any_of(nodes[seen->node].artifacts, is_editable);
  const PathWriter& of = read_back ? *seen : *last;
  found.push_back({{of.node, of.item}, std::string{path}, look.digest, of.exported});
}

/// The value whose text the user edited; nullopt: the current one. A value that was committed while
/// the user edited the file of the previous value could not be exported.
std::optional<std::string> Edits::base_of(const Current& current, const Edited& file) const {
  const auto seen = tools_.ledger.seen(file.path);
  if (!seen || seen->order >= file.exported.order) return std::nullopt;
  for (const plan::Row& row : tools_.facts.rows(current.key.path)) {
    const auto header =
        row.is_whole() ? tools_.facts.header(current.key.path, row.generation) : std::nullopt;
    if (!header || row.generation == current.next.previous->generation) continue;
    const auto same = [&](const core::Export& one) {
      return one.path == file.path && one.digest == seen->digest;
    };
    if (!std::ranges::any_of(header->exports, same)) continue;
    return values_.bytes_of(current, row);
  }
  return std::nullopt;
}

void Edits::take_over(const Subject& subject, const std::vector<Edited>& files) {
  const detail::Node& node = tools_.graph.nodes[subject.node];
  auto current = values_.current(subject);
  if (!current) return;
  std::optional<std::size_t> source;  // the artifact whose text is read back
  std::vector<Cause> causes;
  const std::string before = current->bytes;
  for (const Edited& file : files) {
    const std::string full = tools_.ledger.artifact_file(file.path);
    const auto place = std::ranges::find(current->header.exports, file.path, &core::Export::path);
    const auto index = static_cast<std::size_t>(place - current->header.exports.begin());
    if (place == current->header.exports.end() || index >= node.artifacts.size()) return;
    if (!is_editable(node.artifacts[index])) {
      causes.push_back({.reason = Reason::edited,
                        .file = full,
                        .detail = fmt::format("'{}' is only a view of the value: your text stays, "
                                              "and is not read back",
                                              file.path)});
      continue;
    }
    if (source) {
      refuse(subject, files, file.path,
             fmt::format("'{}' shows the same value and was edited as well: edit one of them",
                         node.artifacts[*source].pattern));
      return;
    }
    source = index;
    if (!take_value(*current, file, node.artifacts[index], causes)) {
      refuse(subject, files, file.path, causes.back().detail, causes.back().reason);
      return;
    }
  }
  record::Draft draft = values_.edited_draft(*current, current->bytes != before);
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < draft.header.exports.size(); ++i) {
    core::Export& one = draft.header.exports[i];
    const auto file = std::ranges::find(files, one.path, &Edited::path);
    if (file != files.end() && current->merged && source == i && current->collisions.empty()) {
      one = values_.export_of(one, node.artifacts[i], *node.type, current->value.get());
      copies.push_back(one.path);
    } else if (file != files.end()) {
      one = {one.path, file->on_disk, file->on_disk, newest_order, true};
    } else if (current->bytes != before) {
      one = values_.export_of(one, node.artifacts[i], *node.type, current->value.get());
    }
  }
  propose(subject, std::move(draft), std::move(causes), std::move(copies));
}

/// Reads the edited file into `current`; returns false, with one cause that says why, if it cannot
/// be a value.
bool Edits::take_value(Current& current, const Edited& file, const detail::Artifact& artifact,
                       std::vector<Cause>& causes) const {
  Written written{.artifact = artifact, .text = {}, .file = tools_.ledger.artifact_file(file.path)};
  std::string problem;
  auto reason = Reason::invalid_edit;
  if (const auto error = tools_.folder.read(file.path, written.text)) {
    problem = tools_.ledger.unread(file.path, error);
    reason = Reason::unreadable;
  } else if (digest(written.text) != file.on_disk) {
    problem = "it is being changed right now";
  }
  if (!problem.empty()) {
    causes.push_back({.reason = reason, .file = written.file, .detail = std::move(problem)});
    return false;
  }
  try {
    written.base = base_of(current, file);
  } catch (const Error& error) {
    causes.push_back(
        {.reason = Reason::invalid_edit, .file = written.file, .detail = error.info().what});
    return false;
  }
  return values_.take(current, written, causes);
}

void Edits::refuse(const Subject& subject, const std::vector<Edited>& files,
                   const std::string& path, std::string why, Reason reason) {
  if (runs_again_[subject.node] && reason == Reason::invalid_edit) return reject(subject, files);
  facts_.push_back({subject.node,
                    subject.item,
                    path,
                    false,
                    {{.reason = reason,
                      .subject = path,
                      .file = tools_.ledger.artifact_file(path),
                      .detail = std::move(why)}}});
}

/// For a file that was changed and that no call has adopted.
bool Edits::gives_up(const Subject& subject) {
  bool any = false;
  for (const Choice& one : reject_) {
    if (!covers(one, subject)) continue;
    fulfilled_.push_back(one);
    any = true;
  }
  return any;
}

/// A killed call had discarded a change, but had not yet written the file again: the text of its
/// value is not in any file yet.
bool Edits::is_to_be_exported(const Current& current) const {
  return std::ranges::any_of(current.header.exports, [&](const core::Export& one) {
    const plan::Look look = tools_.ledger.look(one.path);
    return look.state == plan::Look::State::file && one.before == look.digest &&
           one.digest != look.digest;
  });
}

/// With `files`, which no call has adopted, the value stays as it is. Without, the stage's own
/// value comes back. What the user wrote is kept in .resumable/removed.
void Edits::reject(const Subject& subject, const std::vector<Edited>& files) {
  const detail::Node& node = tools_.graph.nodes[subject.node];
  auto current = values_.current(subject);
  if (!current) return;
  if (files.empty() && is_to_be_exported(*current)) return;
  const plan::Row& row = *current->next.previous;
  record::Draft draft = values_.same_draft(*current);
  if (files.empty() && row.head.has(core::edited) && current->next.made) {
    const plan::Row& made = *current->next.made;
    const auto header = tools_.facts.header(current->key.path, made.generation);
    if (!header) return;
    auto exports = std::move(draft.header.exports);
    draft.head = made.head;
    draft.header = *header;
    draft.header.confirmed.clear();
    draft.header.exports = std::move(exports);
    draft.payload = tools_.facts.payload(current->key.path, made.generation);
    current->value = node.type->decode(draft.payload, {made.head.schema, header->schemas});
  }
  std::vector<Cause> causes;
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < draft.header.exports.size() && i < node.artifacts.size(); ++i) {
    core::Export& one = draft.header.exports[i];
    const plan::Look look = tools_.ledger.look(one.path);
    const bool persons = files.empty() ? row.head.has(core::edited) || one.edited
                                       : std::ranges::count(files, one.path, &Edited::path) != 0;
    if (!persons && !files.empty()) continue;
    one = values_.export_of(one, node.artifacts[i], *node.type, current->value.get());
    if (!persons) continue;
    if (look.state == plan::Look::State::file && look.digest != one.digest) {
      copies.push_back(one.path);
    }
    causes.push_back({.reason = Reason::rejected,
                      .subject = one.path,
                      .file = tools_.ledger.artifact_file(one.path),
                      .detail = fmt::format("{}; a copy is kept in {}/removed",
                                            files.empty() ? "the stage's own value comes back"
                                                          : "its previous content comes back",
                                            core::own_folder)});
  }
  for (const detail::Artifact& one : node.appended) {
    if (files.empty() && row.head.has(core::edited)) {
      causes.push_back({.reason = Reason::rejected,
                        .subject = one.pattern,
                        .file = tools_.ledger.artifact_file(one.pattern)});
    }
  }
  propose(subject, std::move(draft), std::move(causes), std::move(copies));
}

/// From now on a disputed value is the user's.
void Edits::accept(const Subject& subject) {
  auto current = values_.current(subject);
  if (!current || !current->next.previous->head.has(core::disputed)) return;
  record::Draft draft = values_.same_draft(*current);
  draft.head.flags = static_cast<std::uint8_t>(draft.head.flags & ~core::disputed);
  draft.header.collisions.clear();
  for (core::Export& one : draft.header.exports) {
    if (!one.is_nothing()) one.order = newest_order;
  }
  propose(subject, std::move(draft), {{.reason = Reason::edited, .detail = "your edit is kept"}},
          {});
}

namespace {

bool is_edited(const core::Head& head) {
  return head.has(core::edited) || head.has(core::disputed);
}

}  // namespace

/// Edits that were adopted earlier can still be rejected, and disputed ones accepted.
void Edits::choose_without_edits() {
  const auto each = [&](const Choice& choice, const auto& act) {
    const std::string& stage = tools_.graph.nodes[choice.node].name;
    std::vector<Subject> subjects;
    if (!choice.item.empty()) {
      subjects.push_back({choice.node, choice.item});
    } else if (tools_.graph.nodes[choice.node].kind != detail::NodeKind::fan_out) {
      subjects.push_back({choice.node, {}});
    } else {
      for (const std::string& path : tools_.facts.item_paths(stage)) {
        const plan::Row* row = tools_.facts.current(path);
        if (row == nullptr || !is_edited(row->head)) continue;
        const auto header = tools_.facts.header(path, row->generation);
        if (header) subjects.push_back({choice.node, header->key.substr(stage.size() + 1)});
      }
    }
    for (const Subject& subject : subjects) {
      const core::Key key =
          subject.item.empty() ? core::stage_key(stage) : core::item_key(stage, subject.item);
      const plan::Row* row = tools_.facts.current(key.path);
      if (!is_proposed(subject) && row != nullptr && is_edited(row->head)) act(subject);
    }
  };
  for (const Choice& one : reject_) {
    if (std::ranges::count(fulfilled_, one) != 0) continue;
    each(one, [&](const Subject& s) { reject(s, {}); });
  }
  for (const Choice& one : accept_) each(one, [&](const Subject& s) { accept(s); });
}

/// Files that fan-outs append to. What was edited in a file of its own is proposed already.
void Edits::look_at_appended() {
  const auto rejects = [&](const Subject& subject) { return gives_up(subject); };
  const auto is_edited = [&](const Subject& subject) { return is_proposed(subject); };
  const AppendedEdits appended{
      {tools_.graph, tools_.facts, tools_.ledger, tools_.folder, values_, runs_again_},
      rejects,
      is_edited};
  for (std::uint32_t node = 0; node < tools_.graph.nodes.size(); ++node) {
    for (const detail::Artifact& one : tools_.graph.nodes[node].appended) {
      auto edit = appended.look(node, one);
      if (!edit) continue;
      std::ranges::move(edit->facts, std::back_inserter(facts_));
      if (!edit->proposal) continue;
      for (const Proposal::Value& value : edit->proposal->values) note(value);
      tools_.ledger.note_appended(edit->proposal->appended->path, edit->proposal->appended->known);
      proposals_.push_back(*std::move(edit->proposal));
    }
  }
}

bool Edits::is_proposed(const Subject& subject) const {
  return std::ranges::any_of(proposals_, [&](const Proposal& proposal) {
    return std::ranges::any_of(proposal.values, [&](const Proposal::Value& one) {
      return one.subject.node == subject.node && one.subject.item == subject.item;
    });
  });
}

void Edits::note(const Proposal::Value& value) {
  const record::Draft& draft = value.draft;
  tools_.facts.note(draft.key.path, draft.generation, draft.head, draft.header);
  tools_.ledger.note_exports(value.subject.node, value.subject.item, draft.header.exports);
}

void Edits::propose(const Subject& subject, record::Draft draft, std::vector<Cause> causes,
                    std::vector<std::string> copies) {
  Proposal proposal{.node = subject.node,
                    .values = {{subject, std::move(draft)}},
                    .copies = std::move(copies),
                    .appended = {}};
  note(proposal.values.front());
  facts_.push_back({subject.node, subject.item, {}, true, std::move(causes)});
  proposals_.push_back(std::move(proposal));
}

}  // namespace resumable::exports
