#include "s3/mark.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/record_format.hpp"

namespace resumable::s3 {
namespace {

constexpr std::string_view member = "\"object\":\"";
constexpr std::string_view end_of_member = "\"}";
constexpr std::string_view as_it_is = "none";

bool is_made_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

/// `SIZE/NAME/SHA-256`
std::optional<Reference> parse(std::string_view value) {
  constexpr std::string_view hex = "0123456789abcdef";
  const std::size_t first = std::min(value.find('/'), value.size());
  const std::size_t last = value.rfind('/');
  if (last == value.npos || last == first) return std::nullopt;
  Reference found{.size = 0,
                  .name = std::string{value.substr(first + 1, last - first - 1)},
                  .sha256 = std::string{value.substr(last + 1)}};
  const auto read = std::from_chars(value.data(), value.data() + first, found.size);
  if (read.ec != std::errc{} || read.ptr != value.data() + first) return std::nullopt;
  if (!is_made_of(found.name, "0123456789abcdef-") || found.name.size() > 64) return std::nullopt;
  if (!is_made_of(found.sha256, hex) || found.sha256.size() != 64) return std::nullopt;
  return found;
}

struct Mark {
  std::size_t at;  ///< where it begins, with the comma before it
  std::string_view value;
};

std::optional<Mark> find_mark(std::string_view header) {
  const std::size_t at = header.rfind(member);
  if (at == header.npos || at == 0 || !header.ends_with(end_of_member)) return std::nullopt;
  const std::size_t begin = at + member.size();
  if (begin > header.size() - end_of_member.size()) return std::nullopt;
  const std::string_view value = header.substr(begin, header.size() - begin - end_of_member.size());
  if (value != as_it_is && !parse(value)) return std::nullopt;
  if (header[at - 1] == ',') return Mark{at - 1, value};
  if (header[at - 1] == '{' && at == 1) return Mark{at, value};
  return std::nullopt;
}

std::string with(std::string_view header, std::string_view value) {
  header.remove_suffix(1);
  return fmt::format("{}{}{}{}{}", header, header == "{" ? "" : ",", member, value, end_of_member);
}

}  // namespace

bool can_mark(std::string_view header) {
  constexpr std::size_t most = 192;
  return header.size() >= 2 && header.starts_with('{') && header.ends_with('}') &&
         header.size() + most <= core::max_header_bytes;
}

std::string mark(std::string_view header, const Reference& reference) {
  return with(header, fmt::format("{}/{}/{}", reference.size, reference.name, reference.sha256));
}

std::string mark_plain(std::string_view header) {
  return find_mark(header) ? with(header, as_it_is) : std::string{header};
}

Unmarked unmark(std::string_view header) {
  const auto found = find_mark(header);
  if (!found) return {std::string{header}};
  return {std::string{header.substr(0, found->at)} + '}', parse(found->value)};
}

Tag turned(Tag tag) noexcept {
  tag.raw[3] ^= std::byte{0x20};  // RSMB becomes RSMb, and RSME of encrypted records RSMe
  return tag;
}

}  // namespace resumable::s3
