#include "zstd/mark.hpp"

#include <charconv>

#include <fmt/format.h>

#include "core/record_format.hpp"

namespace resumable::zstd {
namespace {

constexpr std::string_view member = "\"zstd\":";
constexpr std::string_view as_it_is = "\"none\"";

/// Where the mark begins, with the comma before it; npos when there is none.
std::size_t find_mark(std::string_view header) {
  const std::size_t at = header.rfind(member);
  if (at == header.npos || at == 0 || !header.ends_with('}')) return header.npos;
  const std::string_view value =
      header.substr(at + member.size(), header.size() - at - member.size() - 1);
  const bool number =
      !value.empty() && value.size() < 20 && value.find_first_not_of("0123456789") == value.npos;
  if (!number && value != as_it_is) return header.npos;
  if (header[at - 1] == ',') return at - 1;
  return header[at - 1] == '{' && at == 1 ? at : header.npos;
}

std::string with(std::string_view header, std::string_view value) {
  header.remove_suffix(1);
  return fmt::format("{}{}{}{}}}", header, header == "{" ? "" : ",", member, value);
}

}  // namespace

bool can_mark(std::string_view header) {
  constexpr std::size_t most = 32;
  return header.size() >= 2 && header.starts_with('{') && header.ends_with('}') &&
         header.size() + most <= core::max_header_bytes;
}

std::string mark(std::string_view header, std::uint64_t size) {
  return with(header, fmt::format("{}", size));
}

std::string mark_plain(std::string_view header) {
  return find_mark(header) == header.npos ? std::string{header} : with(header, as_it_is);
}

Unmarked unmark(std::string_view header) {
  const std::size_t at = find_mark(header);
  if (at == header.npos) return {std::string{header}, {}};
  Unmarked found{std::string{header.substr(0, at)} + '}', {}};
  const std::size_t value = header.rfind(':') + 1;
  std::uint64_t size = 0;
  const auto read = std::from_chars(header.data() + value, header.data() + header.size(), size);
  if (read.ec == std::errc{}) found.size = size;
  return found;
}

}  // namespace resumable::zstd
