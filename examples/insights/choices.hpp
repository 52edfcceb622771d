/// @file
/// Which of several values, or weekdays, a question means.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"

namespace insights {

/// Leaves out values all of whose words are in another that is said: deer, of roe deer.
void leave_out_parts(std::vector<std::string>& values);

/// Leaves out values of which fewer words are said than of another: of `late cancellations` it is
/// `Cancelled late` that is meant, not `Cancelled early`.
void keep_fully_said(std::vector<std::string>& values, const std::vector<std::string>& asked);

/// Whether nothing tells apart values that are said: each has more words than those, if any, that
/// the prompt has of all of them (`cancelled`, `called off`).
[[nodiscard]] bool are_said_alike(const std::vector<std::string>& values,
                                  const std::vector<std::string>& asked);

/// Restricts to a number that a prompt names with the unit of one column, which has it again and
/// again: `at 5 watts`, `a 60 minute lesson`.
void find_setting(Interest& about, const nlohmann::json& columns, const std::string& prompt);

/// Restricts to the how manieth that a prompt names, where a column says so in whole numbers from 1
/// on: `at the second attempt`, `round 3`; `the first time` is the first attempt.
void find_ordinal(Interest& about, const nlohmann::json& columns, const std::string& prompt);

/// The weekdays that a prompt sets beside each other: `on Mondays or on Saturdays`, but not `from
/// Monday to Friday`.
[[nodiscard]] std::vector<std::string> weekdays_set_out(const std::string& prompt);

/// Of a category of yes and no the value that the prompt means, which names the column.
[[nodiscard]] std::string meant_flag(const nlohmann::json& column,
                                     const std::vector<std::string>& asked);

/// Of a category that says whether things succeeded, as `fixed` and `not fixed`, the value of which
/// the prompt speaks as failures or successes; "": none.
[[nodiscard]] std::string meant_outcome(const nlohmann::json& column,
                                        const std::vector<std::string>& asked);

/// Whether a column of yes and no has in its name a word of the prompt: `trapped`, Entrapment.
[[nodiscard]] bool is_within(const nlohmann::json& column, const std::vector<std::string>& asked);

/// Whether a share is asked of two values together: `what share was torn or stained`, and not which
/// of them has the larger one.
[[nodiscard]] bool is_one_share(const std::string& prompt, const std::vector<std::string>& two);

/// What a value is called: of `Ann Lee (K17)`, which a list made, also the name and the key alone.
[[nodiscard]] std::vector<std::string> names_of_value(const std::string& value);

}  // namespace insights
