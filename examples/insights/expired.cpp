#include "insights/expired.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

namespace insights {

namespace fs = std::filesystem;

void Expired::note(const fs::path& name, const std::string& when) const {
  std::error_code ignored;
  fs::create_directory(folder_, ignored);
  std::ofstream{folder_ / name} << when << "\n";
}

std::optional<std::string> Expired::when(const fs::path& name) const {
  std::ifstream file{folder_ / name};
  std::string line;
  return std::getline(file, line) ? std::optional{line} : std::nullopt;
}

void Expired::forget_oldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  std::error_code error;
  for (fs::directory_iterator at{folder_, error}, end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // by another clean-up
    const auto time = fs::last_write_time(at->path(), gone);
    if (!gone) all.emplace_back(time, at->path());
  }
  if (all.size() <= most) return;
  std::ranges::sort(all);
  for (std::size_t i = 0; i < all.size() - most; ++i) fs::remove(all[i].second, error);
}

}  // namespace insights
