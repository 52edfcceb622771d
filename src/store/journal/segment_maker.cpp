#include "store/journal/segment_maker.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "store/names.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::uint64_t zeros_bytes = std::uint64_t{1} << 20U;

}  // namespace

SegmentMaker::SegmentMaker(const Backend& backend, const RunSite& site, const RunFolders& folders,
                           std::uint64_t segment_bytes)
    : backend_(backend), site_(site), folders_(folders), segment_bytes_(segment_bytes) {}

std::string SegmentMaker::place(std::uint64_t number) const {
  return site_.own(fmt::format("{}/{}", names::journal, segment_name(number)));
}

void SegmentMaker::secure_spare(std::uint64_t size) {
  sys::FileSystem& files = backend_.files();
  sys::File file;
  sys::Stat stat;
  if (size < segment_bytes_) return;
  if (files.open(folders_.records, spare_name, sys::Open::read_write, file)) return;
  // A second name is someone's copy, whose bytes must not change.
  if (files.stat(file, stat) || stat.links != 1 || stat.size < size) return remove_spare();
  if (const auto error = files.sync_folder(folders_.records)) {
    throw site_.failed("fsync of the folder", site_.own(names::journal), error);
  }
  spare_ = std::move(file);
  size_ = stat.size;
}

bool SegmentMaker::prepare(const SegmentHeader& header, std::uint64_t size,
                           std::uint64_t at_least) {
  number_ = header.number;
  made_.reset();
  if (spare_ && prepare_spare(header)) return true;
  size_ = size;
  made_.emplace(backend_, site_, folders_.temporary);
  try {
    make_room(made_->file(), header);
    made_->sync();
    return true;
  } catch (const Error& error) {
    made_.reset();  // a full disk needs the space
    if (size == at_least || error.info().cause != std::errc::no_space_on_device) throw;
    return false;
  } catch (...) {
    made_.reset();
    throw;
  }
}

bool SegmentMaker::prepare_spare(const SegmentHeader& header) {
  sys::FileSystem& files = backend_.files();
  const sys::File file = std::move(spare_);
  // The first group of the earlier use is overwritten as well: if the header is damaged one day,
  // that group would claim the segment.
  const std::string bytes = encode_segment_header(header) + std::string(group_header_bytes, '\0');
  const bool written = !sys::write_fully(files, file, 0, bytes) && !files.sync_data(file);
  if (!written) remove_spare();
  written_ = size_;
  return written;
}

void SegmentMaker::make_room(const sys::File& file, const SegmentHeader& header) {
  sys::FileSystem& files = backend_.files();
  auto error = sys::write_fully(files, file, 0, encode_segment_header(header));
  if (error) throw site_.failed("write", place(number_), error);
  written_ = segment_header_bytes;
  error = files.reserve(file, size_);
  const bool unable = error == std::errc::not_supported || error == std::errc::interrupted;
  if (unable) return fill_with_zeros(file);
  if (error) throw site_.failed(fmt::format("fallocate of {} bytes", size_), place(number_), error);
}

void SegmentMaker::fill_with_zeros(const sys::File& file) {
  const std::string zeros(static_cast<std::size_t>(std::min(size_, zeros_bytes)), '\0');
  while (written_ < size_) {
    const auto piece = std::string_view{zeros}.substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(size_ - written_, zeros.size())));
    if (const auto error = sys::write_fully(backend_.files(), file, written_, piece)) {
      throw site_.failed("write", place(number_), error);
    }
    written_ += piece.size();
  }
}

sys::File SegmentMaker::publish() {
  sys::FileSystem& files = backend_.files();
  const std::string name = segment_name(number_);
  const auto linked =
      made_ ? made_->take_free_name(folders_.records, name)
            : sys::rename_to_free(files, folders_.records, spare_name, folders_.records, name);
  made_.reset();
  if (linked) throw site_.failed("link", place(number_), linked);
  if (const auto failed = files.sync_folder(folders_.records)) {
    static_cast<void>(files.unlink(folders_.records, name));
    throw site_.failed("fsync of the folder", place(number_), failed);
  }
  sys::File opened;
  if (const auto failed = files.open(folders_.records, name, sys::Open::read_write, opened)) {
    throw site_.failed("open", place(number_), failed);
  }
  return opened;
}

void SegmentMaker::retire(std::uint64_t number) {
  sys::FileSystem& files = backend_.files();
  const std::string name = segment_name(number);
  sys::Stat stat;
  const bool fits = !files.stat(folders_.records, name, stat) && stat.kind == sys::Kind::file &&
                    stat.size >= segment_bytes_ && stat.size <= 2 * segment_bytes_;
  const bool kept = fits && !files.rename(folders_.records, name, folders_.records, spare_name,
                                          sys::Rename::if_free);
  if (!kept) static_cast<void>(files.unlink(folders_.records, name));
}

void SegmentMaker::remove_spare() {
  static_cast<void>(backend_.files().unlink(folders_.records, spare_name));
}

}  // namespace resumable::store::journal
