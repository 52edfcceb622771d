/// @file
/// Passages of Markdown, by cmark-gfm: paragraphs, list items, table rows. Code, HTML and front
/// matter are left out.
#pragma once

#include <string>

#include "text/passages.hpp"

namespace text {

/// Fills in the title, the passages and the links. Never fails: any text is Markdown.
void read_markdown(Document& document, const std::string& text);

}  // namespace text
