/// @file
/// The declared graph as a run records it, so that a reader without the program can plan against
/// it. docs/format.md specifies the JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/graph.hpp"

namespace resumable::core {

/// One JSON object. Functions, values and secrets are not part of it.
[[nodiscard]] std::string encode_graph(const detail::Graph& graph);

/// Whether a node in it has a present name besides the recorded one.
[[nodiscard]] bool has_renamed(std::string_view json) noexcept;

/// The same selector (`stage`, `stage/item`, `@step/stage/…`) with the name under which the run has
/// the records of a node that is called so now.
[[nodiscard]] std::string with_recorded_name(const detail::Graph& graph, std::string_view selector);
/// The same with a graph as it is recorded, or "" if it is not known.
[[nodiscard]] std::string with_recorded_name(std::string_view json, std::string_view selector);

/// A graph that can be planned against, and not run: Graph::recorded is set. Inputs that were files
/// are plain inputs, so that nothing outside the store is read. nullptr when `json` is not what
/// encode_graph() made.
[[nodiscard]] std::shared_ptr<detail::Graph> decode_graph(std::string_view json,
                                                          std::string_view pipeline);

}  // namespace resumable::core
