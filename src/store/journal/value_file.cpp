#include "store/journal/value_file.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "store/check.hpp"
#include "store/file/temporary_file.hpp"
#include "store/names.hpp"
#include "sys/sequential_writer.hpp"

namespace resumable::store::journal {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;

/// Made when the first payload comes.
class ValueFile {
 public:
  ValueFile(const Backend& backend, const RunSite& site, const RunFolders& folders)
      : backend_(backend), site_(site), folders_(folders) {}

  /// The offset of the payload in the file; its digest, if requested.
  std::uint64_t add(const Payload& payload, Digest* digest) {
    if (!file_) {
      file_.emplace(backend_, site_, folders_.temporary);
      writer_.emplace(backend_.files(), file_->file());
    }
    const std::uint64_t begin = writer_->size();
    if (const auto bytes = payload.view()) {
      write(*bytes);
      if (digest != nullptr) *digest = resumable::digest(*bytes);
      return begin;
    }
    Digester digester;
    std::string chunk(chunk_bytes, '\0');
    for (std::uint64_t done = 0; done < payload.size();) {
      const auto rest = std::min<std::uint64_t>(payload.size() - done, chunk.size());
      const auto count = payload.read(done, std::span{chunk}.first(static_cast<std::size_t>(rest)));
      if (count == 0) file_->must("read", std::make_error_code(std::errc::message_size));
      const auto piece = std::string_view{chunk}.substr(0, count);
      if (digest != nullptr) digester.add_raw(piece);
      write(piece);
      done += count;
    }
    if (digest != nullptr) *digest = digester.finish();
    return begin;
  }

  /// Durable under its name once the folder is synced; false when there is none.
  bool finish(const std::string& name) {
    if (!file_) return false;
    file_->sync();
    file_->close();
    file_->must("link", file_->take_free_name(folders_.records, name));
    return true;
  }

 private:
  void write(std::string_view bytes) { file_->must("write", writer_->write(bytes)); }

  const Backend& backend_;
  const RunSite& site_;
  const RunFolders& folders_;
  std::optional<TemporaryFile> file_;
  std::optional<sys::SequentialWriter> writer_;
};

/// Payloads of at least this size are not copied into the group.
constexpr std::uint64_t referred_bytes = std::uint64_t{16} << 10U;

bool goes_apart(std::uint64_t size, const ValueTarget& target, const Pending& pending) {
  return size >= target.from_size ||
         (size >= small_bytes && pending.group.size() > most_inline_bytes);
}

void append_payload(GroupBytes& group, const Put& put, std::string_view bytes) {
  if (bytes.size() >= referred_bytes && put.payload->view()) return group.refer_to(bytes);
  group.copied() += bytes;
}

void encode_put(const Put& put, const ValueTarget& target, ValueFile& values, Pending& pending) {
  const std::uint64_t size = put.payload->size();
  const bool apart = goes_apart(size, target, pending);
  ValuePlace place = target.file;
  std::optional<Seal> seal;
  Digest digest;
  std::string copy;
  std::string_view bytes;
  if (apart) {
    place.at = values.add(*put.payload, put.seal ? &digest : nullptr);
  } else {
    const auto view = put.payload->view();
    bytes = view ? * view : copy = read_all(*put.payload);
  }
  if (put.seal) {
    seal = (*put.seal)(apart ? digest : resumable::digest(bytes));
    check_header(put.id.path, seal->header);
  }
  const std::string_view header = seal ? std::string_view{seal->header} : put.header;
  const Entry entry{.kind = apart ? EntryKind::put_apart : EntryKind::put,
                    .path = put.id.path,
                    .generation = put.id.generation,
                    .header_bytes = header.size(),
                    .payload_bytes = size,
                    .tag = seal ? seal->tag : put.tag,
                    .value = place};
  const std::uint64_t at = pending.group.size();
  append_entry(pending.group.copied(), entry);
  pending.group.copied() += header;
  if (apart) {
    append_value_place(pending.group.copied(), place);
  } else {
    append_payload(pending.group, put, bytes);
  }
  pending.changes.push_back({.id = {std::string{put.id.path}, put.id.generation},
                             .known = {.tag = entry.tag,
                                       .header_bytes = entry.header_bytes,
                                       .payload_bytes = entry.payload_bytes,
                                       .segment = 0,
                                       .at = at,
                                       .value = place,
                                       .apart = apart}});
}

}  // namespace

bool encode(const Backend& backend, const RunSite& site, const RunFolders& folders,
            const Batch& batch, const ValueTarget& target, Pending& pending) {
  ValueFile values{backend, site, folders};
  for (const Put& put : batch.puts) encode_put(put, target, values, pending);
  for (const RecordId id : batch.erases) {
    const std::uint64_t at = pending.group.size();
    append_entry(pending.group.copied(),
                 {.kind = EntryKind::erase, .path = id.path, .generation = id.generation});
    pending.changes.push_back(
        {.id = {std::string{id.path}, id.generation}, .known = {.at = at}, .erase = true});
  }
  return values.finish(value_name(target.file));
}

}  // namespace resumable::store::journal
