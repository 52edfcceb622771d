/// @file
/// The data of a report about a run, as compact JSON: the page turns it into text and pictures.
#pragma once

#include <cstddef>
#include <string>

#include "inspector/request.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

struct PageData {
  std::string json{};  ///< what is not UTF-8 is replaced
  std::size_t stages = 0;
  std::size_t items = 0;
};

/// Reads all headers once, plans against the recorded graph and checks the exported files. If
/// something cannot be known, the data says so; the rest is there all the same. Values are not in
/// it.
/// @throws Error  the records as a whole cannot be read
[[nodiscard]] PageData page_data(const Request& request, const RunInfo& run);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
