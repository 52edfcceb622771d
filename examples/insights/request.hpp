/// @file
/// The JSON request: a new job, or one to continue.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "insights/types.hpp"

namespace insights {

/// The request cannot be done as it is; what() says which part of it, and what would be right.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One of the two.
struct Incoming {
  std::optional<Request> fresh;
  std::string resume_job_id;
};

/// What a new job has from the command line.
struct ForNewJobs {
  std::string provider = "computed";
  std::int64_t ttl_seconds = 86'400;
};

/// Reads `{"systemId": …, "customPrompt"?, "contextWindowDays"?, "maxIterations"?, "mode"?,
/// "modelOverride"?, "pictures"?, "summarizeAbove"?}` or `{"resumeJobId": …}`.
/// @throws BadRequest
[[nodiscard]] Incoming read_request(const std::string& json, const ForNewJobs& defaults);

}  // namespace insights
