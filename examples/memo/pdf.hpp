/// @file
/// The text of PDF files, by poppler's pdftotext.
#pragma once

#include <string>
#include <string_view>

namespace memo {

/// The words of a PDF where they stand on its pages, set with blanks, a form feed behind each page,
/// UTF-8. Each content is read once in a process, however often it is asked for. Safe to call from
/// several threads.
/// @throws std::runtime_error  pdftotext is not installed, or cannot read the content
std::string text_of_pdf(std::string_view content);

}  // namespace memo
