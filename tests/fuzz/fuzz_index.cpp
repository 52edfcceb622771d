// The index file of a journal from arbitrary bytes, whose check is made right: it is refused, or
// each row, and each search for it, stays inside.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "store/journal/index_file.hpp"
#include "store/journal/numbers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace journal = resumable::store::journal;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.size() >= journal::check_bytes) journal::seal(bytes.data(), bytes.size());
  const auto file = journal::IndexFile::parse(std::move(bytes));
  if (!file) return 0;
  for (std::size_t number = 0; number < file->rows(); ++number) {
    const auto [id, known] = file->row(number);
    if (id.path.size() > file->bytes() || known.at >= journal::max_bytes) std::abort();
    if (file->lower_bound(id) > file->rows()) std::abort();
  }
  return 0;
}
