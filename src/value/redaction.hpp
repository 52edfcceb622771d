/// @file
/// Values as they are recorded, without the fields that their pipeline redacts.
#pragma once

#include <memory>

#include "core/graph.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/record.hpp"

namespace resumable::value {

/// The result of the type's encode(), with redacted fields replaced: the only way from a program's
/// value to bytes. Values that are not JSON, and the library's own, stay as they are.
/// @throws as encode()
[[nodiscard]] std::shared_ptr<const Payload> encode(const detail::Graph& graph,
                                                    const detail::ValueType& type,
                                                    const void* value);

/// The same for a value that stays alive: a large one is not copied.
[[nodiscard]] std::shared_ptr<const Payload> encode(const detail::Graph& graph,
                                                    const detail::ValueType& type,
                                                    const detail::AnyValue& value);

/// Whether these recorded bytes lack what the pipeline redacts.
[[nodiscard]] bool lacks_fields(const detail::Graph& graph, const detail::ValueType& type,
                                const Payload& recorded);

}  // namespace resumable::value
