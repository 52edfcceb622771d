#include "store/file/frame.hpp"

#include <charconv>

#include <fmt/format.h>

#include "core/text.hpp"
#include "resumable/digest.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr std::string_view magic = "resumable-";
constexpr std::uint64_t frame_layout = 1;
constexpr std::uint64_t max_number = std::uint64_t{1} << 61U;

std::string hex(const Tag& tag) {
  std::string text;
  text.reserve(2 * tag.raw.size());
  for (const std::byte byte : tag.raw) core::append_hex(text, std::to_integer<unsigned char>(byte));
  return text;
}

/// Reads the fields of a line one after the other; after the first error, all fail.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string_view word(char end = ' ') {
    const std::size_t size = rest_.find(end);
    if (size == std::string_view::npos) {
      fail();
      return {};
    }
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size + 1);
    return word;
  }

  void literal(std::string_view text) {
    if (!rest_.starts_with(text)) return fail();
    rest_.remove_prefix(text.size());
  }

  std::uint64_t number(char end = ' ') {
    const std::string_view text = word(end);
    std::uint64_t value = 0;
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || last != text.data() + text.size()) fail();
    return value;
  }

  Tag tag() {
    Tag tag;
    if (!core::read_hex(word(), tag.raw)) fail();
    return tag;
  }

  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void fail() { ok_ = false; }

  std::string_view rest_;
  bool ok_ = true;
};

Frame read_fields(Fields& fields) {
  Frame frame;
  frame.path = fields.word();
  frame.generation = fields.number();
  frame.number = fields.number('/');
  frame.count = fields.number();
  fields.literal("fence ");
  frame.fence = fields.number();
  fields.literal("at ");
  frame.at = fields.number();
  fields.literal("header ");
  frame.header_bytes = fields.number();
  fields.literal("payload ");
  frame.payload_bytes = fields.number();
  fields.literal("tag ");
  frame.tag = fields.tag();
  return frame;
}

bool makes_sense(const Frame& frame) {
  return is_record_path(frame.path) && frame.generation > 0 && frame.number > 0 &&
         frame.number <= frame.count && frame.at < max_number && frame.header_bytes < max_number &&
         frame.payload_bytes < max_number;
}

}  // namespace

std::string check_of(std::string_view text) { return digest(text).hex().substr(0, check_digits); }

std::string encode_frame(const Frame& frame) {
  std::string line =
      fmt::format("{}{} {} {} {}/{} fence {} at {:016} header {} payload {} tag {} ", magic,
                  frame_layout, frame.path, frame.generation, frame.number, frame.count,
                  frame.fence, frame.at, frame.header_bytes, frame.payload_bytes, hex(frame.tag));
  line += check_of(line) + '\n';
  return line;
}

FrameReading decode_frame(std::string_view line) {
  FrameReading torn{Damage::torn, {}};
  if (line.size() < magic.size() + check_digits || !line.starts_with(magic)) return torn;
  const std::string_view checked = line.substr(0, line.size() - check_digits);
  if (line.substr(checked.size()) != check_of(checked)) return torn;
  Fields fields(checked);
  fields.literal(magic);
  const std::uint64_t found = fields.number();
  if (fields.ok() && found > frame_layout) return {Damage::newer, {}};
  const Frame frame = read_fields(fields);
  if (!fields.ok() || found != frame_layout || !makes_sense(frame)) return torn;
  return {Damage::none, frame};
}

}  // namespace resumable::store
