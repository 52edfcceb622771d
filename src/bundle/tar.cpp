// The bytes of a bundle: a tar by libarchive.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bundle/bundle_store.hpp"
#include "core/remedy.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "sys/random.hpp"
#include "sys/unnamed_file.hpp"

namespace resumable::bundle {
namespace {

constexpr int known_layout = 1;
constexpr std::string_view manifest_name = "manifest.json";
constexpr std::string_view end_name = "end";
constexpr std::uint64_t block = 512;
constexpr std::uint64_t max_header_bytes = std::uint64_t{64} << 10U;

struct Free {
  void operator()(archive* one) const noexcept { archive_free(one); }
  void operator()(archive_entry* one) const noexcept { archive_entry_free(one); }
};
using Archive = std::unique_ptr<archive, Free>;
using Entry = std::unique_ptr<archive_entry, Free>;

std::string hex_of(const Tag& tag) {
  std::string text;
  for (const std::byte one : tag.raw) text += fmt::format("{:02x}", std::to_integer<int>(one));
  return text;
}

// ---- writing -----------------------------------------------------------------------------------

class Writer {
 public:
  Writer(sys::FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {
    const std::size_t slash = path_.rfind('/');
    name_ = path_.substr(slash + 1);
    must("open", files_.open_root(slash == 0 ? "/" : path_.substr(0, slash), folder_));
    sys::SystemRandom random;
    std::string unique;
    must("getrandom", sys::random_name(random, unique));
    must("create", file_.open(files_, folder_, "." + name_.substr(0, 200) + "." + unique + ".tmp",
                              sys::Open::new_private));
    tar_.reset(archive_write_new());
    if (!tar_) throw std::bad_alloc{};
    archive_write_set_format_pax_restricted(tar_.get());
    archive_write_add_filter_none(tar_.get());
    expect(archive_write_open2(tar_.get(), this, nullptr, &Writer::write, nullptr, nullptr));
  }

  void begin(const std::string& name, std::uint64_t size) {
    const Entry entry{archive_entry_new()};
    if (!entry) throw std::bad_alloc{};
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0600);
    archive_entry_set_mtime(entry.get(), 0, 0);  // the same run gives the same bytes
    expect(archive_write_header(tar_.get(), entry.get()));
  }

  void add(std::string_view bytes) {
    if (bytes.empty()) return;
    const auto written = archive_write_data(tar_.get(), bytes.data(), bytes.size());
    if (written != static_cast<la_ssize_t>(bytes.size())) fail("write");
  }

  void finish() {
    expect(archive_write_close(tar_.get()));
    must("fsync", file_.sync());
    must("close", file_.close());
    const auto error = file_.take_free_name(folder_, name_);
    if (error == std::errc::file_exists) {
      throw Error(Errc::duplicate_name, {.what = "a file of this name exists",
                                         .file = path_,
                                         .kept = "it was not changed",
                                         .next = "choose another name"});
    }
    must("link", error);
    must("fsync", files_.sync_folder(folder_));
  }

 private:
  static la_ssize_t write(archive* tar, void* self, const void* data, std::size_t size) {
    auto& writer = *static_cast<Writer*>(self);
    const std::string_view bytes{static_cast<const char*>(data), size};
    if (const auto error = writer.file_.write(writer.at_, bytes)) {
      writer.cause_ = error;
      archive_set_error(tar, error.value(), "write");
      return -1;
    }
    writer.at_ += size;
    return static_cast<la_ssize_t>(size);
  }

  void expect(int result) {
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) fail("write");
  }
  void must(const char* operation, std::error_code error) {
    if (!error) return;
    cause_ = error;
    fail(operation);
  }
  [[noreturn]] void fail(const char* operation) const {
    throw Error(Errc::store_failed,
                {.what = "a bundle cannot be written",
                 .operation = operation,
                 .file = path_,
                 .kept = "the run, and what had this name before",
                 .next = core::remedy(cause_, "fix the cause") + ", then try again",
                 .cause = cause_});
  }

  sys::FileSystem& files_;
  std::string path_;
  std::string name_;
  sys::File folder_;
  sys::UnnamedFile file_;
  std::uint64_t at_ = 0;
  std::error_code cause_;
  Archive tar_;  // last: closing it writes
};

std::string manifest_of(std::string_view run, std::span<const Put* const> puts) {
  nlohmann::ordered_json json{{"resumable", "bundle"}, {"layout", known_layout}, {"run", run}};
  auto& records = json["records"] = nlohmann::ordered_json::array();
  for (const Put* put : puts) {
    records.push_back({{"path", put->id.path},
                       {"generation", put->id.generation},
                       {"tag", hex_of(put->tag)},
                       {"header", put->header.size()},
                       {"payload", put->payload->size()}});
  }
  const std::string body = json.dump();
  return nlohmann::ordered_json{{"digest", digest(body).hex()}, {"manifest", body}}.dump() + "\n";
}

// ---- reading -----------------------------------------------------------------------------------

[[noreturn]] void damaged(const std::string& shown, std::string why) {
  throw Error(Errc::damaged, {.what = "not a whole bundle: " + std::move(why),
                              .file = shown,
                              .kept = "nothing was changed",
                              .next = "export the run again, or take another copy of the file"});
}

struct Found {
  std::string name;
  std::uint64_t header_at = 0;
  std::uint64_t size = 0;
  std::uint64_t at = 0;
};

class Reader {
 public:
  Reader(sys::FileSystem& files, const sys::File& file, const std::string& shown)
      : files_(files), file_(file), shown_(shown) {
    sys::Stat stat;
    if (const auto error = files.stat(file, stat)) throw_unreadable(shown_, error);
    file_size_ = stat.size;
    tar_.reset(archive_read_new());
    if (!tar_) throw std::bad_alloc{};
    archive_read_support_format_tar(tar_.get());
    archive_read_support_filter_none(tar_.get());
    archive_read_set_seek_callback(tar_.get(), nullptr);
    archive_read_set_skip_callback(tar_.get(), &Reader::skip);
    if (archive_read_open2(tar_.get(), this, nullptr, &Reader::read, &Reader::skip, nullptr) !=
        ARCHIVE_OK) {
      damaged(shown_, "it is not a tar");
    }
  }

  /// All entries but the last, which says that nothing is missing.
  std::vector<Found> entries() {
    std::vector<Found> all;
    archive_entry* entry = nullptr;
    int result = ARCHIVE_OK;
    while ((result = archive_read_next_header(tar_.get(), &entry)) == ARCHIVE_OK) {
      const char* name = archive_entry_pathname(entry);
      const auto size = archive_entry_size(entry);
      const bool plain = name != nullptr && archive_entry_filetype(entry) == AE_IFREG &&
                         archive_entry_hardlink(entry) == nullptr &&
                         archive_entry_symlink(entry) == nullptr && size >= 0;
      if (!plain) damaged(shown_, "it has an entry that is not a file");
      if (static_cast<std::uint64_t>(size) > file_size_) {
        damaged(shown_, "an entry is larger than the file");
      }
      const auto position = archive_read_header_position(tar_.get());
      all.push_back({name, static_cast<std::uint64_t>(position), static_cast<std::uint64_t>(size)});
    }
    if (cause_) throw_unreadable(shown_, cause_);
    if (result != ARCHIVE_EOF) damaged(shown_, "its entries cannot be read");
    return placed(std::move(all));
  }

  std::string text(const Found& entry) {
    std::string bytes(static_cast<std::size_t>(entry.size), '\0');
    std::size_t count = 0;
    if (const auto error = sys::read_fully(files_, file_, entry.at, bytes, count)) {
      throw_unreadable(shown_, error);
    }
    if (count != bytes.size()) damaged(shown_, "it ends too early");
    return bytes;
  }

 private:
  /// An entry's bytes end where the next one's header begins, but for padding.
  std::vector<Found> placed(std::vector<Found> all) const {
    if (all.empty() || all.back().name != end_name || all.back().size != 0) {
      damaged(shown_, "its end is missing");
    }
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const std::uint64_t padded = (all[i].size + block - 1) / block * block;
      const std::uint64_t next = all[i + 1].header_at;
      if (next < padded || next - padded < all[i].header_at + block || next > file_size_) {
        damaged(shown_, "its entries overlap");
      }
      all[i].at = next - padded;
    }
    all.pop_back();
    return all;
  }

  static la_ssize_t read(archive* tar, void* self, const void** data) {
    auto& reader = *static_cast<Reader*>(self);
    std::size_t count = 0;
    const auto error =
        sys::read_fully(reader.files_, reader.file_, reader.at_, reader.buffer_, count);
    if (error) {
      reader.cause_ = error;
      archive_set_error(tar, error.value(), "read");
      return ARCHIVE_FATAL;
    }
    reader.at_ += count;
    *data = reader.buffer_.data();
    return static_cast<la_ssize_t>(count);
  }

  static la_int64_t skip(archive* /*tar*/, void* self, la_int64_t count) {
    auto& reader = *static_cast<Reader*>(self);
    const std::uint64_t left = reader.file_size_ - std::min(reader.at_, reader.file_size_);
    const auto skipped = std::min<std::uint64_t>(left, static_cast<std::uint64_t>(count));
    reader.at_ += skipped;
    return static_cast<la_int64_t>(skipped);
  }

  sys::FileSystem& files_;
  const sys::File& file_;
  const std::string& shown_;
  std::uint64_t file_size_ = 0;
  std::uint64_t at_ = 0;
  std::error_code cause_;
  std::array<char, 1U << 16U> buffer_{};
  Archive tar_;
};

Tag tag_of(const std::string& hex) {
  Tag tag;
  if (hex.size() != 2 * tag.raw.size()) throw std::invalid_argument("tag");
  for (std::size_t i = 0; i < tag.raw.size(); ++i) {
    const std::string two = hex.substr(2 * i, 2);
    if (two.find_first_not_of("0123456789abcdef") != two.npos) throw std::invalid_argument("tag");
    tag.raw[i] = static_cast<std::byte>(std::stoul(two, nullptr, 16));
  }
  return tag;
}

Contents parse_manifest(const std::string& text, const std::string& shown) {
  Contents contents;
  try {
    const auto outer = nlohmann::json::parse(text);
    const auto body = outer.at("manifest").get<std::string>();
    if (digest(body).hex() != outer.at("digest").get<std::string>()) {
      damaged(shown, "its manifest is not as it was written");
    }
    const auto json = nlohmann::json::parse(body);
    if (json.at("layout").get<std::uint64_t>() > known_layout) {
      throw Error(Errc::newer, {.what = "the bundle was written by a newer version",
                                .file = shown,
                                .kept = "nothing was changed",
                                .next = "use a newer program"});
    }
    contents.run = json.at("run").get<std::string>();
    for (const auto& one : json.at("records")) {
      contents.records.push_back(
          {one.at("path").get<std::string>(), one.at("generation").get<std::uint64_t>(),
           tag_of(one.at("tag").get<std::string>()), one.at("header").get<std::uint64_t>(),
           one.at("payload").get<std::uint64_t>()});
    }
  } catch (const nlohmann::json::exception&) {
    damaged(shown, "its manifest cannot be read");
  } catch (const std::invalid_argument&) {
    damaged(shown, "its manifest cannot be read");
  }
  return contents;
}

}  // namespace

void write_bundle(sys::FileSystem& files, const std::string& path, std::string_view run,
                  std::span<const Put> puts) {
  std::vector<const Put*> sorted;
  for (const Put& put : puts) sorted.push_back(&put);
  std::ranges::sort(sorted, {}, [](const Put* put) {
    return std::pair{put->id.path, put->id.generation};
  });
  Writer writer{files, path};
  const std::string manifest = manifest_of(run, sorted);
  writer.begin(std::string{manifest_name}, manifest.size());
  writer.add(manifest);
  std::string piece(std::size_t{1} << 20U, '\0');
  for (const Put* put : sorted) {
    const Record record{std::string{put->id.path}, put->id.generation, {}, 0, 0};
    const std::uint64_t size = put->payload->size();
    writer.begin(record.name(), put->header.size() + 1 + size);
    writer.add(put->header);
    writer.add("\n");
    for (std::uint64_t at = 0; at < size;) {
      const std::size_t count = put->payload->read(at, piece);
      if (count == 0) throw Error(Errc::damaged, {.what = "a payload ended too early"});
      writer.add(std::string_view{piece}.substr(0, count));
      at += count;
    }
  }
  writer.begin(std::string{end_name}, 0);
  writer.finish();
}

Contents read_contents(sys::FileSystem& files, const sys::File& file, const std::string& shown) {
  const auto reader = std::make_unique<Reader>(files, file, shown);
  const std::vector<Found> entries = reader->entries();
  if (entries.empty() || entries.front().name != manifest_name) {
    damaged(shown, "its manifest is missing");
  }
  Contents contents = parse_manifest(reader->text(entries.front()), shown);
  if (contents.records.size() != entries.size() - 1) damaged(shown, "records are missing");
  for (std::size_t i = 0; i < contents.records.size(); ++i) {
    Record& one = contents.records[i];
    const Found& entry = entries[i + 1];
    const bool sizes = one.header_bytes <= max_header_bytes && one.payload_bytes <= entry.size &&
                       entry.size == one.header_bytes + 1 + one.payload_bytes;
    if (entry.name != one.name() || !sizes) damaged(shown, "an entry is not the one it should be");
    if (i > 0) {
      const Record& before = contents.records[i - 1];
      if (std::pair{before.path, before.generation} >= std::pair{one.path, one.generation}) {
        damaged(shown, "its records are not in order");
      }
    }
    one.at = entry.at;
  }
  return contents;
}

}  // namespace resumable::bundle
