#include "encryption/sealed_record.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "encryption/chunks.hpp"
#include "resumable/error.hpp"

namespace resumable::encryption {
namespace {

constexpr std::string_view magic = "RSME";
constexpr unsigned char layout = 1;
constexpr std::size_t id_at = 8;
constexpr std::size_t check_at = id_at + max_id;
constexpr std::size_t salt_at = check_at + check_bytes;
static_assert(salt_at + salt_bytes == sizeof(Tag::raw));

// A header is one line of JSON of at most 64 KiB. A header that does not fit is put at the front of
// the payload.
constexpr std::string_view before = "{\"encrypted\":\"";
constexpr std::string_view behind = "\"}";
constexpr std::size_t most_in_header = 44'000;

std::string_view text_of(const Tag& tag) {
  return {reinterpret_cast<const char*>(tag.raw.data()), tag.raw.size()};
}

Tag tag_of(std::string_view bytes) {
  Tag tag;
  std::memcpy(tag.raw.data(), bytes.data(), tag.raw.size());
  return tag;
}

Tag make_tag(const RunKeys& keys) {
  std::string bytes(sizeof(Tag::raw), '\0');
  bytes.replace(0, magic.size(), magic);
  bytes[4] = static_cast<char>(layout);
  bytes[5] = static_cast<char>(keys.id().size());
  bytes.replace(id_at, keys.id().size(), keys.id());
  bytes.replace(check_at, check_bytes, keys.check());
  bytes.replace(salt_at, salt_bytes, random_bytes(salt_bytes));
  return tag_of(bytes);
}

std::string_view salt_of(const Tag& tag) { return text_of(tag).substr(salt_at, salt_bytes); }

void add_number(std::string& to, std::uint64_t number) {
  for (unsigned i = 0; i < 8; ++i) to += static_cast<char>((number >> (8 * i)) & 0xffU);
}
void add_text(std::string& to, std::string_view text) {
  add_number(to, text.size());
  to += text;
}

/// Reads what add_number() and add_text() wrote. The bytes are authentic, so only this library can
/// have written them; `good` is for bytes of a later version.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::string_view take(std::size_t size) {
    good = good && size <= rest_.size();
    const std::string_view taken = rest_.substr(0, good ? size : 0);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::uint64_t number() {
    const std::string_view bytes = take(8);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
  }
  std::string_view text() { return take(static_cast<std::size_t>(number())); }
  [[nodiscard]] bool is_done() const { return good && rest_.empty(); }

  bool good = true;

 private:
  std::string_view rest_;
};

std::optional<std::string> unwrapped(std::string_view header) {
  if (!header.starts_with(before) || !header.ends_with(behind) ||
      header.size() < before.size() + behind.size()) {
    return std::nullopt;
  }
  header.remove_prefix(before.size());
  header.remove_suffix(behind.size());
  return from_base64(header);
}

std::string wrapped(std::string_view bytes) {
  return std::string{before}.append(to_base64(bytes)).append(behind);
}

}  // namespace

OuterTag read_tag(const Tag& tag) {
  const std::string_view bytes = text_of(tag);
  const auto size = static_cast<unsigned char>(bytes[5]);
  if (!bytes.starts_with(magic)) return {.damage = Damage::foreign};
  if (static_cast<unsigned char>(bytes[4]) != layout) return {.damage = Damage::newer};
  return {.id = std::string{bytes.substr(id_at, std::min<std::size_t>(size, max_id))},
          .check = std::string{bytes.substr(check_at, check_bytes)},
          .salt = std::string{salt_of(tag)}};
}

SealedRecord seal_record(const RunKeys& keys, std::string_view run, const Put& put) {
  SealedRecord sealed{.tag = make_tag(keys), .header = {}, .payload = {}};
  const RecordKeys own = keys.of_record(salt_of(sealed.tag));
  const bool fits = put.header.size() + put.id.path.size() + run.size() <= most_in_header;
  std::string head(1, fits ? '\0' : '\1');
  head += text_of(put.tag);
  add_text(head, run);
  add_text(head, put.id.path);
  add_number(head, put.id.generation);
  add_number(head, put.payload->size());
  add_number(head, put.header.size());
  if (fits) head += put.header;
  sealed.header = wrapped(seal(own.head, {}, text_of(sealed.tag), head));
  sealed.payload = seal_payload(own.payload, std::string{fits ? "" : put.header}, *put.payload);
  return sealed;
}

HeadReading open_head(const RunKeys& keys, std::string_view run, RecordId id, const Tag& tag,
                      std::string_view header) {
  const OuterTag outer = read_tag(tag);
  if (outer.damage == Damage::foreign)
    return {.damage = Damage::foreign, .why = "is not encrypted"};
  if (outer.damage == Damage::newer) {
    return {.damage = Damage::newer, .why = "was encrypted by a later version of the library"};
  }
  if (outer.id != keys.id() || outer.check != keys.check()) {
    return {.damage = Damage::torn,
            .why = fmt::format("is damaged, or was sealed with another key than the run's, '{}'",
                               keys.id())};
  }
  const auto bytes = unwrapped(header);
  const auto plain =
      bytes ? open(keys.of_record(outer.salt).head, {}, text_of(tag), *bytes) : std::nullopt;
  if (!plain) {
    return {.damage = Damage::torn,
            .why = fmt::format("was changed since it was sealed with key '{}'", keys.id())};
  }
  Reader reader{*plain};
  const std::string_view flags = reader.take(1);
  const std::string_view inner = reader.take(sizeof(Tag::raw));
  const std::string_view of_run = reader.text();
  const std::string_view path = reader.text();
  const std::uint64_t generation = reader.number();
  OpenedHead head;
  head.payload_bytes = reader.number();
  head.header_bytes = reader.number();
  head.header_in_payload = flags == "\1";
  if (!head.header_in_payload)
    head.header = reader.take(static_cast<std::size_t>(head.header_bytes));
  if (!reader.is_done()) return {.damage = Damage::newer, .why = "has more than is known"};
  if (of_run != run || path != id.path || generation != id.generation) {
    return {.damage = Damage::foreign,
            .why = fmt::format("was moved here: it is '{}', generation {}, of run '{}'",
                               core::printable(path), generation, core::printable(of_run))};
  }
  head.tag = tag_of(inner);
  return {.head = std::move(head)};
}

StoredRecord open_record(const RunKeys& keys, OpenedHead head, const Tag& tag,
                         std::shared_ptr<const Payload> sealed) {
  const Key key = keys.of_record(salt_of(tag)).payload;
  std::uint64_t skip = 0;
  if (head.header_in_payload) {
    skip = head.header_bytes;
    if (skip > sealed->size()) {  // nothing that seal_record() gives; its sum below may overflow
      throw Error(Errc::damaged, {.what = "a sealed header is longer than its record"});
    }
    // The payload's size is included, because the first chunks alone would look like a shorter
    // payload.
    const auto all = open_payload(key, 0, skip + head.payload_bytes, sealed);
    head.header.resize(static_cast<std::size_t>(skip));
    for (std::size_t at = 0; at < head.header.size();) {
      at += all->read(at, std::span(head.header).subspan(at));
    }
  }
  return {head.tag, std::move(head.header),
          open_payload(key, skip, head.payload_bytes, std::move(sealed))};
}

std::string seal_text(const RunKeys& keys, std::string_view about, std::string_view text) {
  const Tag tag = make_tag(keys);
  const std::string sealed =
      seal(keys.of_record(salt_of(tag)).head, {}, std::string{text_of(tag)}.append(about), text);
  return wrapped(std::string{text_of(tag)} + sealed);
}

std::optional<std::string> key_of_text(std::string_view sealed) {
  const auto bytes = unwrapped(sealed);
  if (!bytes || bytes->size() < sizeof(Tag::raw)) return std::nullopt;
  const OuterTag tag = read_tag(tag_of(*bytes));
  return tag.damage == Damage::none ? std::optional{tag.id} : std::nullopt;
}

std::optional<std::string> open_text(const RunKeys& keys, std::string_view about,
                                     std::string_view sealed) {
  const auto bytes = unwrapped(sealed);
  if (!bytes || bytes->size() < sizeof(Tag::raw)) return std::nullopt;
  const Tag tag = tag_of(*bytes);
  return open(keys.of_record(salt_of(tag)).head, {}, std::string{text_of(tag)}.append(about),
              std::string_view{*bytes}.substr(sizeof(Tag::raw)));
}

}  // namespace resumable::encryption
