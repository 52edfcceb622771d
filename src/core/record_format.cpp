#include "core/record_format.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/header_reader.hpp"
#include "core/header_writer.hpp"
#include "core/json.hpp"
#include "core/little_endian.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

using Document = OrderedJson;

constexpr std::string_view magic = "RSMB";
constexpr std::uint8_t known_flags = edited | disputed | in_place | dropped;
constexpr std::size_t check_at = 60;  // in a tag, which ends with it
constexpr std::string_view check_field = ",\"check\":\"";
constexpr std::string_view line_end = "\"}";

char* bytes_of(Tag& tag) { return reinterpret_cast<char*>(tag.raw.data()); }

std::string_view text(const Tag& tag, std::size_t size) {
  return {reinterpret_cast<const char*>(tag.raw.data()), size};
}

// Writes fields one after the other.
class TagWriter {
 public:
  void bytes(const void* data, std::size_t size) {
    std::memcpy(bytes_of(tag_) + at_, data, size);
    at_ += size;
  }
  template <class Number>
  void number(Number value) {
    store_little(bytes_of(tag_) + at_, value);
    at_ += sizeof value;
  }
  [[nodiscard]] const Tag& tag() const { return tag_; }

 private:
  Tag tag_;
  std::size_t at_ = 0;
};

class TagReader {
 public:
  explicit TagReader(const Tag& tag, std::size_t at = 0) : tag_(tag), at_(at) {}
  void bytes(void* data, std::size_t size) {
    std::memcpy(data, tag_.raw.data() + at_, size);
    at_ += size;
  }
  template <class Number>
  Number number() {
    const auto value = load_little<Number>(text(tag_, tag_.raw.size()).data() + at_);
    at_ += sizeof value;
    return value;
  }

 private:
  const Tag& tag_;
  std::size_t at_;
};

/// What a check covers, in one piece: one is made for each record of a scan, and this is faster
/// than a Digester. On the stack, unless it is long.
class Checked {
 public:
  explicit Checked(std::size_t size)
      : long_(size > short_.size() ? std::make_unique_for_overwrite<char[]>(size) : nullptr),
        begin_(long_ ? long_.get() : short_.data()),
        end_(begin_) {}

  void add(std::string_view piece) { end_ = std::copy(piece.begin(), piece.end(), end_); }
  /// As Digester::add().
  void add_with_size(std::string_view piece) {
    store_little(end_, std::uint64_t{piece.size()});
    end_ += sizeof(std::uint64_t);
    add(piece);
  }
  [[nodiscard]] Digest sum() const {
    return digest({begin_, static_cast<std::size_t>(end_ - begin_)});
  }

 private:
  std::array<char, 1024> short_;
  std::unique_ptr<char[]> long_;
  char* begin_;
  char* end_;
};

std::uint32_t tag_check(const Tag& tag, const Place& place) {
  const fmt::format_int digits{place.generation};
  const std::string_view generation{digits.data(), digits.size()};
  Checked all{check_at + place.run_uid.size() + place.path.size() + generation.size() +
              3 * sizeof(std::uint64_t)};
  all.add(text(tag, check_at));
  all.add_with_size(place.run_uid);
  all.add_with_size(place.path);
  all.add_with_size(generation);
  const Digest sum = all.sum();
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | sum.bytes[i];
  return value;
}

/// The first bytes of a digest.
using HeaderCheck = std::array<std::uint8_t, 8>;

HeaderCheck header_check(std::string_view body, const Tag& tag) {
  Checked all{tag.raw.size() + body.size()};
  all.add(text(tag, tag.raw.size()));
  all.add(body);
  const Digest sum = all.sum();
  HeaderCheck check{};
  std::copy_n(sum.bytes.begin(), check.size(), check.begin());
  return check;
}

Digest digest_at(const Document& json, const char* field) {
  const auto parsed = Digest::parse(json.at(field).get_ref<const std::string&>());
  if (!parsed) throw std::invalid_argument(field);
  return *parsed;
}

std::vector<Export> exports_of(const Document& json, const char* field) {
  std::vector<Export> exports;
  if (!json.contains(field)) return exports;
  for (const Document& entry : json.at(field)) {
    Export one{entry.at("path").get<std::string>(), digest_at(entry, "digest"), std::nullopt,
               entry.at("order").get<std::uint64_t>()};
    if (entry.contains("before")) one.before = digest_at(entry, "before");
    one.edited = entry.value("edited", false);
    exports.push_back(std::move(one));
  }
  return exports;
}

Header header_of(const Document& json) {
  Header header;
  json.at("key").get_to(header.key);
  json.at("generation").get_to(header.generation);
  json.at("run").get_to(header.run_uid);
  json.at("pipeline").get_to(header.pipeline);
  json.at("at").get_to(header.at);
  header.schema_name = json.value("type", std::string{});
  json.at("seconds").get_to(header.seconds);
  json.at("attempts").get_to(header.attempts);
  header.passes = json.value("passes", std::uint64_t{0});
  if (json.contains("cost")) {
    json.at("cost").at("usd").get_to(header.cost.usd);
    json.at("cost").at("tokens").get_to(header.cost.tokens);
  }
  if (json.contains("inputs")) {
    for (const auto& [name, hex] : json.at("inputs").items()) {
      header.inputs.push_back({name, digest_at(json.at("inputs"), name.c_str())});
    }
  }
  header.from_generation = json.value("from_generation", std::uint64_t{0});
  header.exports = exports_of(json, "exports");
  header.confirmed = exports_of(json, "confirmed");
  header.adopted_by = json.value("adopted_by", std::string{});
  header.edited_by = json.value("edited_by", std::string{});
  if (json.contains("collisions")) {
    for (const Document& one : json.at("collisions")) {
      header.collisions.push_back({one.at("path").get<std::string>(),
                                   one.at("edit").get<std::string>(),
                                   one.at("value").get<std::string>()});
    }
  }
  header.dropped_at = json.value("dropped", std::string{});
  header.shape = json.value("shape", std::string{});
  header.schemas = json.value("schemas", std::string{});
  json.at("payload").at("bytes").get_to(header.payload_bytes);
  header.payload_digest = digest_at(json.at("payload"), "digest");
  header.payload_sha256 = json.at("payload").value("sha256", std::string{});
  return header;
}

}  // namespace

std::string_view to_string(Kind kind) noexcept {
  const std::string_view name = traits(kind).name;
  return name.empty() ? "unknown" : name;
}

Tag encode_tag(const Head& head, const Place& place) {
  TagWriter to;
  to.bytes(magic.data(), magic.size());
  to.number(layout);
  to.number(static_cast<std::uint8_t>(head.kind));
  to.number(head.flags);
  to.number(static_cast<std::uint8_t>(head.codec));
  to.number(head.schema);
  to.number(head.revision);
  to.bytes(head.identity.bytes.data(), head.identity.bytes.size());
  to.bytes(head.fingerprint.bytes.data(), head.fingerprint.bytes.size());
  to.number(head.fence);
  to.number(head.shape);
  to.number(tag_check(to.tag(), place));
  return to.tag();
}

Head head_of(const Tag& tag) noexcept {
  TagReader from{tag, magic.size() + sizeof layout};
  Head head;
  head.kind = static_cast<Kind>(from.number<std::uint8_t>());
  head.flags = from.number<std::uint8_t>();
  head.codec = static_cast<CodecId>(from.number<std::uint8_t>());
  head.schema = from.number<std::uint32_t>();
  head.revision = from.number<std::uint32_t>();
  from.bytes(head.identity.bytes.data(), head.identity.bytes.size());
  from.bytes(head.fingerprint.bytes.data(), head.fingerprint.bytes.size());
  head.fence = from.number<std::uint64_t>();
  head.shape = from.number<std::uint32_t>();
  return head;
}

TagReading decode_tag(const Tag& tag, const Place& place) {
  if (text(tag, magic.size()) != magic) return {Damage::foreign, {}};
  const auto found_layout = std::to_integer<std::uint8_t>(tag.raw[4]);
  const Head head = head_of(tag);
  if (found_layout > layout) return {Damage::newer, head};
  if (TagReader{tag, check_at}.number<std::uint32_t>() != tag_check(tag, place)) {
    return {Damage::torn, {}};
  }
  return {found_layout == layout && (head.flags & ~known_flags) == 0 ? Damage::none : Damage::newer,
          head};
}

void refuse_sealed(const Tag& tag, std::string_view path) {
  if (text(tag, 4) == "RSMb" || text(tag, 4) == "RSMe") {
    throw Error(Errc::foreign,
                {.what = "values of this run are objects in S3, for instance that of '" +
                         printable(path) + "'",
                 .kept = "everything: nothing was changed",
                 .next = "open the store with ?payloads=s3://bucket/prefix behind its URL"});
  }
  if (text(tag, 4) != "RSME") return;
  const std::string_view id{reinterpret_cast<const char*>(tag.raw.data()) + 8, 24};
  throw Error(
      Errc::foreign,
      {.what = "the run is encrypted with the key '" + printable(id.substr(0, id.find('\0'))) +
               "', for instance its record '" + printable(path) + "'",
       .kept = "everything: nothing was changed",
       .next = "use a program that opens the store with resumable::EncryptedStore"});
}

std::string encode_header(const Header& header, const Tag& tag) {
  std::string line = header_line(header, head_of(tag));
  const HeaderCheck check = header_check(line, tag);
  line += check_field;
  append_hex(line, check);
  line += line_end;
  if (line.size() > max_header_bytes) {
    throw Error(Errc::too_large,
                {.what = "the header of checkpoint '" + header.key + "' would have " +
                         std::to_string(line.size()) + " bytes; the format allows " +
                         std::to_string(max_header_bytes),
                 .kept = "nothing was written",
                 .next = "use fewer inputs or artifacts per stage, or shorter names"});
  }
  return line;
}

std::optional<Header> decode_header(std::string_view line, const Tag& tag) {
  HeaderCheck check{};
  const std::size_t tail = check_field.size() + 2 * check.size() + line_end.size();
  if (line.size() > max_header_bytes || line.size() < tail) return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - tail);
  std::string_view rest = line.substr(body.size());
  if (!rest.starts_with(check_field) || !rest.ends_with(line_end)) return std::nullopt;
  rest = rest.substr(check_field.size(), 2 * check.size());
  const bool written = read_hex(rest, std::as_writable_bytes(std::span{check}));
  if (!written || check != header_check(body, tag)) return std::nullopt;
  Header plain;
  if (read_plain_header(line, plain)) return plain;
  try {
    return header_of(Document::parse(line));
  } catch (const std::bad_alloc&) {
    throw;  // says nothing of the bytes
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void for_each_piece(const Payload& payload,
                    FunctionRef<void(std::uint64_t, std::string_view)> visit) {
  if (const auto bytes = payload.view()) return visit(0, *bytes);
  std::vector<char> piece(
      static_cast<std::size_t>(std::min<std::uint64_t>(payload.size(), std::uint64_t{1} << 20U)));
  for (std::uint64_t at = 0; at < payload.size();) {
    const std::size_t count = payload.read(at, piece);
    if (count == 0) throw Error(Errc::damaged, {.what = "a payload ended too early"});
    visit(at, {piece.data(), count});
    at += count;
  }
}

Digest digest_of(const Payload& payload) {
  if (const auto bytes = payload.view()) return digest(*bytes);
  Digester digester;
  for_each_piece(payload, [&](std::uint64_t, std::string_view piece) { digester.add_raw(piece); });
  return digester.finish();
}

bool payload_matches(const Header& header, const Payload& payload) {
  return payload.size() == header.payload_bytes && digest_of(payload) == header.payload_digest;
}

}  // namespace resumable::core
