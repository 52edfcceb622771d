/// @file
/// Finds a secret in a text, however it is spelled there.
#pragma once

#include <string>
#include <string_view>

namespace resumable::core {

/// Replaces `secret`, if it is long enough, by `mark`: as it is, with any of its characters escaped
/// as in URLs, JSON or XML, in hexadecimal, and in base64, also as a part of a longer text. Also
/// each of its long lines.
void mask(std::string& text, std::string_view secret, std::string_view mark);

}  // namespace resumable::core
