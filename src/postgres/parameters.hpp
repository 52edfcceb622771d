/// @file
/// The parameters of a statement, in PostgreSQL's binary form.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace resumable::postgres {

/// The types of elements, by the numbers that pg_type.dat gives them.
enum class Element : std::uint32_t { bytes = 17, number = 20, text = 25 };

/// A one-dimensional array.
class Array {
 public:
  explicit Array(Element element) : element_(element) {}
  Array& add(std::string_view bytes);
  Array& add(std::int64_t number);
  /// As it is sent.
  [[nodiscard]] std::string bytes() const;

 private:
  Element element_;
  std::uint32_t count_ = 0;
  std::string items_;
};

/// In the order of $1, $2, …
class Parameters {
 public:
  Parameters& add(std::string_view bytes);
  Parameters& add(std::int64_t number);
  Parameters& add(const Array& array) { return add(std::string_view{array.bytes()}); }

  [[nodiscard]] std::span<const std::string> values() const noexcept { return values_; }

 private:
  std::vector<std::string> values_;
};

/// The 8 bytes of a number.
[[nodiscard]] std::string encoded(std::int64_t number);
[[nodiscard]] std::int64_t decoded(std::string_view bytes);

}  // namespace resumable::postgres
