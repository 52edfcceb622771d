/// @file
/// Pages in other encodings than UTF-8.
#pragma once

#include <string>

namespace research {

/// A page as UTF-8. Its encoding is what `type`, the Content-Type header, names, else a `<meta>`
/// near its beginning, else UTF-8, or windows-1252 if it is not that. Names that the system's
/// iconv() does not know are taken for windows-1252; bytes that stand for nothing become U+FFFD.
std::string to_utf8(std::string page, const std::string& type);

}  // namespace research
