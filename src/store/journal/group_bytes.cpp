#include "store/journal/group_bytes.hpp"

#include "resumable/digest.hpp"
#include "store/journal/numbers.hpp"

namespace resumable::store::journal {
namespace {

/// From this size on it is worthwhile to start writing to the disk early.
constexpr std::size_t begin_bytes = std::size_t{256} << 10U;

}  // namespace

template <class Visit>
void GroupBytes::each_piece(const Visit& visit) const {
  const std::string_view copied{copied_};
  std::uint64_t place = 0;
  std::size_t from = 0;
  for (const auto& [before, bytes] : referred_) {
    visit(copied.substr(from, before - from), place, false);
    place += before - from;
    from = before;
    visit(bytes, place, true);
    place += bytes.size();
  }
  visit(copied.substr(from), place, false);
}

void GroupBytes::refer_to(std::string_view payload) {
  referred_.push_back({copied_.size(), payload});
  referred_bytes_ += payload.size();
}

char* GroupBytes::entry(std::uint64_t at) {
  for (const auto& [before, bytes] : referred_) {
    if (before >= at) break;
    at -= bytes.size();
  }
  return copied_.data() + at;
}

std::uint64_t GroupBytes::join(const GroupBytes& other) {
  const std::uint64_t moved = size() - group_header_bytes;
  for (const auto& [before, bytes] : other.referred_) {
    referred_.push_back({copied_.size() + before - group_header_bytes, bytes});
  }
  referred_bytes_ += other.referred_bytes_;
  copied_.append(other.copied_, group_header_bytes);
  return moved;
}

void GroupBytes::seal(GroupHeader header) {
  header.body_bytes = size() - group_header_bytes;
  if (referred_.empty()) return seal_group(copied_, header);
  set_group_header(copied_.data(), header);
  Digester digester;
  each_piece([&](std::string_view bytes, std::uint64_t place, bool) {
    digester.add_raw(place == 0 ? bytes.substr(check_bytes) : bytes);
  });
  set_number(copied_.data(), check_of(digester.finish()));
}

std::error_code GroupBytes::write(sys::FileSystem& files, const sys::File& file,
                                  std::uint64_t at) const {
  std::error_code error;
  for (const bool referred : {true, false}) {
    each_piece([&](std::string_view bytes, std::uint64_t place, bool is_referred) {
      if (error || bytes.empty() || is_referred != referred) return;
      error = sys::write_fully(files, file, at + place, bytes);
      if (!error && bytes.size() >= begin_bytes) files.begin_sync(file, at + place, bytes.size());
    });
  }
  return error;
}

void GroupBytes::clear() {
  copied_.resize(group_header_bytes);
  referred_.clear();
  referred_bytes_ = 0;
}

}  // namespace resumable::store::journal
