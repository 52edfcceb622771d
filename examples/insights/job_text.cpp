#include "insights/job_text.hpp"

#include <fmt/format.h>

namespace insights {

std::string number_of(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string job_line(const Job& job, bool is_expired) {
  std::string line =
      fmt::format("{}  {}  {}, {}", job.id, to_string(job.state), number_of(job.turns, "turn"),
                  number_of(job.tool_calls, "tool call"));
  if (job.cost.usd > 0) line += fmt::format(", ${:.4f}", job.cost.usd);
  if (job.outcome == "max_iterations") line += " (max_iterations)";
  for (const Unreadable& one : job.unreadable) line += fmt::format("  {} {}", one.part, one.reason);
  if (job.request) line += "  " + job.request->system_id;
  if (job.saved_at) line += "  saved " + saved_text(job.saved_at);
  if (const auto until = job.expires()) {
    line += (is_expired ? "  expired " : "  expires ") + format_utc(*until);
  }
  return line;
}

std::string unreadable_text(const Job& job, const std::string& resume) {
  std::string text;
  for (const Unreadable& one : job.unreadable) {
    text += fmt::format("  {}  {}: {}\n", one.reason, one.part, one.message);
  }
  const std::string next = job.is_newer()  ? "use the newer insights that has saved it"
                           : job.is_lost() ? "insights request FILE --data PATH, as a new job"
                                           : resume;
  return text + fmt::format("  next  {}\n", next);
}

}  // namespace insights
