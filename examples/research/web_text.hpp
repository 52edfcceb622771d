/// @file
/// Words for the web, and for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace research {

/// ASCII letters alone.
std::string lower(std::string_view text);

/// For text of HTML and for attributes in double quotes: `&` is `&amp;`.
std::string escaped(std::string_view text);

/// As a part of a URL's path.
std::string percent_encoded(std::string_view text);

/// `1 page`, `2 pages`.
std::string counted(std::size_t count, std::string_view noun);

/// `a, b and others`, of more than five.
std::string listed(const std::vector<std::string>& names);

}  // namespace research
