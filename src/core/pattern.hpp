/// @file
/// Patterns of artifact paths: `2-sections/{position:02}-{item}.md`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"

namespace resumable::core {

/// A parsed pattern. Fields: {item}, {item:slug}, {position}, {position:02}. Each component of the
/// path is at most as long as a file name may be; no field can add a '/'.
class RESUMABLE_EXPORT Pattern {
 public:
  /// @throws Error{Errc::bad_name}  absolute, leaves the folder, begins with ".resumable", has an
  ///                                empty component, or a field that does not exist
  explicit Pattern(std::string_view text);

  [[nodiscard]] bool per_item() const noexcept { return per_item_; }
  [[nodiscard]] bool has_position() const noexcept;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The path for an item; `position` counts from 1.
  [[nodiscard]] std::string path(std::string_view item, std::size_t position) const;
  /// The folder of all its files, with a slash at the end if there is one; nullopt when that
  /// depends on the item.
  [[nodiscard]] std::optional<std::string> folder() const;
  /// Whether it could be the path of some item.
  [[nodiscard]] bool matches(std::string_view path) const { return matches(path, 0); }
  /// Case folded: equal for two patterns that may lead to one path.
  [[nodiscard]] std::string folded() const;

 private:
  struct Piece {
    enum class What { text, item, slug, position } what = What::text;
    std::string text;
    int width = 0;
  };
  void add_field(std::string_view field);
  [[nodiscard]] bool matches(std::string_view path, std::size_t piece) const;
  std::string text_;
  std::vector<Piece> pieces_;
  bool per_item_ = false;
};

/// Two paths that one file could have: NFC and case folded.
[[nodiscard]] std::string fold_path(std::string_view path);

}  // namespace resumable::core
