/// @file
/// Facts written by hand, so that a test of planning needs neither a store nor a run.
///
///     facts.input("company", "Acme");
///     facts.value("deck", "12 slides", {{"company", "Acme"}});
///     facts.newest("deck").revision(2).torn();
///
/// A value's identity is the digest of its text: a test names values, never digests.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "core/key.hpp"
#include "plan/decider.hpp"
#include "plan/facts.hpp"

namespace resumable::test {

/// Names of inputs with the texts of their values.
using Given = std::vector<std::pair<std::string, std::string>>;

/// One record that a test is describing. Valid until the next record of the same path is added.
struct Written {
  plan::Row& row;
  core::Header& header;
  bool& header_lost;

  const Written& revision(std::uint32_t number) const {
    row.head.revision = number;
    return *this;
  }
  const Written& schema(std::uint32_t number) const {
    row.head.schema = number;
    return *this;
  }
  const Written& codec(CodecId codec) const {
    row.head.codec = codec;
    return *this;
  }
  const Written& fence(std::uint64_t number) const {
    row.head.fence = number;
    return *this;
  }
  const Written& damaged(Damage damage) const {
    row.damage = damage;
    return *this;
  }
  const Written& torn() const { return damaged(Damage::torn); }
  const Written& set_aside() const {
    row.quarantined = true;
    return *this;
  }
  const Written& without_header() const {
    header_lost = true;
    return *this;
  }
  const Written& saved(std::string utc) const {
    header.at = std::move(utc);
    return *this;
  }
  const Written& attempts(unsigned count) const {
    header.attempts = count;
    return *this;
  }
  const Written& took(double seconds, double usd) const {
    header.seconds = seconds;
    header.cost.usd = usd;
    return *this;
  }
  const Written& shaped(std::string text, std::uint32_t hash) const {
    row.head.shape = hash;
    header.shape = std::move(text);
    return *this;
  }
  /// Exports `path` with this content; `order` says which of several exports came last.
  const Written& exports(std::string path, std::string_view content, std::uint64_t order,
                         std::optional<std::string> before = {}) const {
    core::Export one{std::move(path), digest(content), {}, order};
    if (before) one.before = digest(*before);
    header.exports.push_back(std::move(one));
    return *this;
  }
};

class FakeFacts final : public plan::Facts, public plan::Exports {
 public:
  explicit FakeFacts(const detail::Graph& graph) : graph_(graph) {}

  // ---- inputs -----------------------------------------------------------------------------------

  void input(const std::string& name, const std::string& text) {
    inputs_[name] = {.known = true, .identity = digest(text), .text = text};
    texts_[{name, digest(text)}] = text;
  }
  void lost_input(const std::string& name, Reason reason, std::string file = {}) {
    inputs_[name] = {.known = false,
                     .identity = {},
                     .text = {},
                     .reason = reason,
                     .problem = {},
                     .file = std::move(file)};
  }
  /// What a value is called in messages; a text that nobody remembers shows as its digest.
  void remember(const std::string& name, const std::string& text) {
    texts_[{name, digest(text)}] = text;
  }

  // ---- records ----------------------------------------------------------------------------------

  /// The next generation of a stage's value, made from these inputs.
  Written value(std::string_view stage, std::string_view text, const Given& made_from) {
    return add(core::stage_key(stage), core::Kind::value, type_of(stage), text, made_from);
  }
  Written item(std::string_view stage, std::string_view key, std::string_view text,
               const Given& made_from) {
    return add(core::item_key(stage, key), core::Kind::value, type_of(stage), text, made_from);
  }
  Written outcome(std::string_view condition, bool outcome, const Given& made_from) {
    conditions_[std::string{condition}] = outcome;
    return add(core::own_key("condition", condition), core::Kind::condition, type_of(condition),
               outcome ? "true" : "false", made_from);
  }
  void forget_outcome(const std::string& condition) { conditions_.erase(condition); }
  using plan::Exports::list;  // of a folder's files
  /// The items of a fan-out, as listed when the list's value was `list`. Equal keys have equal
  /// content.
  Written list(std::string_view stage, std::string_view list,
               const std::vector<std::string>& keys) {
    auto items = std::make_shared<plan::ItemList>();
    items->list = digest(list);
    for (const std::string& key : keys) {
      items->keys.push_back(key);
      items->digests.push_back(digest(key));
    }
    if (items->find_repeats()) throw std::logic_error{"one key with different content"};
    lists_[std::string{stage}] = items;
    Written record = add(core::own_key("items", stage), core::Kind::items, nullptr, "", {});
    record.row.head.fingerprint = digest(list);
    return record;
  }
  /// What an item of a queue has enqueued with the value that it made from these inputs.
  void enqueued(const std::string& stage, const std::string& item, const Given& made_from,
                const Given& elements) {
    auto all = std::make_shared<plan::Enqueued>();
    for (const auto& [key, text] : elements) all->elements.push_back({key, digest(text), nullptr});
    enqueued_[{stage, item}] = {fingerprint_of(made_from), std::move(all)};
  }
  void forget_enqueued(const std::string& stage, const std::string& item) {
    enqueued_.erase({stage, item});
  }
  /// A failed attempt.
  Written failed(std::string_view stage, std::string_view item, const Given& made_from) {
    return add(core::about_key("attempt", stage, item), core::Kind::attempt, nullptr, "",
               made_from);
  }
  void approval(const std::string& stage, const std::string& item, const Given& made_from,
                plan::Approval state, std::string message = {}) {
    approvals_[{stage, item}] = {fingerprint_of(made_from), {state, std::move(message)}};
  }
  /// A step, progress or other record that an unfinished attempt left behind.
  Written inside(core::Kind kind, const std::string& stage, const std::string& item,
                 std::string_view name, const Given& made_from) {
    return inside_at(core::inside_key(core::to_string(kind), stage, item, name), kind, stage, item,
                     made_from);
  }
  Written inside_at(const core::Key& key, core::Kind kind, const std::string& stage,
                    const std::string& item, const Given& made_from) {
    std::vector<std::string>& paths = inside_[{stage, item}];
    if (std::find(paths.begin(), paths.end(), key.path) == paths.end()) paths.push_back(key.path);
    Written record = add(key, kind, nullptr, "", made_from);
    record.row.head.codec = CodecId::json;
    return record;
  }
  /// A record at any path.
  Written add(const core::Key& key, core::Kind kind, const detail::ValueType* type,
              std::string_view text, const Given& made_from) {
    Path& path = paths_[key.path];
    plan::Row row;
    row.generation = path.rows.size() + 1;
    row.head.kind = kind;
    row.head.codec = type != nullptr ? type->codec : CodecId::none;
    row.head.schema = type != nullptr ? type->version : 1;
    row.head.identity = digest(text);
    row.head.fingerprint = fingerprint_of(made_from);
    row.head.fence = 1;
    Entry entry;
    entry.header.key = key.full;
    entry.header.at = "2026-01-01T00:00:00Z";
    for (const auto& [name, value] : made_from) {
      entry.header.inputs.push_back({name, identity(value)});
    }
    path.rows.push_back(row);
    path.entries.push_back(std::make_unique<Entry>(std::move(entry)));
    return newest_at(key.path);
  }

  [[nodiscard]] Written newest(std::string_view stage) {
    return newest_at(core::stage_key(stage).path);
  }
  [[nodiscard]] Written newest(std::string_view stage, std::string_view item) {
    return newest_at(core::item_key(stage, item).path);
  }
  [[nodiscard]] Written newest_at(const std::string& path) {
    Path& found = paths_.at(path);
    return {found.rows.back(), found.entries.back()->header, found.entries.back()->lost};
  }
  void erase(std::string_view stage) { paths_.erase(core::stage_key(stage).path); }
  void erase(std::string_view stage, std::string_view item) {
    paths_.erase(core::item_key(stage, item).path);
  }
  /// Also what was made from its value.
  void never_ran(const std::string& stage) {
    erase(stage);
    std::erase_if(paths_, [&](const auto& one) {
      const auto& inputs = one.second.entries.back()->header.inputs;
      return std::ranges::count(inputs, stage, &core::InputIdentity::name) != 0;
    });
  }
  void time(std::chrono::system_clock::time_point now) { now_ = now; }

  /// The identity of a fan-out's value, `{team=4, market=6}` in the order of its list; otherwise of
  /// the text itself.
  [[nodiscard]] static Digest identity(std::string_view text) {
    if (!text.starts_with('{') || !text.ends_with('}')) return digest(text);
    text = text.substr(1, text.size() - 2);
    Digester digester;
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(", "), text.size());
      const std::string_view one = text.substr(0, comma);
      digester.add(one.substr(0, one.find('='))).add(digest(one.substr(one.find('=') + 1)));
      text.remove_prefix(std::min(comma + 2, text.size()));
    }
    return digester.finish();
  }
  [[nodiscard]] static Digest fingerprint_of(Given inputs) {
    std::sort(inputs.begin(), inputs.end());
    Digester digester;
    for (const auto& [name, text] : inputs) digester.add(name).add(identity(text));
    return digester.finish();
  }

  // ---- artifacts --------------------------------------------------------------------------------

  bool folder = false;  ///< whether there is one to export into
  /// A file that is there, with this content.
  void file(const std::string& path, std::string_view content) {
    looks_[path] = {plan::Look::State::file, digest(content), {}};
  }
  void no_file(const std::string& path) { looks_.erase(path); }
  void odd_file(const std::string& path, plan::Look::State state, std::string problem) {
    looks_[path] = {state, {}, std::move(problem)};
  }
  void appended_file(const std::string& path, plan::AppendedLook look) {
    appended_[path] = std::move(look);
  }
  /// The export with this order is known to have been finished.
  void confirm(const std::string& path, std::string_view content, std::uint64_t order) {
    confirmed_[path] = {path, digest(content), {}, order};
  }

  // ---- plan::Facts, plan::Exports
  // ----------------------------------------------------------------

  [[nodiscard]] std::span<const plan::Row> rows(std::string_view path) const override {
    const auto found = paths_.find(path);
    return found == paths_.end() ? std::span<const plan::Row>{} : found->second.rows;
  }
  [[nodiscard]] std::optional<core::Header> header(std::string_view path,
                                                   std::uint64_t generation) const override {
    const auto found = paths_.find(path);
    if (found == paths_.end() || generation > found->second.rows.size()) return std::nullopt;
    const Entry& entry = *found->second.entries[generation - 1];
    return entry.lost ? std::nullopt : std::optional{entry.header};
  }
  [[nodiscard]] std::shared_ptr<const plan::ItemList> items(std::string_view stage,
                                                            std::uint32_t revision) const override {
    const plan::Row* row = plan::newest_whole(rows(core::own_key("items", stage).path));
    if (row == nullptr || row->head.revision != revision) return nullptr;
    return lists_.find(stage)->second;
  }
  [[nodiscard]] std::shared_ptr<const plan::ItemList> recorded_list(
      std::string_view stage) const override {
    const plan::Row* row = plan::newest_whole(rows(core::own_key("items", stage).path));
    return row != nullptr ? lists_.find(stage)->second : nullptr;
  }
  [[nodiscard]] std::uint64_t forgotten() const override { return forgotten_; }
  void forgotten(std::uint64_t fence) { forgotten_ = fence; }
  [[nodiscard]] std::shared_ptr<const plan::Enqueued> enqueued(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const override {
    const auto found = enqueued_.find({std::string{stage}, std::string{item}});
    const bool fits = found != enqueued_.end() && found->second.first == fingerprint;
    return fits ? found->second.second : nullptr;
  }
  [[nodiscard]] std::optional<bool> condition(std::string_view name) const override {
    const auto found = conditions_.find(name);
    return found == conditions_.end() ? std::nullopt : std::optional{found->second};
  }
  [[nodiscard]] std::string failure(std::string_view /*path*/,
                                    const plan::Row& /*row*/) const override {
    return {};
  }
  [[nodiscard]] std::pair<plan::Approval, std::string> approval(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const override {
    const auto found = approvals_.find({std::string{stage}, std::string{item}});
    const bool fits = found != approvals_.end() && found->second.first == fingerprint;
    return fits ? found->second.second : std::pair{plan::Approval::none, std::string{}};
  }
  [[nodiscard]] plan::InputFact input(std::uint32_t node) const override {
    const auto found = inputs_.find(graph_.nodes[node].name);
    return found == inputs_.end() ? plan::InputFact{} : found->second;
  }
  [[nodiscard]] std::string input_text(std::string_view name,
                                       const Digest& identity) const override {
    const auto found = texts_.find({std::string{name}, identity});
    return found == texts_.end() ? std::string{} : found->second;
  }
  [[nodiscard]] std::string locate(std::string_view path, std::uint64_t generation) const override {
    return std::string{path} + "." + std::to_string(generation);
  }
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return now_; }
  [[nodiscard]] std::vector<std::string> item_paths(std::string_view stage) const override {
    const std::string prefix = std::string{stage} + "/";
    return whole_paths([&](const std::string& path) { return path.starts_with(prefix); });
  }
  [[nodiscard]] std::vector<std::string> inside_paths(std::string_view stage,
                                                      std::string_view item) const override {
    const auto found = inside_.find({std::string{stage}, std::string{item}});
    return found == inside_.end() ? std::vector<std::string>{} : found->second;
  }
  [[nodiscard]] std::vector<std::string> stored_stages() const override {
    std::vector<std::string> names;
    for (const std::string& path :
         whole_paths([](const std::string& one) { return !one.starts_with('@'); })) {
      std::string name = path.substr(0, path.find('/'));
      if (names.empty() || names.back() != name) names.push_back(std::move(name));
    }
    return names;
  }
  [[nodiscard]] std::vector<DamagedRow> damaged() const override {
    std::vector<DamagedRow> result;
    for (const auto& [path, found] : paths_) {
      for (const plan::Row& row : found.rows) {
        if (row.damage == Damage::none || row.quarantined) continue;
        result.push_back({path, row.generation, row.damage});
      }
    }
    return result;
  }
  [[nodiscard]] bool exports() const override { return folder; }
  [[nodiscard]] plan::Look look(std::string_view artifact) const override {
    const auto found = looks_.find(artifact);
    return found == looks_.end() ? plan::Look{} : found->second;
  }
  [[nodiscard]] plan::AppendedLook look_appended(std::string_view path) const override {
    const auto found = appended_.find(path);
    return found == appended_.end() ? plan::AppendedLook{} : found->second;
  }
  [[nodiscard]] const core::Export* confirmed(std::string_view artifact) const override {
    const auto found = confirmed_.find(artifact);
    return found == confirmed_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string artifact_file(std::string_view artifact) const override {
    return "folder/" + std::string{artifact};
  }

 private:
  struct Entry {
    core::Header header;
    bool lost = false;
  };
  struct Path {
    std::vector<plan::Row> rows;
    std::vector<std::unique_ptr<Entry>> entries;
  };
  using About = std::pair<std::string, std::string>;  ///< a stage, and an item or ""

  [[nodiscard]] const detail::ValueType* type_of(std::string_view node) const {
    return graph_.nodes.at(graph_.find(node)).type;
  }
  template <class Wanted>
  [[nodiscard]] std::vector<std::string> whole_paths(const Wanted& wanted) const {
    std::vector<std::string> result;
    for (const auto& [path, found] : paths_) {
      if (wanted(path) && plan::newest_whole(found.rows) != nullptr) result.push_back(path);
    }
    return result;
  }

  const detail::Graph& graph_;
  std::chrono::system_clock::time_point now_{
      std::chrono::sys_days{std::chrono::January / 2 / 2026}};
  std::map<std::string, plan::InputFact> inputs_;
  std::map<std::pair<std::string, Digest>, std::string> texts_;
  std::map<std::string, Path, std::less<>> paths_;
  std::map<std::string, std::shared_ptr<const plan::ItemList>, std::less<>> lists_;
  std::uint64_t forgotten_ = 0;
  std::map<About, std::pair<Digest, std::shared_ptr<const plan::Enqueued>>> enqueued_;
  std::map<std::string, bool, std::less<>> conditions_;
  std::map<About, std::pair<Digest, std::pair<plan::Approval, std::string>>> approvals_;
  std::map<About, std::vector<std::string>> inside_;
  std::map<std::string, plan::Look, std::less<>> looks_;
  std::map<std::string, plan::AppendedLook, std::less<>> appended_;
  std::map<std::string, core::Export, std::less<>> confirmed_;
};

}  // namespace resumable::test
