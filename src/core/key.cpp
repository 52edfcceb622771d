#include "core/key.hpp"

#include <array>

#include "core/text.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

constexpr std::size_t longest_component = 200;

bool kept(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

// Names that some file systems keep for devices.
bool is_device(std::string_view text) {
  static constexpr std::array<std::string_view, 4> names{"con", "prn", "aux", "nul"};
  const std::string_view stem = text.substr(0, text.find('.'));
  if (stem.size() != 3 && stem.size() != 4) return false;
  for (const std::string_view name : names) {
    if (stem == name) return true;
  }
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         stem[3] >= '0' && stem[3] <= '9';
}

void append_escaped(std::string& to, char c) {
  static constexpr char digits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  to += '%';
  to += digits[byte >> 4];
  to += digits[byte & 15];
}

}  // namespace

std::string encode_component(std::string_view text) {
  std::string encoded;
  append_component(encoded, text);
  return encoded;
}

void append_component(std::string& to, std::string_view text) {
  const std::size_t before = to.size();
  const bool device = is_device(text);
  std::size_t from = 0;  // what is not appended yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool edge_dot = text[i] == '.' && (i == 0 || i + 1 == text.size());
    if (kept(text[i]) && !edge_dot && !(device && i == 0)) continue;
    to += text.substr(from, i - from);
    append_escaped(to, text[i]);
    from = i + 1;
  }
  to += text.substr(from);
  if (to.size() - before <= longest_component) return;
  to.resize(before + longest_component - 33);
  (to += '~') += digest(text).hex();
}

Key stage_key(std::string_view stage) { return {std::string{stage}, std::string{stage}}; }

Key item_key(std::string_view stage, std::string_view item) {
  const std::string head = std::string{stage} + "/";
  return {head + encode_component(item), head + std::string{item}};
}

Key own_key(std::string_view space, std::string_view name) {
  const std::string head = "@" + std::string{space} + "/";
  return {head + encode_component(name), head + std::string{name}};
}

namespace {

/// `@space/stage`, and `/` where an item follows.
std::string about(std::string_view space, std::string_view stage, std::string_view item) {
  std::string path;
  path.reserve(space.size() + stage.size() + item.size() + 3);
  path.append(1, '@').append(space).append(1, '/').append(stage);
  if (!item.empty()) path += '/';
  return path;
}

}  // namespace

std::string about_path(std::string_view space, std::string_view stage, std::string_view item) {
  std::string path = about(space, stage, item);
  append_component(path, item);
  return path;
}

Key about_key(std::string_view space, std::string_view stage, std::string_view item) {
  return {about_path(space, stage, item), about(space, stage, item).append(item)};
}

Key inside_key(std::string_view space, std::string_view stage, std::string_view item,
               std::string_view name) {
  const Key about = about_key(space, stage, item);
  return {about.path + "/" + encode_component(name), about.full + "/" + std::string{name}};
}

std::string outcome_path(std::string_view intent) {
  return "@effect" + std::string{intent.substr(intent.find('/'))};
}

std::string intent_path(std::string_view outcome) {
  return "@intent" + std::string{outcome.substr(outcome.find('/'))};
}

// No other path ends like this: encode_component() escapes a '~', and its digest of a long name has
// 32 digits.
constexpr std::size_t inputs_digits = 16;

std::string with_inputs(std::string_view path, std::string_view digest_hex) {
  return std::string{path} + '~' + std::string{digest_hex.substr(0, inputs_digits)};
}

bool has_inputs(std::string_view path) noexcept {
  return path.size() > inputs_digits && path[path.size() - inputs_digits - 1] == '~';
}

std::string_view without_inputs(std::string_view path) noexcept {
  return has_inputs(path) ? path.substr(0, path.size() - inputs_digits - 1) : path;
}

Key run_key() { return {"@run", "@run"}; }
Key exported_key() { return {"@exported", "@exported"}; }
Key alive_key() { return {"@alive", "@alive"}; }
Key left_key() { return {"@left", "@left"}; }

void check_item_key(std::string_view stage, std::string_view item) {
  const char* problem = nullptr;
  if (item.empty()) problem = "is empty";
  static_assert(max_item_key_bytes == 1024);
  if (item.size() > max_item_key_bytes) problem = "is longer than 1024 bytes";
  if (item.find('\0') != item.npos || !is_utf8(item)) problem = "is not text";
  if (problem == nullptr) return;
  throw Error(Errc::bad_name, {.what = "the key of an item of stage '" + std::string{stage} + "' " +
                                       problem + ": '" + printable(item) + "'",
                               .stage = std::string{stage},
                               .kept = "no item of this stage has run",
                               .next = "give each() a key of 1 to 1024 bytes of UTF-8"});
}

}  // namespace resumable::core
