/// @file
/// Stages, inputs and conditions that were renamed: a run keeps the names that it began with.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/graph.hpp"
#include "record/record_index.hpp"

namespace resumable::record {

/// The graph for one run. A node that the run knows under a former name, and under no other, has
/// that as its `name` and the present one as `declared`: so whatever is made from names
/// (paths, fingerprints, requests, keys of side effects) is as if it had never been renamed.
/// nullptr if the graph is right as it is.
/// @throws Error{Errc::foreign}  the run has records of two names of one node
[[nodiscard]] std::shared_ptr<const detail::Graph> with_recorded_names(const detail::Graph& graph,
                                                                       const RecordIndex& records);

/// `stage`, `stage/item` or `@kind/stage…` with the name under which the run has the records: a
/// reader without the program may be given the present one.
[[nodiscard]] std::string recorded_name(const RecordIndex& records, std::string_view selector);

}  // namespace resumable::record
