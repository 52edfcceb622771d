/// @file
/// Passages of HTML, by gumbo, which reads it as browsers do. Text of navigation, headers, footers,
/// asides, forms, scripts and styles is left out; links are taken wherever they are.
#pragma once

#include <string>

#include "text/passages.hpp"

namespace text {

struct Page {
  Document document;        ///< its title is the `<h1>` of the text, else `<title>`
  std::string date{};       ///< as a `<meta>` or `<time>` gives it, or empty
  std::string canonical{};  ///< `<link rel="canonical">`, or empty
};

/// Never fails: what is no HTML gives a page without text. @pre `html` is UTF-8
Page read_html(const std::string& file, const std::string& html);

/// The words of a piece of HTML.
std::string words_of_html(const std::string& html);

}  // namespace text
