/// @file
/// Texts in other encodings than UTF-8.
#pragma once

#include <string>

namespace text {

/// Text as UTF-8, without a byte order mark.
/// @param encoding  its name for iconv(), in any case; if it is empty or unknown: UTF-16 if a byte
///                  order mark says so, else UTF-8, or windows-1252 if the bytes are not UTF-8
/// Bytes that stand for nothing become U+FFFD. ISO-8859-1 and ASCII are read as windows-1252, as
/// browsers do.
std::string to_utf8(std::string bytes, std::string encoding = {});

}  // namespace text
