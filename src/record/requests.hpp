/// @file
/// The payloads of `request` records: what users have asked of a run, as docs/format.md specifies
/// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph.hpp"
#include "core/key.hpp"
#include "plan/facts.hpp"

namespace resumable::record {

/// The path of its record: one for each stage or item and each kind.
[[nodiscard]] core::Key request_key(const detail::Graph& graph, const plan::Request& request);

[[nodiscard]] std::string encode_request(const detail::Graph& graph, const plan::Request& request);
/// nullopt for requests that do not concern the pipeline: about a stage that it no longer has, and
/// `prove`. A request that was undone has `off`.
[[nodiscard]] std::optional<plan::Request> decode_request(const detail::Graph& graph,
                                                          std::string_view bytes,
                                                          std::uint64_t fence);

}  // namespace resumable::record
