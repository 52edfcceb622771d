#include "record/items.hpp"

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/record_format.hpp"
#include "core/text.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"
#include "value/redaction.hpp"

namespace resumable::record {

std::shared_ptr<plan::ItemList> list_items(const detail::Graph& graph, const detail::Node& node,
                                           const detail::Arg& each, const detail::AnyValue& list,
                                           const Digest& identity) {
  auto items = std::make_shared<plan::ItemList>();
  items->list = identity;
  const std::size_t count = each.list->size(list.get());
  items->digests.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const detail::AnyValue element = each.list->at(list, i);
    items->keys.push_back((*each.list->key)(element.get()).value());
    core::check_item_key(node.shown(), items->keys.back());
    const auto bytes = value::encode(graph, *each.list->element, element.get());
    const auto view = bytes->view();
    items->digests.push_back(view ? digest(*view) : core::digest_of(*bytes));
  }
  if (const auto clash = items->find_repeats()) {
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("stage '{}' has two items with the key '{}' and different "
                                     "content: at places {} and {} of the list",
                                     node.shown(), core::printable(items->keys[clash->first]),
                                     clash->first + 1, clash->second + 1),
                 .stage = node.shown(),
                 .item = std::string{items->keys[clash->first]},
                 .kept = "no item of this stage has run",
                 .next = "give each() a key that tells them apart"});
  }
  return items;
}

Draft items_draft(const detail::Node& node, const plan::ItemList& items) {
  auto draft = Draft::small(core::Kind::items, core::own_key("items", node.name), CodecId::text,
                            encode_items(items));
  draft.head.revision = node.revision;
  draft.head.fingerprint = items.list;
  return draft;
}

}  // namespace resumable::record
