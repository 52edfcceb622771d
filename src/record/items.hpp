/// @file
/// Splits a list into items: their keys, and the digests of their elements.
#pragma once

#include <memory>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "record/draft.hpp"

namespace resumable::record {

/// The items of fan-out `node` over `list`, whose value has `identity`. Calls the program's key
/// function.
/// @throws Error{Errc::bad_name}        an invalid key
/// @throws Error{Errc::duplicate_name}  two items with one key and different content
[[nodiscard]] std::shared_ptr<plan::ItemList> list_items(const detail::Graph& graph,
                                                         const detail::Node& node,
                                                         const detail::Arg& each,
                                                         const detail::AnyValue& list,
                                                         const Digest& identity);

/// The record that keeps them, at `@items/STAGE`.
[[nodiscard]] Draft items_draft(const detail::Node& node, const plan::ItemList& items);

}  // namespace resumable::record
