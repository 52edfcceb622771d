/// @file
/// How the offline provider turns findings into a report.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace research {

/// Answers the task `synthesize`: the lead, and of each goal's findings the paragraphs. What stands
/// below one heading of a page stays together, in the page's order; what another page says on the
/// same thing joins it.
nlohmann::json report_on(const nlohmann::json& input);

}  // namespace research
