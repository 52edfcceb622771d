/// @file
/// The keys of records, and the safe paths that stores see.
#pragma once

#include <string>
#include <string_view>

namespace resumable::core {

/// The library's own folder in a store, and in a run's folder beside what people read.
inline constexpr std::string_view own_folder = ".resumable";

/// An item's key (or any other text) as one safe path component: a–z, 0–9, '.', '_', '-' stay,
/// every other byte becomes %XX, capitals included, so that no two keys collide on a file system
/// that ignores case. Over 200 bytes: a prefix, '~' and a 128-bit digest; the record's header has
/// it in full.
[[nodiscard]] std::string encode_component(std::string_view text);
/// The same at the end of `to`.
void append_component(std::string& to, std::string_view text);

/// The path of a record, and its name in full.
struct Key {
  std::string path;
  std::string full;
};

[[nodiscard]] Key stage_key(std::string_view stage);
[[nodiscard]] Key item_key(std::string_view stage, std::string_view item);
/// `@items/S`, `@input/name`, `@condition/name`, `@request/id`.
[[nodiscard]] Key own_key(std::string_view space, std::string_view name);
/// `@attempt/S` or `@attempt/S/item`; `@approval/…` likewise.
[[nodiscard]] Key about_key(std::string_view space, std::string_view stage, std::string_view item);
/// Its path alone.
[[nodiscard]] std::string about_path(std::string_view space, std::string_view stage,
                                     std::string_view item);
/// `@step/S/name` or `@step/S/item/name`; progress, histories and effects likewise.
[[nodiscard]] Key inside_key(std::string_view space, std::string_view stage, std::string_view item,
                             std::string_view name);

/// The path of the outcome of the side effect whose intent is at `intent`, and the other way round.
[[nodiscard]] std::string outcome_path(std::string_view intent);
[[nodiscard]] std::string intent_path(std::string_view outcome);

/// The path of a step whose inputs were declared: `@step/S/name~`, and the first 16 hex digits of
/// their digest. `path` is that of an inside_key().
[[nodiscard]] std::string with_inputs(std::string_view path, std::string_view digest_hex);
/// The same without inputs, if it has any.
[[nodiscard]] std::string_view without_inputs(std::string_view path) noexcept;
/// Whether `path` is one of these.
[[nodiscard]] bool has_inputs(std::string_view path) noexcept;

[[nodiscard]] Key run_key();
[[nodiscard]] Key exported_key();
[[nodiscard]] Key alive_key();
[[nodiscard]] Key left_key();

inline constexpr std::size_t max_item_key_bytes = 1024;
inline constexpr std::size_t max_step_name_bytes = 1024;

/// @throws Error{Errc::bad_name}  empty, longer than 1 KiB, or not UTF-8 text without NUL
void check_item_key(std::string_view stage, std::string_view item);

}  // namespace resumable::core
