/// @file
/// Passages of HTML, by gumbo, which reads it as browsers do. Text of navigation, headers, footers,
/// asides, forms, scripts and styles is left out; links are taken wherever they are.
#pragma once

#include <string>
#include <vector>

#include "text/passages.hpp"

namespace text {

struct Page {
  std::string title;      ///< `<h1>` of the text, else `<title>`
  std::string date;       ///< as a `<meta>` or `<time>` gives it, or empty
  std::string canonical;  ///< `<link rel="canonical">`, or empty
  std::vector<Passage> passages;
  std::vector<Link> links;  ///< the `href` of every `<a>`, as it is written
};

/// Never fails: what is no HTML gives a page without text. @pre `html` is UTF-8
Page read_html(const std::string& file, const std::string& html);

}  // namespace text
