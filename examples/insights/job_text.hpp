/// @file
/// A job for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "insights/jobs.hpp"

namespace insights {

/// `1 turn`, `9 turns`
[[nodiscard]] std::string number_of(std::int64_t count, std::string_view thing);

/// How far it is, what of it cannot be read, until when it is kept. No newline.
[[nodiscard]] std::string job_line(const Job& job, bool is_expired);

/// Why parts of it give no value, and what to do now.
/// @param resume  the command that continues it
[[nodiscard]] std::string unreadable_text(const Job& job, const std::string& resume);

}  // namespace insights
