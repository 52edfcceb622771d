// A sealed record from arbitrary bytes: it is refused, or it is the one that was sealed. A head and
// a payload that are sealed rightly, as a program with the key could, are read within their bounds.
//
// The input: a byte (1: seal the head, 2: seal the payload), two of the head's size, head, payload.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "encryption/chunks.hpp"
#include "encryption/sealed_record.hpp"
#include "resumable/error.hpp"

namespace {

namespace rs = resumable;
namespace encryption = resumable::encryption;

constexpr std::string_view run_id = "r";
constexpr rs::RecordId id{"draft", 1};
constexpr std::string_view header = R"({"key":"draft"})";
constexpr std::string_view value = "a value that nobody else may read";

struct Sealer {
  Sealer() : keys("k", rs::EncryptionKey(std::string(rs::EncryptionKey::size, 'k')), run_id) {
    const rs::StringPayload payload{std::string{value}};
    inner.raw.fill(std::byte{7});
    tag = encryption::seal_record(keys, run_id, {id, inner, header, &payload}).tag;
    std::fill(tag.raw.begin() + 40, tag.raw.end(), std::byte{0});  // the same salt in each process
  }

  [[nodiscard]] encryption::RecordKeys own() const { return keys.of_record(std::string(24, '\0')); }
  [[nodiscard]] std::string head(std::string_view plain) const {
    const std::string_view about{reinterpret_cast<const char*>(tag.raw.data()), tag.raw.size()};
    return R"({"encrypted":")" +
           encryption::to_base64(encryption::seal(own().head, {}, about, plain)) + "\"}";
  }
  [[nodiscard]] std::string payload(std::string_view plain) const {
    return rs::read_all(*encryption::seal_payload(own().payload, std::string{plain}, nothing));
  }

  encryption::RunKeys keys;
  rs::Tag inner;
  rs::Tag tag;
  rs::StringPayload nothing{""};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sealer sealer;
  if (size < 3) return 0;
  const std::string_view all{reinterpret_cast<const char*>(data) + 3, size - 3};
  const std::size_t first = std::min<std::size_t>(all.size(), data[1] + 256U * data[2]);
  const bool makes_head = (data[0] & 1U) != 0;
  const bool makes_payload = (data[0] & 2U) != 0;
  std::string head{all.substr(0, first)};
  std::string bytes{all.substr(first)};
  if (makes_head) head = sealer.head(head);
  if (makes_payload) bytes = sealer.payload(bytes);
  try {
    auto reading = encryption::open_head(sealer.keys, run_id, id, sealer.tag, head);
    if (reading.damage != rs::Damage::none) return 0;
    if (!makes_head && reading.head.header != header) std::abort();
    const std::uint64_t expected = reading.head.payload_bytes;
    const auto record = encryption::open_record(sealer.keys, std::move(reading.head), sealer.tag,
                                                std::make_shared<rs::StringPayload>(bytes));
    const std::string plain = rs::read_all(*record.payload);
    if (plain.size() != expected) std::abort();
    if (!makes_head && !makes_payload && plain != value) std::abort();
  } catch (const rs::Error&) {
    return 0;
  }
  return 0;
}
