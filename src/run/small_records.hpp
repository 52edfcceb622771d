/// @file
/// The payloads of the library's own records of lists, as docs/format.md specifies them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plan/facts.hpp"

namespace resumable::inline v0::run {

/// The payload of a `queue` record: a line per element, an empty line, then their bytes, each with
/// a line feed behind it.
[[nodiscard]] std::string encode_enqueued(const std::vector<plan::Enqueued::Element>& elements);
[[nodiscard]] std::shared_ptr<plan::Enqueued> decode_enqueued(std::string_view bytes);

/// The payload of an `items` record: a line for the list's identity, then one per item.
[[nodiscard]] std::string encode_items(const plan::ItemList& list);
[[nodiscard]] std::shared_ptr<const plan::ItemList> decode_items(std::string_view bytes);

}  // namespace resumable::inline v0::run
