#include "exports/appended_edits.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {
namespace {

constexpr std::size_t splits_tried = 16;

std::string item_name(const std::string& key) {
  return fmt::format("item '{}'", core::printable(key));
}

}  // namespace

/// A file that is not as it was left.
struct AppendedEdits::File {
  std::uint32_t node = 0;
  const detail::Artifact& artifact;
  AppendedSoFar known;
  std::string text{};
};

/// A part of it that is not its item's text.
struct AppendedEdits::Change {
  std::size_t place = 0;  ///< of the item in the file
  std::string_view text;
  std::optional<Current> current{};  ///< nullopt: it is not read back
  bool is_new = false;               ///< its value is another one
  std::vector<Cause> causes{};
};

/// The changes that one split implies, or why it is not possible.
struct AppendedEdits::Attempt {
  std::vector<Change> changes;
  std::string problem;
};

std::optional<AppendedEdit> AppendedEdits::look(std::uint32_t node,
                                                const detail::Artifact& artifact) const {
  using State = plan::AppendedLook::State;
  const auto known = tools_.ledger.appended(artifact.pattern);
  const plan::AppendedLook look = tools_.ledger.look_appended(artifact.pattern);
  const bool edited = look.state == State::edited;
  const bool longer = look.state == State::as_left && known && !known->parts.empty() &&
                      !known->former && look.bytes > known->bytes && artifact.parse;
  if (!known || tools_.graph.recorded || (!edited && !longer)) return std::nullopt;
  File file{node, artifact, *known};
  // Bytes after the known ones are ours if an item may have been appended since.
  if (longer && has_more_items(file, true)) return std::nullopt;
  if (const auto error = tools_.folder.read(artifact.pattern, file.text)) {
    return refuse(file, Reason::unreadable, tools_.ledger.unread(artifact.pattern, error));
  }
  if (rejects_({node, {}})) return give_up(file);
  AppendedEdit edit =
      artifact.parse
          ? take_over(file)
          : refuse(file, Reason::invalid_edit,
                   "it was changed by hand, and is declared without a parse that reads it back");
  if (!edit.proposal && tools_.runs_again[node]) return give_up(file);
  return edit;
}

/// Whether items were committed, since the file was recorded, that are not in it.
bool AppendedEdits::has_more_items(const File& file, bool of_same_lease) const {
  const std::string& stage = tools_.graph.nodes[file.node].name;
  const plan::Row* recorded =
      tools_.facts.current(core::own_key("appended", file.artifact.pattern).path);
  if (recorded == nullptr) return true;
  std::set<std::string> in_file;
  for (const auto& part : file.known.parts) in_file.insert(core::item_key(stage, part.key).path);
  return std::ranges::any_of(tools_.facts.item_paths(stage), [&](const std::string& path) {
    const plan::Row* row = tools_.facts.current(path);
    if (row == nullptr || in_file.contains(path)) return false;
    return row->head.fence > recorded->head.fence ||
           (of_same_lease && row->head.fence == recorded->head.fence);
  });
}

AppendedEdit AppendedEdits::refuse(const File& file, Reason reason, const std::string& why) const {
  const std::string& path = file.artifact.pattern;
  Cause cause{
      .reason = reason,
      .subject = path,
      .file = tools_.ledger.artifact_file(path),
      .detail =
          fmt::format("{}; it stays as it is. Move it away; or discard the change: the file is "
                      "written again, and a copy is kept",
                      why),
      .advice = {{.option = Option::reject, .selector = tools_.graph.nodes[file.node].shown()}}};
  return {std::nullopt, {{file.node, {}, path, false, {std::move(cause)}}}};
}

/// The file is written again from the existing values, after a copy is kept.
AppendedEdit AppendedEdits::give_up(const File& file) const {
  const std::string& path = file.artifact.pattern;
  AppendedSoFar known{file.known.items, {},  file.text.size(), digest(file.text),
                      file.known.parts, true};
  AppendedEdit edit;
  edit.proposal = {
      .node = file.node, .values = {}, .copies = {}, .appended = {{path, std::move(known)}}};
  edit.facts.push_back(
      {file.node,
       {},
       path,
       true,
       {{.reason = Reason::rejected,
         .subject = path,
         .file = tools_.ledger.artifact_file(path),
         .detail = fmt::format("a copy is kept in {}/removed", core::own_folder)}}});
  return edit;
}

AppendedEdit AppendedEdits::take_over(const File& file) const {
  const auto cannot = [&](const std::string& why) {
    return refuse(file, Reason::invalid_edit, why);
  };
  if (file.known.former) return cannot("a call was killed while it wrote the file again");
  if (file.known.parts.size() != file.known.items) {
    return cannot("it was not recorded which text in it belongs to which item");
  }
  std::vector<std::string> texts;
  std::vector<std::size_t> places;  // of the items that have a text
  std::string all;
  for (std::size_t i = 0; i < file.known.parts.size(); ++i) {
    auto text = former_text(file, file.known.parts[i]);
    if (!text) {
      return cannot(fmt::format("the former text of {} is not recorded any more",
                                item_name(file.known.parts[i].key)));
    }
    all += *text;
    if (text->empty()) continue;
    texts.push_back(*std::move(text));
    places.push_back(i);
  }
  if (digest(all) != file.known.digest) {
    return cannot("the program now renders its items differently than before the change");
  }
  if (has_more_items(file, false)) {
    return cannot("a call that was killed may have appended to it since");
  }
  const auto splits = splits_of({texts.begin(), texts.end()}, file.text, splits_tried);
  if (splits.empty()) return cannot("the change cannot be assigned to items");
  std::vector<Attempt> good;
  std::string problem;
  for (const Split& split : splits) {
    Attempt one = attempt(file, split, places);
    if (one.problem.empty()) {
      good.push_back(std::move(one));
    } else if (problem.empty()) {
      problem = std::move(one.problem);
    }
  }
  if (good.empty()) return cannot(problem);
  if (good.size() > 1 || splits.size() == splits_tried) {
    std::string whose = "the change could belong to several items";
    for (const Attempt& one : good) {
      if (!one.changes.empty()) {
        whose += (&one == &good.front() ? ": " : " or ") +
                 item_name(file.known.parts[one.changes.front().place].key);
      }
    }
    return cannot(whose);
  }
  return propose(file, std::move(good.front().changes));
}

const plan::Row* AppendedEdits::row_of(const std::string& path, const Digest& identity) const {
  for (const plan::Row& row : tools_.facts.rows(path)) {
    if (row.is_whole() && row.head.identity == identity) return &row;
  }
  return nullptr;
}

/// The text that an item had in the file; nullopt: its value no longer exists.
std::optional<std::string> AppendedEdits::former_text(const File& file,
                                                      const AppendedSoFar::Part& part) const {
  const detail::Node& node = tools_.graph.nodes[file.node];
  const core::Key key = core::item_key(node.name, part.key);
  const plan::Row* row = row_of(key.path, part.identity);
  if (row == nullptr) return std::nullopt;
  try {
    const auto value = tools_.facts.value(key.path, *row, *node.type);
    return (*file.artifact.render)(value.get()).value_or("");
  } catch (const record::DamagedRecord&) {
    return std::nullopt;
  } catch (const std::exception&) {  // of the renderer, too
    return std::nullopt;
  }
}

AppendedEdits::Attempt AppendedEdits::attempt(const File& file, const Split& split,
                                              const std::vector<std::size_t>& places) const {
  Attempt attempt;
  for (const std::size_t i : split.changed) {
    Change change{.place = places[i], .text = split.parts[i]};
    attempt.problem = take(file, change);
    if (!attempt.problem.empty()) return attempt;
    attempt.changes.push_back(std::move(change));
  }
  return attempt;
}

/// Reads one part back; returns why that cannot be, or nothing.
std::string AppendedEdits::take(const File& file, Change& change) const {
  const AppendedSoFar::Part& part = file.known.parts[change.place];
  const std::string name = item_name(part.key);
  const Subject subject{file.node, part.key};
  const std::string& path = file.artifact.pattern;
  const std::string full = tools_.ledger.artifact_file(path);
  if (change.text.empty()) {
    change.causes.push_back({.reason = Reason::restored,
                             .subject = path,
                             .file = full,
                             .detail = fmt::format("the text of {} is missing from it", name)});
    return {};
  }
  if (rejects_(subject)) {
    change.causes.push_back(
        {.reason = Reason::rejected,
         .subject = path,
         .file = full,
         .detail = fmt::format("{}; a copy is kept in {}/removed", name, core::own_folder)});
    return {};
  }
  if (is_edited_(subject)) return name + " was edited in another file as well: edit one of them";
  change.current = tools_.values.current(subject);
  if (!change.current) return name + " has no checkpoint that can be read";
  Current& current = *change.current;
  Written written{
      .artifact = file.artifact, .text = std::string{change.text}, .file = full, .place = name};
  if (current.next.previous->head.identity != part.identity) {
    written.base = tools_.values.bytes_of(current, *row_of(current.key.path, part.identity));
  }
  const std::string before = current.bytes;
  if (!tools_.values.take(current, written, change.causes)) return change.causes.back().detail;
  change.is_new = current.bytes != before;
  return {};
}

AppendedEdit AppendedEdits::propose(const File& file, std::vector<Change> changes) const {
  const detail::Node& node = tools_.graph.nodes[file.node];
  const std::string& path = file.artifact.pattern;
  AppendedEdit edit;
  edit.proposal.emplace().node = file.node;
  AppendedSoFar known{file.known.items, {},  file.text.size(), digest(file.text),
                      file.known.parts, true};
  bool as_shown = true;  // whether the file shows the values as they are now
  for (Change& change : changes) {
    AppendedSoFar::Part& part = known.parts[change.place];
    if (change.current) {
      Current& current = *change.current;
      record::Draft draft = tools_.values.edited_draft(current, change.is_new);
      part.identity = draft.head.identity;
      const auto text = (*file.artifact.render)(current.value.get());
      as_shown = as_shown && text.value_or("") == change.text;
      for (std::size_t i = 0; change.is_new && i < draft.header.exports.size(); ++i) {
        core::Export& one = draft.header.exports[i];
        if (i < node.artifacts.size()) {
          one = tools_.values.export_of(one, node.artifacts[i], *node.type, current.value.get());
        }
      }
      if (change.is_new || !current.collisions.empty()) {
        edit.proposal->values.push_back({current.subject, std::move(draft)});
      }
    } else {
      as_shown = false;
    }
    edit.facts.push_back({file.node, part.key, path, true, std::move(change.causes)});
  }
  if (as_shown) known.sequence = sequence_of(known.parts);
  edit.proposal->appended = {path, std::move(known)};
  return edit;
}

}  // namespace resumable::exports
