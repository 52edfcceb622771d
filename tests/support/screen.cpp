#include "support/screen.hpp"

#include <algorithm>
#include <cstdlib>

namespace resumable::test {
namespace {

std::size_t length_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

Screen::Screen(std::size_t columns, std::size_t rows)
    : columns_(columns), height_(rows), screen_(rows, Row(columns)), bottom_(rows - 1) {}

void Screen::feed(std::string_view bytes) {
  partial_ += bytes;
  while (!partial_.empty()) {
    const char first = partial_.front();
    if (first == '\033') {
      if (partial_.size() < 2) return;
      const std::size_t end =
          partial_[1] == '[' ? partial_.find_first_of("ABCDEFGHJKfhlmnrsu", 2) : std::size_t{1};
      if (end == std::string::npos) return;
      escape();
      partial_.erase(0, end + 1);
      continue;
    }
    const std::size_t length = length_of(first);
    if (partial_.size() < length) return;
    if (first == '\n') {
      index();
    } else if (first == '\r') {
      column_ = 0;
    } else if (static_cast<unsigned char>(first) >= ' ') {
      put(partial_.substr(0, length));
    }
    partial_.erase(0, length);
  }
}

void Screen::put(std::string glyph) {
  if (column_ == columns_) {
    column_ = 0;
    index();
  }
  screen_[row_][column_++] = glyph == " " ? std::string{} : std::move(glyph);
}

void Screen::index() {
  if (row_ != bottom_) {
    row_ = std::min(row_ + 1, height_ - 1);
    return;
  }
  if (top_ == 0) scrolled_.push_back(text_of(screen_.front()));
  const auto at = [&](std::size_t row) {
    return screen_.begin() + static_cast<std::ptrdiff_t>(row);
  };
  screen_.erase(at(top_));
  screen_.insert(at(bottom_), Row(columns_));
}

void Screen::erase_below() {
  for (std::size_t i = std::min(column_, columns_); i < columns_; ++i) screen_[row_][i].clear();
  for (std::size_t i = row_ + 1; i < height_; ++i) screen_[i] = Row(columns_);
}

void Screen::escape() {
  switch (partial_[1]) {
    case '7':
      saved_row_ = row_;
      saved_column_ = column_;
      return;
    case '8':
      row_ = std::min(saved_row_, height_ - 1);
      column_ = std::min(saved_column_, columns_);
      return;
    case 'D': return index();
    case '[': return control(partial_[partial_.find_first_of("ABCDEFGHJKfhlmnrsu", 2)]);
    default: unknown_.push_back(partial_.substr(1, 1));
  }
}

std::size_t Screen::number(std::size_t place, std::size_t otherwise) const {
  std::size_t at = 2;
  for (; place > 0; --place) {
    at = partial_.find(';', at);
    if (at == std::string::npos) return otherwise;
    ++at;
  }
  const auto value = std::strtoul(partial_.c_str() + at, nullptr, 10);
  return value == 0 ? otherwise : value;
}

void Screen::control(char final) {
  switch (final) {
    case 'A': row_ -= std::min(row_, number(0, 1)); return;
    case 'H':
      row_ = std::min(number(0, 1), height_) - 1;
      column_ = std::min(number(1, 1), columns_) - 1;
      return;
    case 'J': return erase_below();
    case 'K':
      for (std::size_t i = std::min(column_, columns_); i < columns_; ++i) screen_[row_][i].clear();
      return;
    case 'm': return;
    case 'r':
      top_ = number(0, 1) - 1;
      bottom_ = std::min(number(1, height_), height_) - 1;
      row_ = 0;
      column_ = 0;
      return;
    default: unknown_.push_back(std::string{"["} + final);
  }
}

void Screen::resize(std::size_t columns, std::size_t rows) {
  while (height_ > rows) {
    if (row_ + 1 < height_) {
      screen_.pop_back();
    } else {
      scrolled_.push_back(text_of(screen_.front()));
      screen_.erase(screen_.begin());
      --row_;
    }
    --height_;
  }
  height_ = rows;
  columns_ = columns;
  screen_.resize(rows);
  for (Row& row : screen_) row.resize(columns);
  column_ = std::min(column_, columns);
  top_ = 0;
  bottom_ = rows - 1;
}

std::string Screen::text_of(const Row& row) {
  std::string text;
  std::size_t used = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += row[i].empty() ? " " : row[i];
    if (!row[i].empty()) used = text.size();
  }
  return text.substr(0, used);
}

std::vector<std::string> Screen::rows() const {
  std::vector<std::string> all;
  for (const Row& row : screen_) all.push_back(text_of(row));
  return all;
}

std::vector<std::string> Screen::lines() const {
  std::vector<std::string> all = scrolled_;
  for (std::string& row : rows()) all.push_back(std::move(row));
  while (!all.empty() && all.back().empty()) all.pop_back();
  return all;
}

std::string Screen::text() const {
  std::string text;
  for (const std::string& line : lines()) text += line + "\n";
  return text;
}

}  // namespace resumable::test
