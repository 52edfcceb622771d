// The index file of a journal from arbitrary bytes, whose checks are right: the top and each block
// are refused, or each row, and each search for it, stays inside.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "store/journal/index_file.hpp"
#include "store/journal/numbers.hpp"

namespace journal = resumable::store::journal;

namespace {

void look_for_rows(const std::string& bytes) {
  std::array<journal::CoveredSegment, 2> segments;
  segments[0].header.number = 1;
  segments[1].header.number = 2;
  for (journal::CoveredSegment& segment : segments) segment.reading.end = journal::max_bytes;
  for (const std::size_t rows : {std::size_t{1}, std::size_t{2}, bytes.size() / 112}) {
    journal::IndexBlock block;
    if (!block.parse(bytes, rows, segments)) continue;
    for (std::size_t number = 0; number < block.rows(); ++number) {
      const auto [id, known] = block.row(number);
      if (id.path.size() > bytes.size() || known.at >= journal::max_bytes) std::abort();
      if (block.lower_bound(id) > block.rows()) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  look_for_rows(bytes);
  if (bytes.size() < 24) return 0;
  const auto top = journal::get_number<std::uint64_t>(bytes, 16);
  if (top >= journal::check_bytes && top <= bytes.size()) journal::seal(bytes.data(), top);
  const auto source = [&](std::uint64_t at, std::span<char> to) {
    if (at > bytes.size() || to.size() > bytes.size() - at) return false;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), to.size(), to.begin());
    return true;
  };
  const auto file = journal::IndexFile::open(source, bytes.size());
  if (!file) return 0;
  try {
    file->prove("");
    journal::IndexCursor cursor{*file, {"", 0}};
    std::size_t count = 0;
    while (cursor.next()) ++count;
    if (count > file->rows()) std::abort();
    for (std::size_t number = 0; number < file->rows(); ++number) {
      if (file->lower_bound(file->row(number).id) > file->rows()) std::abort();
    }
  } catch (const journal::IndexFile::Unusable&) {
  }
  return 0;
}
