/// @file
/// The JSON that a call answers with: `{"success":true, insights, metadata}` or `{"success":false,
/// error, message, details}`; and a job as JSON.
#pragma once

#include <string>

#include "insights/call.hpp"

namespace insights {

[[nodiscard]] std::string answer_json(const CallResult& result);

/// One line.
[[nodiscard]] std::string job_json(const Job& job);

}  // namespace insights
