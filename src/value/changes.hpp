/// @file
/// The differences between two versions of a value, and the merge of two versions with their common
/// base.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/codec_id.hpp"

namespace resumable::value {

/// One place where two versions differ.
struct Change {
  std::string path;    ///< a JSON pointer (RFC 6901); in text `line 12`; both for lines of a string
  std::string before;  ///< empty: it was added
  std::string after;   ///< empty: it was deleted
  friend bool operator==(const Change&, const Change&) = default;
};

/// JSON is compared field by field, text line by line. Files and bytes are compared line by line
/// when both sides are UTF-8 without NUL and at most 1 MiB; else, and with a program's own codec,
/// they differ as a whole, which is shown by size and digest. Long values are cut. Cost: linear in
/// the size plus its product with the number of differences.
[[nodiscard]] std::vector<Change> changes(CodecId codec, std::string_view before,
                                          std::string_view after);

/// One place that both sides changed in different ways.
struct Conflict {
  std::string path;
  std::string mine;    ///< empty: deleted
  std::string theirs;  ///< empty: deleted
};

struct Merged {
  std::string bytes;  ///< where both sides collide, mine
  std::vector<Conflict> conflicts;
};

/// A three-way merge (diff3): what only one side changed is taken from that side. Objects are
/// merged member by member, arrays element by element, text and strings of several lines line by
/// line. Bytes that have no lines (see changes()) collide as a whole. @see Khanna, Kunal, Pierce: A
/// Formal Investigation of Diff3 (2007)
[[nodiscard]] Merged merge(CodecId codec, std::string_view base, std::string_view mine,
                           std::string_view theirs);

}  // namespace resumable::value
