/// @file
/// Regular expressions that are written where they are used, and compiled once.
#pragma once

#include <regex>
#include <string>

namespace text {

/// An ECMAScript pattern that ignores case. Lives as long as the thread: compiling one takes a
/// hundred times as long as a search in a question. @pre the program has few different ones
const std::regex& pattern(const std::string& source);

}  // namespace text
