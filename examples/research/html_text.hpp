/// @file
/// Characters of HTML.
#pragma once

#include <string>
#include <string_view>

namespace research {

bool is_space(char c);

/// ASCII letters alone.
std::string lower(std::string_view text);

/// One space for any white space, none at the ends.
std::string tidy(std::string_view text);

/// `&amp;` and its kind replaced by what they stand for.
std::string unescape(std::string_view text);

/// The opposite, for text and for attributes in double quotes.
std::string escaped(const std::string& text);

/// As a part of a URL's path.
std::string percent_encoded(std::string_view text);

}  // namespace research
