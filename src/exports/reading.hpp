/// @file
/// Reads a file that a user has written back into a stage's value.
#pragma once

#include <functional>
#include <string>

#include "core/graph.hpp"

namespace resumable::exports {

/// Whether what users write there is read back. If not, the file is a view.
[[nodiscard]] bool is_editable(const detail::Artifact& artifact);

/// A value, or why there is none: one sentence, with line and column where they are known.
struct Reading {
  detail::AnyValue value;
  std::string problem;
};

/// Calls `make`, then the stage's validator. `text` is what `make` reads, to find places in it;
/// `json` says whether it is JSON.
[[nodiscard]] Reading read_value(const detail::Node& node, const std::string& text, bool json,
                                 const std::function<detail::AnyValue()>& make);

/// The inverse of the export. `former`: the value before, or nullptr where the artifact's parser
/// needs none.
[[nodiscard]] Reading read_artifact(const detail::Node& node, const detail::Artifact& artifact,
                                    const std::string& text, const void* former);

}  // namespace resumable::exports
