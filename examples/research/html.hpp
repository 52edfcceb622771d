/// @file
/// Reads the little of HTML that pages of text need: title, meta, headings, paragraphs, links.
/// Text of navigation, code, scripts and styles is left out; links are taken wherever they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "research/types.hpp"

namespace research {

struct Document {
  std::string canonical;  ///< `<link rel="canonical">`, or empty
  std::string title;
  std::string date;
  std::vector<std::string> tags;  ///< `<meta name="keywords">`
  std::vector<Passage> passages;
  std::vector<std::string> links;  ///< the `href` of every `<a>`, as written
};

/// Never fails: what is no HTML gives a document without text.
Document read_html(std::string_view html);

}  // namespace research
