/// @file
/// How commands that write say what they have done, or would do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "inspector/json.hpp"
#include "inspector/request.hpp"
#include "resumable/manage.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

/// The word at this place on the command line. @throws Error{Errc::bad_option}  there is none
[[nodiscard]] const std::string& word_at(const Request& request, std::size_t place,
                                         std::string_view what, std::string_view command);

/// Prints one of the two, as it was asked for. The text is escaped here.
void finish(const Request& request, const Document& json, const std::string& text);

/// What stands before a verb that was only tried: `would have ` before `forked`.
[[nodiscard]] std::string_view would(const Request& request);

/// What fork, copy, export and import say alike. `done`: the verb and what it was done to.
[[nodiscard]] Document written_json(const Request& request, const std::string& run,
                                    const CopyResult& result);
[[nodiscard]] std::string written_text(const Request& request, const std::string& done,
                                       const CopyResult& result);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
