/// @file
/// What a reply of a server that speaks OpenAI's chat API says.
#pragma once

#include <httplib.h>

#include "model/openai.hpp"

namespace model {

/// Of a count or a reason that is missing or null it assumes 0, and a whole answer.
/// @throws ProviderError (retryable)  no such reply, or one without a text; says which, and how it
///         begins
[[nodiscard]] Answer answer_from(const httplib::Response& response, const OpenAiOptions& options);

}  // namespace model
