/// @file
/// JSON in and out: a request, new or to continue; the answer of a call, `{"success":true,
/// insights, metadata}` or `{"success":false, error, message, details}`; and a job, also for
/// people.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "insights/jobs.hpp"
#include "insights/types.hpp"

namespace insights {

struct CallResult;

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
  std::string provider = "quote";
  std::int64_t ttl_seconds = 86'400;
};

/// Reads `{"systemId": …, "customPrompt"?, "contextWindowDays"?, "maxIterations"?, "mode"?,
/// "modelOverride"?, "pictures"?, "summarizeAbove"?}` or `{"resumeJobId": …}`.
/// @throws BadRequest
[[nodiscard]] Incoming read_request(const std::string& json, const ForNewJobs& defaults);

[[nodiscard]] std::string answer_json(const CallResult& result);

/// One line.
[[nodiscard]] std::string job_json(const Job& job);

/// `1 turn`, `9 turns`
[[nodiscard]] std::string number_of(std::int64_t count, std::string_view thing);

/// How far it is, what of it cannot be read, until when it is kept. No newline.
[[nodiscard]] std::string job_line(const Job& job, bool is_expired);

/// Why parts of it give no value, and what to do now.
/// @param resume  the command that continues it
[[nodiscard]] std::string unreadable_text(const Job& job, const std::string& resume);

}  // namespace insights
