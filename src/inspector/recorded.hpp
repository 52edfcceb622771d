/// @file
/// The pipeline that a run's last program declared.
#pragma once

#include <optional>

#include "inspector/request.hpp"
#include "resumable/pipeline.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

/// nullopt: it is not recorded, and a message has said so.
[[nodiscard]] std::optional<Pipeline> pipeline_of(const Request& request, const RunInfo& run);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
