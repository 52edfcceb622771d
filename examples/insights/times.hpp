/// @file
/// The times that a question names.
#pragma once

#include "insights/interest.hpp"

namespace insights {

/// Finds days, weeks, months, quarters and years in the prompt. One that lies in the window is
/// the time that is asked about; two are compared, unless `to` or `and` joins them to one; after
/// `since`, `after` or `before` what lies before and after is compared.
/// @param table  what catalogue() gives
void find_times(Interest& about, const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
