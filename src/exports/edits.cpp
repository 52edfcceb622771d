#include "exports/edits.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "exports/reading.hpp"
#include "plan/planner.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"
#include "value/changes.hpp"

namespace resumable::exports {
namespace {

constexpr std::size_t causes_kept = 50;       // changes that a plan names; the rest is counted
constexpr std::size_t collisions_kept = 20;   // that a header names
constexpr std::uint64_t newest = UINT64_MAX;  // the order of an export that is not committed yet

bool covers(const std::vector<Choice>& choices, const Subject& subject) {
  return std::ranges::any_of(choices, [&](const Choice& one) {
    return one.node == subject.node && (one.item.empty() || one.item == subject.item);
  });
}

std::vector<Cause> causes_of(const std::vector<value::Change>& changes, const std::string& file) {
  std::vector<Cause> causes;
  for (const value::Change& one : changes) {
    if (causes.size() == causes_kept) {
      causes.push_back(
          {.reason = Reason::edited,
           .file = file,
           .detail = fmt::format("and {} more changes", changes.size() - causes_kept)});
      break;
    }
    causes.push_back({.reason = Reason::edited,
                      .subject = one.path,
                      .before = core::printable(one.before),
                      .after = core::printable(one.after),
                      .file = file});
  }
  return causes;
}

}  // namespace

/// A file that is not as it was exported.
struct Edits::Edited {
  Subject subject;
  std::string path;
  Digest on_disk;
  core::Export exported;
};

/// The newest record of a stage or item, and its value.
struct Edits::Current {
  core::Key key;
  record::Succession next;
  core::Header header;
  std::string bytes;  ///< of the value, as the type encodes it now
  detail::AnyValue value;
  bool merged = false;  ///< with a value newer than the one that was edited
  std::vector<core::Collision> collisions;
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
    if (covers(reject_, begin->subject)) {
      reject(begin->subject, files);
    } else {
      take_over(begin->subject, files);
    }
    begin = end;
  }
  choose_without_edits();
  tools_.ledger.edits(facts_);
}

void Edits::look(std::string_view path, std::vector<Edited>& found) const {
  const auto writers = tools_.ledger.writers(path);
  std::vector<core::Export> exports;
  bool lost = plan::is_lost(tools_.facts.rows(core::exported_key().path));
  const core::Export* sure = tools_.ledger.confirmed(path);
  const PathWriter* last = &writers.front();
  const PathWriter* seen = nullptr;  // whose text the user had
  for (const PathWriter& one : writers) {
    exports.push_back(one.exported);
    lost = lost || tools_.ledger.has_lost_record(one.node, one.item);
    if (one.exported.order > last->exported.order) last = &one;
    if (sure != nullptr && one.exported.order <= sure->order &&
        one.exported.digest == sure->digest) {
      seen = &one;
    }
  }
  const plan::Look look = tools_.ledger.look(path);
  if (look.state != plan::Look::State::file) return;
  // The record that had taken this edit over is damaged: it is taken over again.
  const bool lost_edit = sure != nullptr && sure->edited && look.digest == sure->digest &&
                         std::ranges::count(exports, look.digest, &core::Export::digest) == 0;
  const auto what = plan::judge_file(exports, sure, look, lost);
  if (what != plan::FileFound::edited && !lost_edit) return;
  // Where nothing of ours has been, the file is no edit of it.
  if (sure == nullptr && !last->exported.before) return;
  const auto& nodes = tools_.graph.nodes;
  const bool read_back =
      seen != nullptr && std::ranges::any_of(nodes[seen->node].artifacts, is_editable);
  const PathWriter& of = read_back ? *seen : *last;
  found.push_back({{of.node, of.item}, std::string{path}, look.digest, of.exported});
}

/// The value whose text the user had when it was edited; nullopt: the current one. A value that was
/// committed while the user edited the file of the one before could not be exported any more.
std::optional<std::string> Edits::base_of(const Current& current, const Edited& file) const {
  const core::Export* sure = tools_.ledger.confirmed(file.path);
  if (sure == nullptr || sure->order >= file.exported.order) return std::nullopt;
  const detail::ValueType& type = *tools_.graph.nodes[file.subject.node].type;
  for (const plan::Row& row : tools_.facts.rows(current.key.path)) {
    const auto header =
        row.is_whole() ? tools_.facts.header(current.key.path, row.generation) : std::nullopt;
    if (!header || row.generation == current.next.previous->generation) continue;
    const auto same = [&](const core::Export& one) {
      return one.path == file.path && one.digest == sure->digest;
    };
    if (!std::ranges::any_of(header->exports, same)) continue;
    const auto value =
        type.decode(tools_.facts.payload(current.key.path, row.generation), row.head.schema);
    return read_all(*type.encode(value.get()));
  }
  return std::nullopt;
}

/// nullopt: it has no whole record that this program can read; planning says so.
std::optional<Edits::Current> Edits::current(const Subject& subject) const {
  const detail::Node& node = tools_.graph.nodes[subject.node];
  Current current;
  current.key =
      subject.item.empty() ? core::stage_key(node.name) : core::item_key(node.name, subject.item);
  current.next = tools_.facts.succession(current.key.path, node.type->version);
  if (!current.next.previous || node.type->codec == CodecId::none) return std::nullopt;
  auto header = tools_.facts.header(current.key.path, current.next.previous->generation);
  if (!header) return std::nullopt;
  current.header = *std::move(header);
  try {
    current.value = record::load_record(tools_.graph, tools_.facts, subject.node, subject.item);
    current.bytes = read_all(*node.type->encode(current.value.get()));
  } catch (const record::DamagedRecord&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return current;
}

/// The same record as the next generation, without its exports' confirmations.
record::Draft Edits::draft_of(const Current& current) const {
  const plan::Row& row = *current.next.previous;
  record::Draft draft{.key = current.key,
                      .generation = current.next.generation,
                      .head = row.head,
                      .header = current.header,
                      .payload = tools_.facts.payload(current.key.path, row.generation),
                      .erase = current.next.erase,
                      .keeps_fence = true};
  draft.header.confirmed.clear();
  return draft;
}

/// What a value's file will be, when it is not as the user left it.
core::Export Edits::export_of(const core::Export& former, const detail::Artifact& artifact,
                              const detail::ValueType& type, const void* value) const {
  const auto text = render_artifact(artifact, type, value);
  if (!text) return {former.path, {}, {}, 0};
  const plan::Look look = tools_.ledger.look(former.path);
  core::Export one{former.path, digest(*text), {}, newest};
  if (look.state == plan::Look::State::file) one.before = look.digest;
  return one;
}

void Edits::take_over(const Subject& subject, const std::vector<Edited>& files) {
  const detail::Node& node = tools_.graph.nodes[subject.node];
  auto current = this->current(subject);
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
      refuse(subject, file.path,
             fmt::format("'{}' shows the same value and was edited as well: edit one of them",
                         node.artifacts[*source].pattern));
      return;
    }
    source = index;
    if (!take_value(*current, file, node.artifacts[index], causes)) {
      refuse(subject, file.path, causes.back().detail);
      return;
    }
  }
  record::Draft draft = edited_draft(subject, *current, current->bytes != before);
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < draft.header.exports.size(); ++i) {
    core::Export& one = draft.header.exports[i];
    const auto file = std::ranges::find(files, one.path, &Edited::path);
    if (file != files.end() && current->merged && source == i && current->collisions.empty()) {
      one = export_of(one, node.artifacts[i], *node.type, current->value.get());
      copies.push_back(one.path);
    } else if (file != files.end()) {
      one = {one.path, file->on_disk, file->on_disk, newest, true};
    } else if (current->bytes != before) {
      one = export_of(one, node.artifacts[i], *node.type, current->value.get());
    }
  }
  propose(subject, std::move(draft), std::move(causes), std::move(copies));
}

/// The record of the value as it is now.
record::Draft Edits::edited_draft(const Subject& subject, const Current& current,
                                  bool changed) const {
  const detail::Node& node = tools_.graph.nodes[subject.node];
  record::Draft draft = draft_of(current);
  if (changed) {
    const record::Draft fresh = record::Draft::value(
        draft.head.kind, draft.key, *node.type, std::make_shared<StringPayload>(current.bytes));
    draft.payload = fresh.payload;
    draft.head.schema = fresh.head.schema;
    draft.head.shape = fresh.head.shape;
    draft.head.identity = fresh.head.identity;
    draft.head.flags = static_cast<std::uint8_t>(draft.head.flags | core::edited);
    draft.header.schema_name = fresh.header.schema_name;
    draft.header.shape = fresh.header.shape;
    draft.header.payload_digest = fresh.header.payload_digest;
    draft.header.at.clear();
    draft.header.edited_by = user_;
  }
  // Whoever edits a disputed value again has chosen.
  draft.head.flags = static_cast<std::uint8_t>(draft.head.flags & ~core::disputed);
  if (!current.collisions.empty()) {
    draft.head.flags = static_cast<std::uint8_t>(draft.head.flags | core::edited | core::disputed);
  }
  draft.header.collisions = current.collisions;
  return draft;
}

/// Reads the edited file into `current`; false when it cannot be a value, with one cause that says
/// why.
bool Edits::take_value(Current& current, const Edited& file, const detail::Artifact& artifact,
                       std::vector<Cause>& causes) const {
  const detail::Node& node = tools_.graph.nodes[file.subject.node];
  const std::string full = tools_.ledger.artifact_file(file.path);
  const auto refused = [&](std::string why) {
    causes.push_back({.reason = Reason::invalid_edit, .file = full, .detail = std::move(why)});
    return false;
  };
  std::string text;
  if (const auto error = tools_.folder.read(file.path, text)) return refused(error.message());
  if (digest(text) != file.on_disk) return refused("it is being changed right now");
  Reading read = read_artifact(node, artifact, text, current.value.get());
  if (!read.value) return refused(std::move(read.problem));
  try {
    detail::AnyValue value = std::move(read.value);
    std::string bytes = read_all(*node.type->encode(value.get()));
    if (const auto base = base_of(current, file)) {
      value::Merged merged = value::merge(node.type->codec, *base, bytes, current.bytes);
      value = node.type->decode(std::make_shared<StringPayload>(merged.bytes), node.type->version);
      bytes = std::move(merged.bytes);
      for (const value::Conflict& one : merged.conflicts) {
        if (current.collisions.size() == collisions_kept) break;
        current.collisions.push_back({one.path, one.mine, one.theirs});
      }
      current.merged = true;
    }
    const auto changes = value::changes(node.type->codec, current.bytes, bytes);
    for (Cause& cause : causes_of(changes, full)) causes.push_back(std::move(cause));
    if (changes.empty()) {
      causes.push_back({.reason = Reason::edited, .file = full, .detail = "the value is the same"});
    }
    current.bytes = bytes;
    current.value = std::move(value);
    return true;
  } catch (const Error& error) {
    return refused(error.info().what);
  } catch (const std::exception& error) {
    return refused(error.what());
  }
}

void Edits::refuse(const Subject& subject, const std::string& path, std::string why) {
  facts_.push_back({subject.node,
                    subject.item,
                    path,
                    false,
                    {{.reason = Reason::invalid_edit,
                      .subject = path,
                      .file = tools_.ledger.artifact_file(path),
                      .detail = std::move(why)}}});
}

/// The stage's own value comes back; what the user wrote is kept in .resumable/removed.
void Edits::reject(const Subject& subject, const std::vector<Edited>& files) {
  const detail::Node& node = tools_.graph.nodes[subject.node];
  auto current = this->current(subject);
  if (!current) return;
  const plan::Row& row = *current->next.previous;
  record::Draft draft = draft_of(*current);
  if (row.head.has(core::edited) && current->next.made) {
    const plan::Row& made = *current->next.made;
    const auto header = tools_.facts.header(current->key.path, made.generation);
    if (!header) return;
    auto exports = std::move(draft.header.exports);
    draft.head = made.head;
    draft.header = *header;
    draft.header.confirmed.clear();
    draft.header.exports = std::move(exports);
    draft.payload = tools_.facts.payload(current->key.path, made.generation);
    current->value = node.type->decode(draft.payload, made.head.schema);
  }
  std::vector<Cause> causes;
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < draft.header.exports.size() && i < node.artifacts.size(); ++i) {
    core::Export& one = draft.header.exports[i];
    const plan::Look look = tools_.ledger.look(one.path);
    const bool persons =
        std::ranges::find(files, one.path, &Edited::path) != files.end() || one.edited;
    one = export_of(one, node.artifacts[i], *node.type, current->value.get());
    if (!persons) continue;
    if (look.state == plan::Look::State::file && look.digest != one.digest) {
      copies.push_back(one.path);
    }
    causes.push_back({.reason = Reason::rejected,
                      .subject = one.path,
                      .file = tools_.ledger.artifact_file(one.path),
                      .detail = fmt::format("a copy is kept in {}/removed", core::own_folder)});
  }
  propose(subject, std::move(draft), std::move(causes), std::move(copies));
}

/// A disputed value is the user's from now on.
void Edits::accept(const Subject& subject) {
  auto current = this->current(subject);
  if (!current || !current->next.previous->head.has(core::disputed)) return;
  record::Draft draft = draft_of(*current);
  draft.head.flags = static_cast<std::uint8_t>(draft.head.flags & ~core::disputed);
  draft.header.collisions.clear();
  for (core::Export& one : draft.header.exports) {
    if (!one.is_nothing()) one.order = newest;
  }
  propose(subject, std::move(draft), {{.reason = Reason::edited, .detail = "your edit is kept"}},
          {});
}

/// Edits that were taken over earlier may still be rejected, and disputed ones be accepted.
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
        if (row == nullptr || row->head.flags == 0) continue;
        const auto header = tools_.facts.header(path, row->generation);
        if (header) subjects.push_back({choice.node, header->key.substr(stage.size() + 1)});
      }
    }
    for (const Subject& subject : subjects) {
      const bool seen = std::ranges::any_of(proposals_, [&](const Proposal& one) {
        return one.subject.node == subject.node && one.subject.item == subject.item;
      });
      const core::Key key =
          subject.item.empty() ? core::stage_key(stage) : core::item_key(stage, subject.item);
      const plan::Row* row = tools_.facts.current(key.path);
      if (!seen && row != nullptr && row->head.flags != 0) act(subject);
    }
  };
  for (const Choice& one : reject_) each(one, [&](const Subject& s) { reject(s, {}); });
  for (const Choice& one : accept_) each(one, [&](const Subject& s) { accept(s); });
}

void Edits::propose(const Subject& subject, record::Draft draft, std::vector<Cause> causes,
                    std::vector<std::string> copies) {
  tools_.facts.note(draft.key.path, draft.generation, draft.head,
                    std::make_shared<const core::Header>(draft.header));
  tools_.ledger.note_exports(subject.node, subject.item, draft.header.exports);
  facts_.push_back({subject.node, subject.item, {}, true, std::move(causes)});
  proposals_.push_back({subject, std::move(draft), std::move(copies)});
}

}  // namespace resumable::exports
