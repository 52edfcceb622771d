#include "record/run_facts.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "record/former_names.hpp"
#include "record/items.hpp"
#include "record/record_table.hpp"
#include "record/requests.hpp"
#include "record/small_records.hpp"

namespace resumable::record {

using plan::Row;

RunFacts::RunFacts(const detail::Graph& graph, const CheckpointStore& store, std::string run,
                   sys::Clock& clock, sys::FileSystem& system)
    : RecordIndex(store, std::move(run)),
      graph_(&graph),
      inputs_(*this, system),
      now_(clock.wall()) {}

void RunFacts::gather(bool deep, Headers kept) {
  std::string stage;  // of the paths, which come in order
  Keep keeps = Keep::nothing;
  const auto keep = [&](std::string_view path) {
    const std::string_view first = path.substr(0, path.find('/'));
    if (first != stage) {
      stage = first;
      keeps = stage.starts_with('@')       ? Keep::nothing
              : may_export(stage)          ? Keep::all
              : kept == Headers::of_stages ? Keep::sums
                                           : Keep::nothing;
    }
    return keeps;
  };
  gather_records(kept == Headers::none ? std::nullopt : std::optional<Keeps>{keep});
  // The caller refuses such a run. Its inputs may have the names of ours, and other types.
  if (is_of_another_pipeline()) return;
  renamed_ = with_recorded_names(*graph_, *this);
  if (renamed_) graph_ = renamed_.get();
  prove_suspects();
  if (deep) prove_payloads(true);
  inputs_.read(*graph_);
  read_lists();
  constexpr std::size_t few = 4096;
  forget_small("@items/", few);
  forget_small("@input/", few);
}

bool RunFacts::is_of_another_pipeline() const noexcept {
  return !pipeline().empty() && pipeline() != graph_->pipeline;
}

/// The lists of fan-outs, whose text can be large and is not needed any more then. Those of lists
/// that are inputs are made of these.
void RunFacts::read_lists() {
  for (std::uint32_t i = 0; i < graph_->nodes.size(); ++i) {
    const detail::Node& node = graph_->nodes[i];
    if (node.kind != detail::NodeKind::fan_out) continue;
    if (is_input(graph_->nodes[graph_->each_arg(i).node])) continue;
    static_cast<void>(items(node.name, node.revision));
  }
}

/// A stage that the pipeline has no more may have exported anything.
bool RunFacts::may_export(std::string_view stage) const {
  const std::size_t node = graph_->find(stage);
  return node >= graph_->nodes.size() || !graph_->nodes[node].artifacts.empty();
}

/// What an item has enqueued is decoded only once.
void RunFacts::prove_small(const std::string& path, const Row& row) const {
  if (row.head.kind == core::Kind::queue) {
    static_cast<void>(read_enqueued(path, row));
  } else {
    RecordIndex::prove_small(path, row);
  }
}

std::shared_ptr<const plan::Closed> RunFacts::closed(std::string_view stage) const {
  const std::string path = core::about_path("closed", stage, "");
  const Row* row = all_rows().has_space("closed") ? current(path) : nullptr;
  auto closed = row != nullptr ? decode_closed(text_of(path, *row)) : nullptr;
  if (!closed) return nullptr;
  closed->fingerprint = row->head.fingerprint;
  closed->revision = row->head.revision;
  closed->fence = row->head.fence;
  return closed;
}

std::vector<std::pair<std::string, std::uint64_t>> RunFacts::records_that_left(
    LeftRecords& old) const {
  std::vector<std::pair<std::string, std::uint64_t>> records;
  if (old.empty()) return records;
  all_rows().each("", [&](std::string_view path, std::span<const plan::Row> list) {
    for (const plan::Row& row : list) {
      if (!old.may_go(path) || !row.is_whole()) continue;
      const auto found =
          row.head.kind == core::Kind::value ? header(path, row.generation) : std::nullopt;
      if ((row.head.flags & ~core::dropped) != 0 || (found && !found->adopted_by.empty()))
        old.keep(path);
    }
  });
  all_rows().each("", [&](std::string_view path, std::span<const plan::Row> list) {
    for (const plan::Row& row : list) {
      if (row.is_whole() && old.may_go(path)) records.emplace_back(path, row.generation);
    }
  });
  // Values last: if erasing is killed, they show that something is left to erase.
  std::stable_partition(records.begin(), records.end(),
                        [](const auto& one) { return one.first.starts_with('@'); });
  return records;
}

std::optional<Draft> RunFacts::forgetting(std::uint64_t fence) const {
  const core::Key key = core::run_key();
  const Row* row = current(key.path);
  RunRecord run = decode_run(row != nullptr ? text_of(key.path, *row) : "");
  if (!run.forgotten) return std::nullopt;
  run.forgotten = fence;
  return Draft::small(core::Kind::run, key, CodecId::json, encode_run(run));
}

void RunFacts::note_items(const std::string& stage, std::shared_ptr<const plan::ItemList> list) {
  lists_[stage] = std::move(list);
}

std::shared_ptr<const plan::ItemList> RunFacts::items(std::string_view stage,
                                                      std::uint32_t revision) const {
  if (auto listed = items_of_input(stage)) return listed;
  const std::string path = core::own_key("items", stage).path;
  const Row* row = current(path);
  if (row == nullptr || row->head.revision != revision) return nullptr;
  const auto cached = lists_.find(stage);
  if (cached != lists_.end() && cached->second->list == row->head.fingerprint)
    return cached->second;
  auto list = recorded_items(path, *row);
  if (list) lists_[std::string{stage}] = list;
  return list;
}

std::shared_ptr<const plan::ItemList> RunFacts::recorded_list(std::string_view stage) const {
  const auto cached = recorded_lists_.find(stage);
  if (cached != recorded_lists_.end()) return cached->second;
  const std::string path = core::own_key("items", stage).path;
  const Row* row = current(path);
  return recorded_lists_[std::string{stage}] =
             row != nullptr ? recorded_items(path, *row) : nullptr;
}

std::shared_ptr<const plan::ItemList> RunFacts::recorded_items(const std::string& path,
                                                               const Row& row) const {
  try {
    const auto bytes = payload(path, row.generation);
    if (const auto view = bytes->view()) return decode_items(*view);
    return decode_items(read_all(*bytes));
  } catch (const DamagedRecord&) {
    return nullptr;
  }
}

/// The recorded items of this very list. Their elements have other bytes if they were migrated, but
/// what was made from them is up to date.
std::shared_ptr<const plan::ItemList> RunFacts::same_items_before(
    std::string_view stage, const plan::ItemList& list) const {
  const detail::Arg& each = graph_->each_arg(static_cast<std::uint32_t>(graph_->find(stage)));
  const std::string path = core::own_key("items", stage).path;
  const Row* row = current(path);
  if (row == nullptr || row->head.fingerprint != list.list) return nullptr;
  const detail::TypeShape shape = graph_->nodes[each.node].type->shape_now();
  if (shape.schemas.empty() && shape.found.empty()) return nullptr;
  auto before = recorded_items(path, *row);
  if (!before || before->keys.size() != list.keys.size()) return nullptr;
  for (std::size_t i = 0; i < list.keys.size(); ++i) {
    if (before->keys[i] != list.keys[i]) return nullptr;
  }
  return before;
}

/// A list that is an input is known before anything runs, and so are its items. Whatever is wrong
/// with it is told when the stage is about to run.
std::shared_ptr<const plan::ItemList> RunFacts::items_of_input(std::string_view stage) const {
  const auto node = static_cast<std::uint32_t>(graph_->find(stage));
  const detail::Arg& each = graph_->each_arg(node);
  const Input* input = inputs_.find(each.node);
  if (!each.list || input == nullptr || !input->value) return nullptr;
  const auto cached = lists_.find(stage);
  if (cached != lists_.end()) return cached->second;
  try {
    std::shared_ptr<const plan::ItemList> list =
        list_items(*graph_, graph_->nodes[node], each, input->value, input->fact.identity);
    if (auto before = same_items_before(stage, *list)) list = std::move(before);
    lists_[std::string{stage}] = list;
    return list;
  } catch (...) {
    return nullptr;
  }
}

std::shared_ptr<const plan::Enqueued> RunFacts::enqueued(std::string_view stage,
                                                         std::string_view item,
                                                         const Digest& fingerprint) const {
  const std::string path = core::about_path("queue", stage, item);
  const auto list = rows(path);
  if (list.empty() || !list.back().is_whole()) return nullptr;
  const Row& row = list.back();
  if (row.head.fingerprint != fingerprint) return nullptr;
  try {
    return read_enqueued(path, row);
  } catch (const DamagedRecord&) {
    return nullptr;
  }
}

/// Read once. Most items enqueue nothing: those are not read at all.
std::shared_ptr<const plan::Enqueued> RunFacts::read_enqueued(const std::string& path,
                                                              const Row& row) const {
  auto& known = enqueued_[{path, row.generation}];
  if (known) return known;
  static const Digest nothing = digest("");
  Saved record;
  if (row.head.identity != nothing) record = saved(path, row.generation);
  auto decoded = decode_enqueued(record.payload ? read_all(*record.payload) : "");
  if (!decoded) throw DamagedRecord{path, row.generation};
  decoded->schema = row.head.schema;
  decoded->schemas = std::make_shared<const std::string>(std::move(record.schemas));
  return known = std::move(decoded);
}

const RunRecord& RunFacts::description() const {
  const std::string path = core::run_key().path;
  const Row* row = current(path);
  if (!description_) description_ = decode_run(row != nullptr ? text_of(path, *row) : "");
  return *description_;
}

/// What differs from a former build. A library that only one of them had loaded says nothing.
std::set<std::string> RunFacts::changed_since(const sys::Build& former) const {
  std::set<std::string> changed;
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  if (differ(program_.program, former.program)) changed.emplace("the program");
  for (const auto& [name, id] : former.libraries) {
    const auto now = program_.libraries.find(name);
    if (now != program_.libraries.end() && differ(now->second, id)) {
      changed.insert(fmt::format("the library '{}'", name));
    }
  }
  return changed;
}

std::set<std::string> RunFacts::program_changes() const {
  std::set<std::string> all;
  for (const auto& [fence, build] : programs()) all.merge(changed_since(build));
  return all;
}

std::set<std::string> RunFacts::program_changes(std::uint64_t fence) const {
  const auto next = programs().upper_bound(fence);
  return next == programs().begin() ? std::set<std::string>{}
                                    : changed_since(std::prev(next)->second);
}

std::chrono::milliseconds RunFacts::alive() const {
  const std::string path = core::alive_key().path;
  const Row* row = current(path);
  if (row == nullptr) return {};
  const auto json = core::Json::parse(text_of(path, *row), nullptr, false);
  return std::chrono::milliseconds{json.is_object() ? json.value("alive_ms", std::int64_t{0}) : 0};
}

std::optional<bool> RunFacts::condition(std::string_view name) const {
  const std::string path = core::own_key("condition", name).path;
  const Row* row = current(path);
  if (row == nullptr) return std::nullopt;
  const std::string text = text_of(path, *row);
  if (text != "true" && text != "false") return std::nullopt;
  return text == "true";
}

std::pair<plan::Approval, std::string> RunFacts::approval(std::string_view stage,
                                                          std::string_view item,
                                                          const Digest& fingerprint) const {
  const std::string path = core::about_path("approval", stage, item);
  const Row* row = current(path);
  if (row == nullptr || row->head.fingerprint != fingerprint) return {plan::Approval::none, {}};
  const auto json = core::Json::parse(text_of(path, *row), nullptr, false);
  if (!json.is_object()) return {plan::Approval::none, {}};
  const bool approved = json.value("state", std::string{}) == "approved";
  return {approved ? plan::Approval::approved : plan::Approval::asked,
          json.value("message", std::string{})};
}

std::string RunFacts::failure(std::string_view path, const Row& row) const {
  try {
    return decode_failure(text_of(path, row)).message;
  } catch (const DamagedRecord&) {
    return {};  // code that needs the attempt itself will notice that
  }
}

std::vector<plan::Request> RunFacts::requests() const {
  std::vector<plan::Request> result;
  for (const std::string& path : paths_below("@request/")) {
    const Row* row = current(path);
    if (row == nullptr) continue;
    auto request = decode_request(*graph_, text_of(path, *row), row->head.fence);
    if (request && !request->off) result.push_back(*std::move(request));
  }
  return result;
}

}  // namespace resumable::record
