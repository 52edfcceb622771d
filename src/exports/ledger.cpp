#include "exports/ledger.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/key.hpp"
#include "exports/growing_file.hpp"

namespace resumable::exports {
namespace {

constexpr const char* lost_problem =
    "the record of what was last exported there is lost, and the file was changed since, so it is "
    "unknown what was changed. Move it away";
constexpr const char* killed_problem =
    "a process was killed while it exported the file, and the file was changed since, so it is "
    "unknown what was changed. Move it away";

plan::AppendedLook unread_marks(std::error_code error) {
  return {plan::AppendedLook::State::unreadable,
          fmt::format("what was exported there cannot be read: {}/exports ({})", core::own_folder,
                      error.message())};
}

plan::Look::State state_of(Found::State state) {
  switch (state) {
    case Found::State::missing: return plan::Look::State::missing;
    case Found::State::file: return plan::Look::State::file;
    case Found::State::odd: return plan::Look::State::odd;
    case Found::State::unreadable: break;
  }
  return plan::Look::State::unreadable;
}

}  // namespace

std::error_code ExportLedger::cause_of(const std::string& file) const {
  const auto found = causes_.find(file);
  return found == causes_.end() ? std::error_code{} : found->second;
}

std::optional<AppendedSoFar> ExportLedger::appended(std::string_view path) const {
  if (const auto noted = appended_.find(path); noted != appended_.end()) return noted->second;
  const std::string record = core::own_key("appended", path).path;
  const plan::Row* row = facts_.current(record);
  if (row == nullptr && facts_.rows(record).empty()) return std::nullopt;
  if (row == nullptr) return AppendedSoFar{0, Digester{}.finish(), 0, Digester{}.finish()};
  return parse_appended(facts_.text_of(record, *row));
}

plan::AppendedLook ExportLedger::look_appended(std::string_view path) const {
  if (!looks_at_) return find_appended(path);
  const auto [look, fresh] = appended_looks_.try_emplace(std::string{path});
  if (fresh) look->second = find_appended(path);
  return look->second;
}

plan::AppendedLook ExportLedger::find_appended(std::string_view path) const {
  using State = plan::AppendedLook::State;
  const auto known = appended(path);
  const auto look = GrowingFile::look(*folder_, path, known ? known->bytes : 0);
  if (look.error == std::errc::no_such_file_or_directory) {
    return {known && known->bytes > 0 ? State::missing : State::as_left, {}};
  }
  if (look.error) return {State::unreadable, unread(path, look.error)};
  if (!known) return {State::foreign, "a foreign file is in its place"};
  const bool begins_so = look.size >= known->bytes && look.digest == known->digest;
  if (begins_so && look.size == known->bytes) return {State::as_left, {}, look.size};
  const auto whole = GrowingFile::look(*folder_, path, UINT64_MAX);
  if (whole.error) return {State::unreadable, unread(path, whole.error)};
  if (known->former && whole.digest == known->former->digest) return {};
  Mark mark;
  const std::string record = core::own_key("appended", path).path;
  if (const auto error = folder_->marks().find(record, mark)) return unread_marks(error);
  // What follows the known bytes is a user's only if we did not leave it like that.
  if (mark.order > 0 && mark.content == whole.digest) return {State::as_left, {}, known->bytes};
  const plan::Row* row = facts_.current(record);
  const std::uint64_t generation = row == nullptr ? mark.order : row->generation;
  if (mark.order > generation) return {State::unclear, lost_problem};
  if (mark.order == generation && mark.order > 0 && !mark.placed) {
    return {State::unclear, killed_problem};
  }
  if (begins_so) return {State::as_left, {}, look.size};
  return {State::edited, "it was changed by hand"};
}

std::string ExportLedger::unread(std::string_view artifact, std::error_code error) const {
  causes_.insert_or_assign(artifact_file(artifact), error);
  return "it cannot be read (" + error.message() + ")";
}

plan::Look ExportLedger::look(std::string_view artifact) const {
  const auto cached = looks_.find(artifact);
  if (cached != looks_.end()) return cached->second;
  const auto is_ours = [&](const Digest& content) { return is_known(artifact, content); };
  const Found found = looks_at_ ? looks_at_->at(artifact, is_ours) : folder_->look(artifact);
  plan::Look look;
  look.state = state_of(found.state);
  look.digest = found.digest;
  look.problem = found.problem;
  if (found.cause) causes_[folder_->full(artifact)] = found.cause;
  looks_[std::string{artifact}] = look;
  return look;
}

ExportLedger::Listing ExportLedger::list(std::string_view folder) const {
  Listing listing;
  const auto error = folder_->list(folder, listing.files);
  if (!error) return listing;
  listing.problem = error.message();
  causes_.insert_or_assign(artifact_file(folder), error);
  return listing;
}

std::string ExportLedger::why_unwritable() const {
  if (graph_.recorded) return {};  // whoever reads it without its program exports nothing
  const auto error = folder_->may_write();
  if (!error) return {};
  causes_.insert_or_assign(artifact_file(""), error);
  return error.message();
}

std::uint64_t ExportLedger::free_bytes() const {
  return graph_.recorded ? UINT64_MAX : folder_->free_bytes();
}

std::string ExportLedger::artifact_file(std::string_view artifact) const {
  return folder_ ? folder_->full(artifact) : std::string{artifact};
}

const core::Export* ExportLedger::confirmed(std::string_view artifact) const {
  const auto found = confirmed_.find(artifact);
  return found == confirmed_.end() ? nullptr : &found->second;
}

/// Whether some record has made this export, or a later one has taken its place.
bool ExportLedger::is_recorded(std::string_view artifact, std::uint64_t order,
                               const Digest& content) const {
  return std::ranges::any_of(writers(artifact), [&](const PathWriter& one) {
    return one.exported.order > order || one.exported.digest == content;
  });
}

bool ExportLedger::has_lost_export(std::string_view artifact) const {
  Mark mark;
  if (folder_->marks().find(artifact, mark) || mark.order == 0) return false;
  return !is_recorded(artifact, mark.order, mark.content);
}

/// The last export is known by its confirmation or by its mark.
std::optional<plan::Doubt> ExportLedger::doubt(std::string_view artifact) const {
  const core::Export* sure = confirmed(artifact);
  if (sure != nullptr && !is_recorded(artifact, sure->order, sure->digest)) {
    return plan::Doubt{sure->digest, lost_problem};
  }
  Mark mark;
  if (const auto error = folder_->marks().find(artifact, mark)) {
    return plan::Doubt{{}, unread_marks(error).problem, true};
  }
  if (mark.order <= (sure != nullptr ? sure->order : 0)) return std::nullopt;
  if (!is_recorded(artifact, mark.order, mark.content))
    return plan::Doubt{mark.content, lost_problem};
  if (!mark.placed) return plan::Doubt{{}, killed_problem};
  return std::nullopt;
}

std::optional<core::Export> ExportLedger::seen(std::string_view artifact) const {
  const core::Export* sure = confirmed(artifact);
  Mark mark;
  if (!folder_->marks().find(artifact, mark) && mark.placed &&
      mark.order > (sure != nullptr ? sure->order : 0)) {
    return core::Export{std::string{artifact}, mark.content, {}, mark.order};
  }
  return sure != nullptr ? std::optional{*sure} : std::nullopt;
}

void ExportLedger::note_confirmed(const core::Export& exported) {
  const auto known = confirmed_.find(exported.path);
  if (known != confirmed_.end() && known->second.order >= exported.order) return;
  confirmed_[exported.path] = exported;
  unrecorded_ = true;
}

void ExportLedger::note_published(const core::Export& exported) {
  note_confirmed(exported);
  looks_[exported.path] = {plan::Look::State::file, exported.digest, {}};
}

void ExportLedger::forget_published(const std::string& artifact) {
  if (confirmed_.erase(artifact) > 0) unrecorded_ = true;
  looks_.erase(artifact);
}

void ExportLedger::note_exports(std::uint32_t node, const std::string& item,
                                const std::vector<core::Export>& exports) {
  std::vector<std::string>& paths = exported_by_[{node, item}];
  for (const std::string& path : paths) {
    std::vector<PathWriter>& list = writers_[path];
    std::erase_if(list,
                  [&](const PathWriter& one) { return one.node == node && one.item == item; });
    if (list.empty()) writers_.erase(path);
  }
  paths.clear();
  for (const core::Export& one : exports) {
    if (one.is_nothing()) {
      without_file_.insert(one.path);
      continue;
    }
    without_file_.erase(one.path);
    writers_[one.path].push_back({node, item, one});
    paths.push_back(one.path);
  }
}

std::span<const PathWriter> ExportLedger::writers(std::string_view artifact) const {
  const auto found = writers_.find(artifact);
  return found == writers_.end() ? std::span<const PathWriter>{} : std::span{found->second};
}

bool ExportLedger::is_known(std::string_view artifact, const Digest& content) const {
  const core::Export* sure = confirmed(artifact);
  if (sure != nullptr && sure->digest == content) return true;
  const auto list = writers(artifact);
  return std::any_of(list.begin(), list.end(), [&](const PathWriter& one) {
    if (sure != nullptr && sure->order >= one.exported.order) return false;
    return one.exported.digest == content ||
           (one.exported.before && *one.exported.before == content);
  });
}

bool ExportLedger::is_edited(std::string_view artifact, const Digest& content) const {
  const core::Export* sure = confirmed(artifact);
  if (sure != nullptr && sure->edited && sure->digest == content) return true;
  const auto list = writers(artifact);
  return std::any_of(list.begin(), list.end(), [&](const PathWriter& one) {
    return one.exported.edited && one.exported.digest == content;
  });
}

bool ExportLedger::is_lost_edit(std::string_view artifact, const Digest& content) const {
  const core::Export* sure = confirmed(artifact);
  if (sure == nullptr || !sure->edited || sure->digest != content) return false;
  const bool adopted = std::ranges::any_of(
      writers(artifact), [&](const PathWriter& one) { return one.exported.digest == content; });
  return !adopted && std::ranges::count(foreign_exports(), artifact) == 0;
}

std::vector<std::string> ExportLedger::unfinished_paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, writers] : writers_) {
    const core::Export* sure = confirmed(path);
    const bool open = std::any_of(writers.begin(), writers.end(), [&](const PathWriter& one) {
      return sure == nullptr || sure->order < one.exported.order;
    });
    if (open) paths.push_back(path);
  }
  // Whether one of these was about to be written again is not recorded.
  for (const detail::Node& node : graph_.nodes) {
    for (const detail::Artifact& one : node.appended) paths.push_back(one.pattern);
  }
  return paths;
}

bool ExportLedger::has_lost_record(std::uint32_t node, const std::string& item) const {
  const std::string& stage = graph_.nodes[node].name;
  const core::Key key = item.empty() ? core::stage_key(stage) : core::item_key(stage, item);
  return plan::is_lost(facts_.rows(key.path));
}

bool ExportLedger::is_export(const Digest& content) const {
  for (const auto& [path, list] : writers_) {
    for (const PathWriter& one : list) {
      if (one.exported.digest == content) return true;
      if (one.exported.before && *one.exported.before == content) return true;
    }
  }
  for (const detail::Node& node : graph_.nodes) {
    for (const detail::Artifact& one : node.appended) {
      const auto known = appended(one.pattern);
      if (!known) continue;
      if (known->digest == content) return true;
      if (known->former && known->former->digest == content) return true;
    }
  }
  return false;
}

std::vector<std::string> ExportLedger::foreign_exports() const {
  std::vector<std::string> paths;
  for (const std::string& stage : facts_.stored_stages()) {
    if (graph_.records(stage)) continue;
    std::vector<std::string> records = facts_.item_paths(stage);
    records.push_back(stage);
    for (const std::string& record : records) {
      const plan::Row* row = facts_.current(record);
      const auto header = row != nullptr ? facts_.header(record, row->generation) : std::nullopt;
      if (!header) continue;
      for (const core::Export& one : header->exports) paths.push_back(one.path);
    }
  }
  return paths;
}

void ExportLedger::read_exporter(std::uint32_t node, const std::string& record) {
  const plan::Row* row = facts_.current(record);
  const auto found = row != nullptr ? facts_.header(record, row->generation) : std::nullopt;
  if (!found) return;
  const std::size_t slash = found->key.find('/');
  note_exports(node, slash == found->key.npos ? std::string{} : found->key.substr(slash + 1),
               found->exports);
  for (const core::Export& one : found->confirmed) {
    if (one.order > recorded_up_to_) note_confirmed(one);
  }
}

void ExportLedger::read() {
  if (!folder_) return;
  folder_->marks().of_run(facts_.uid());
  const std::string path = core::exported_key().path;
  if (const plan::Row* row = facts_.current(path)) {
    const auto json = core::Json::parse(facts_.text_of(path, *row), nullptr, false);
    for (const auto& entry :
         json.is_object() ? json.value("paths", core::Json::array()) : core::Json::array()) {
      const auto content = Digest::parse(entry.value("digest", ""));
      if (content) {
        note_confirmed({entry.value("path", ""),
                        *content,
                        {},
                        entry.value("order", 0ULL),
                        entry.value("edited", false)});
      }
    }
    recorded_up_to_ = json.is_object() ? json.value("order", 0ULL) : 0;
  }
  // What is known is recorded again when the newest record of it is damaged.
  unrecorded_ = plan::is_lost(facts_.rows(path));
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
    if (graph_.nodes[i].artifacts.empty()) continue;
    read_exporter(i, core::stage_key(graph_.nodes[i].name).path);
    for (const std::string& item : facts_.item_paths(graph_.nodes[i].name)) read_exporter(i, item);
  }
}

void ExportLedger::save(record::RunFacts& facts, record::Recorder& recorder) {
  while (!recorder.take_confirmed().empty()) {
  }
  if (!unrecorded_) return;
  core::OrderedJson list = core::OrderedJson::array();
  for (const auto& [path, one] : confirmed_) {
    list.push_back({{"path", path}, {"digest", one.digest.hex()}, {"order", one.order}});
    if (one.edited) list.back()["edited"] = true;
  }
  const core::OrderedJson json{{"order", recorder.order()}, {"paths", std::move(list)}};
  facts.commit(recorder, record::Draft::small(core::Kind::exported, core::exported_key(),
                                              CodecId::json, json.dump()));
  unrecorded_ = false;
}

}  // namespace resumable::exports
