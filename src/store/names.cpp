#include "store/names.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace resumable::store {
namespace {

constexpr std::string_view record_end = ".ckpt";
constexpr std::string_view temporary_end = ".tmp";
constexpr std::size_t max_component = 220;  // and a generation and ".ckpt" make at most 255

bool is_component(std::string_view text) {
  if (text.empty() || text.size() > max_component || text == "." || text == "..") return false;
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._%@~-").find(c) != std::string_view::npos;
  });
}

/// A number as it is written: no sign, no leading zero.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (text.size() > 1 && text.front() == '0') return {};
  return number;
}

}  // namespace

bool is_record_path(std::string_view path) noexcept {
  for (std::size_t count = 1;; ++count) {
    const std::size_t slash = path.find('/');
    const std::string_view component = path.substr(0, slash);
    if (!is_component(component) || count > max_components) return false;
    if (count == 1 && component == names::batch) return false;
    if (slash == std::string_view::npos) return true;
    if (component.ends_with(record_end)) return false;
    path.remove_prefix(slash + 1);
  }
}

Place place_of(RecordId id) {
  const std::size_t slash = id.path.rfind('/');
  const bool nested = slash != std::string_view::npos;
  return {std::string(nested ? id.path.substr(0, slash) : ""),
          fmt::format("{}.{}{}", nested ? id.path.substr(slash + 1) : id.path, id.generation,
                      record_end)};
}

std::optional<RecordName> parse_record_name(std::string_view name) {
  if (!name.ends_with(record_end)) return {};
  name.remove_suffix(record_end.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || !is_component(name.substr(0, dot))) return {};
  const auto generation = parse_number(name.substr(dot + 1));
  if (!generation || *generation == 0) return {};
  return RecordName{name.substr(0, dot), *generation};
}

std::string batch_name(std::uint64_t fence, std::uint64_t n) {
  return fmt::format("{}-{}{}", fence, n, record_end);
}

bool is_batch_name(std::string_view name) {
  if (!name.ends_with(record_end)) return false;
  name.remove_suffix(record_end.size());
  const std::size_t dash = name.find('-');
  return dash != std::string_view::npos && parse_number(name.substr(0, dash)) &&
         parse_number(name.substr(dash + 1));
}

std::string nameless_path(std::string_view batch_name) {
  batch_name.remove_suffix(record_end.size());
  return fmt::format("{}/{}", names::batch, batch_name);
}

std::optional<std::string> batch_of_nameless(std::string_view path) {
  if (!path.starts_with(names::batch) || path.substr(names::batch.size(), 1) != "/") return {};
  std::string name = fmt::format("{}{}", path.substr(names::batch.size() + 1), record_end);
  if (!is_batch_name(name)) return {};
  return name;
}

std::string temporary_name(std::string_view random) {
  return fmt::format("{}{}", random, temporary_end);
}

bool is_temporary_name(std::string_view name) {
  if (!name.ends_with(temporary_end)) return false;
  name.remove_suffix(temporary_end.size());
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace resumable::store
