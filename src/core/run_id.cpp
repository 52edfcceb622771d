#include "core/run_id.hpp"

#include <charconv>

#include <fmt/format.h>
#include <utf8proc.h>

#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

[[noreturn]] void refuse_id(std::string_view run, std::string_view why) {
  throw Error(Errc::bad_name,
              {.what = fmt::format("'{}' cannot be the id of a run: {}", printable(run), why),
               .next = fmt::format("choose another id: up to {} bytes, without a leading '.'",
                                   max_run_bytes)});
}

[[noreturn]] void refuse_escapes(std::string_view run, std::size_t bytes) {
  throw Error(
      Errc::bad_name,
      {.what = fmt::format("'{}' cannot be the id of a run: it needs {} bytes as a file name, and "
                           "{} is the limit",
                           printable(run), bytes, max_run_name_bytes),
       .next = "choose another id: letters, digits, '.', '_' and '-' stay as they are, and each "
               "other byte takes three"});
}

bool has_parent_component(std::string_view run) {
  for (std::size_t at = 0; at <= run.size();) {
    const std::size_t end = std::min(run.find('/', at), run.size());
    if (run.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

void check(std::string_view run) {
  if (run.empty()) refuse_id(run, "it is empty");
  if (run.size() > max_run_bytes) refuse_id(run, fmt::format("it has {} bytes", run.size()));
  if (run.front() == '.') refuse_id(run, "it begins with '.'");
  if (run.find('\0') != std::string_view::npos) refuse_id(run, "it has a NUL");
  if (has_parent_component(run)) refuse_id(run, "it leads out of the store");
}

bool is_plain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

bool is_letter(utf8proc_int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return true;
    default: return false;
  }
}

// The length in bytes of the letter at the start of `text`, if it may stay after `name`; else 0.
std::size_t letter_that_stays(std::string_view text, std::string_view name) {
  utf8proc_int32_t code_point = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (size <= 1 || !is_letter(code_point)) return 0;
  // Composition (Hangul, say) reaches back over a few code points at most.
  std::size_t begin = name.size() > 16 ? name.size() - 16 : 0;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  std::string with(name.substr(begin));
  with += text.substr(0, static_cast<std::size_t>(size));
  return nfc(with) == with ? static_cast<std::size_t>(size) : 0;
}

std::string encode(std::string_view run) {
  std::string name;
  for (std::size_t at = 0; at < run.size();) {
    const auto byte = static_cast<unsigned char>(run[at]);
    if (is_plain(byte)) {
      name += run[at++];
    } else if (const std::size_t size = letter_that_stays(run.substr(at), name); size > 0) {
      name += run.substr(at, size);
      at += size;
    } else {
      name += fmt::format("%{:02X}", byte);
      ++at;
    }
  }
  return name;
}

}  // namespace

std::string encode_run(std::string_view run) {
  check(run);
  std::string name = encode(run);
  if (name.size() > max_run_name_bytes) refuse_escapes(run, name.size());
  return name;
}

std::optional<std::string> decode_run(std::string_view name) {
  std::string run;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '%') {
      run += name[at];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = name.substr(at + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2) return {};
    run += static_cast<char>(byte);
    at += 2;
  }
  const bool valid = !run.empty() && run.size() <= max_run_bytes && run.front() != '.' &&
                     run.find('\0') == std::string::npos && !has_parent_component(run);
  if (!valid || encode(run) != name || name.size() > max_run_name_bytes) return {};
  return run;
}

std::string run_twin_key(std::string_view run) { return fold_case(run); }

}  // namespace resumable::core
