/// @file
/// A terminal's screen: what a person sees of the bytes that programs write.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace resumable::test {

/// The part of a VT100 that programs here use: UTF-8, line feeds, scrolling regions, saving the
/// cursor, moving it, erasing. Colours are left out. What is not understood is kept in unknown().
class Screen {
 public:
  Screen(std::size_t columns, std::size_t rows);

  void feed(std::string_view bytes);
  /// As a terminal does that does not wrap again: rows are cut, or lost at the top.
  void resize(std::size_t columns, std::size_t rows);

  /// What has scrolled off the top, and then the screen; without spaces at the ends of lines and
  /// without empty lines at the end.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// The screen alone, all rows.
  [[nodiscard]] std::vector<std::string> rows() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::size_t cursor_row() const noexcept { return row_; }
  [[nodiscard]] const std::vector<std::string>& unknown() const noexcept { return unknown_; }

 private:
  using Row = std::vector<std::string>;  ///< a glyph per cell; "" is a space
  void put(std::string glyph);
  void index();
  void erase_below();
  void escape();
  void control(char final);
  [[nodiscard]] std::size_t number(std::size_t place, std::size_t otherwise) const;
  [[nodiscard]] static std::string text_of(const Row& row);

  std::size_t columns_;
  std::size_t height_;
  std::vector<Row> screen_;
  std::vector<std::string> scrolled_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;  ///< `columns_`: the next glyph wraps
  std::size_t saved_row_ = 0;
  std::size_t saved_column_ = 0;
  std::size_t top_ = 0;
  std::size_t bottom_;  ///< the last row of the region
  std::string partial_;
  std::vector<std::string> unknown_;
};

}  // namespace resumable::test
