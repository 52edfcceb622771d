#include "run/values.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"

namespace resumable::run {

using detail::Arg;
using detail::ArgKind;
using detail::NodeKind;

void Values::reset(const std::vector<std::size_t>& dependents) {
  kept_ = std::vector<Kept>(dependents.size());
  for (std::size_t i = 0; i < dependents.size(); ++i) kept_[i].dependents = dependents[i];
}

detail::AnyValue Values::argument(std::uint32_t node, const Arg& arg,
                                  std::optional<std::size_t> item) {
  if (arg.kind == ArgKind::value) return of(arg.node);
  const plan::ItemList* list = states_[node].list.get();
  std::size_t place = item.value();
  if (list->whole) {
    place = list->places_in_whole[place];
    list = list->whole.get();
  }
  if (const plan::Grown* grown = arg.list ? list->grown_at(place) : nullptr) {
    const detail::ValueType& type = *arg.list->element;
    if (grown->schema <= type.version)
      return type.decode(grown->payload, {grown->schema, *grown->schemas});
    throw Error(Errc::newer, {.what = fmt::format("item '{}' was enqueued with schema {}; this "
                                                  "program knows {} to {}",
                                                  core::printable(list->keys[place]), grown->schema,
                                                  type.oldest, type.version),
                              .stage = graph_.nodes[node].shown(),
                              .item = std::string{list->keys[place]},
                              .kept = "everything that was saved",
                              .next = "use a newer program"});
  }
  if (arg.list) return arg.list->at(of(arg.node), place);
  return item_of(arg.node, states_[node].list->keys[item.value()], *item);
}

const detail::AnyValue& Values::of(std::uint32_t node) {
  Kept& kept = kept_[node];
  const detail::Node& declared = graph_.nodes[node];
  if (kept.value) return kept.value;
  if (is_input(declared)) {
    kept.value = facts_.host_input(node).value;
  } else if (declared.kind != NodeKind::fan_out) {
    kept.value = record::load_record(graph_, facts_, node, "");
  } else {
    std::vector<detail::AnyValue> items;
    for (std::size_t i = 0; i < states_[node].items.size(); ++i) expect_item(node, i);
    for (std::size_t i = 0; i < states_[node].items.size(); ++i) {
      items.push_back(item_of(node, states_[node].list->keys[i], i));
    }
    kept.value = declared.gather(items);
  }
  return kept.value;
}

detail::AnyValue Values::item_of(std::uint32_t node, std::string_view key, std::size_t hint) {
  const std::size_t index = states_[node].list->find(key, hint);
  if (index == states_[node].list->keys.size()) {
    throw Error(Errc::no_value, {.what = fmt::format("stage '{}' has no item '{}' to match",
                                                     graph_.nodes[node].shown(), key),
                                 .stage = graph_.nodes[node].shown(),
                                 .item = std::string{key}});
  }
  auto& items = kept_[node].items;
  items.resize(states_[node].list->keys.size());
  if (items[index]) return items[index];
  const auto& ahead = kept_[node].ahead;
  items[index] = ahead ? record::load_record(graph_, facts_, node, key, *ahead)
                       : record::load_record(graph_, facts_, node, key);
  return items[index];
}

void Values::expect_item(std::uint32_t node, std::size_t item) {
  if (in_memory(node, item)) return;
  auto& ahead = kept_[node].ahead;
  if (!ahead) ahead = std::make_unique<record::ReadAhead>(facts_);
  record::expect_item(*ahead, facts_, graph_.nodes[node].name, states_[node].list->keys[item]);
}

void Values::expect(std::uint32_t node, const std::deque<std::size_t>& items) {
  for (const Arg& arg : graph_.nodes[node].args) {
    if (arg.kind == ArgKind::value || arg.kind == ArgKind::after || arg.list) continue;
    const plan::ItemList& source = *states_[arg.node].list;
    for (const std::size_t item : items) {
      const std::size_t place = source.find(states_[node].list->keys[item], item);
      if (place < source.keys.size()) expect_item(arg.node, place);
    }
  }
}

detail::AnyValue Values::in_memory(std::uint32_t node, std::size_t item) const {
  const auto& items = kept_[node].items;
  return item < items.size() ? items[item] : nullptr;
}

void Values::keep(std::uint32_t node, detail::AnyValue value) {
  if (kept_[node].dependents > 0) kept_[node].value = std::move(value);
}

void Values::keep_item(std::uint32_t node, std::size_t item, detail::AnyValue value) {
  if (kept_[node].dependents == 0) return;
  kept_[node].items.resize(states_[node].items.size());
  kept_[node].items[item] = std::move(value);
}

void Values::reorder(std::uint32_t node, const plan::ItemList& former) {
  std::vector<detail::AnyValue> items(states_[node].items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t at = former.find(states_[node].list->keys[i], i);
    if (at < kept_[node].items.size()) items[i] = std::move(kept_[node].items[at]);
  }
  kept_[node].items = std::move(items);
}

void Values::release(std::uint32_t node) {
  Kept& kept = kept_[node];
  if (kept.dependents > 0 && --kept.dependents > 0) return;
  kept.value = nullptr;
  kept.items = {};
  kept.ahead.reset();
}

}  // namespace resumable::run
