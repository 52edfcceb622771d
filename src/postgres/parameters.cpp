#include "postgres/parameters.hpp"

namespace resumable::postgres {
namespace {

void append(std::string& to, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    to += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xFFU);
  }
}

}  // namespace

std::string encoded(std::int64_t number) {
  std::string bytes;
  append(bytes, static_cast<std::uint64_t>(number), 8);
  return bytes;
}

std::int64_t decoded(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(number);
}

Array& Array::add(std::string_view bytes) {
  append(items_, bytes.size(), 4);
  items_ += bytes;
  ++count_;
  return *this;
}

Array& Array::add(std::int64_t number) { return add(std::string_view{encoded(number)}); }

std::string Array::bytes() const {
  std::string sent;
  sent.reserve(20 + items_.size());
  append(sent, count_ > 0 ? 1U : 0U, 4);  // dimensions
  append(sent, 0, 4);                     // no nulls
  append(sent, static_cast<std::uint32_t>(element_), 4);
  if (count_ > 0) {
    append(sent, count_, 4);
    append(sent, 1, 4);  // the index of the first element
  }
  return sent += items_;
}

Parameters& Parameters::add(std::string_view bytes) {
  values_.emplace_back(bytes);
  return *this;
}

Parameters& Parameters::add(std::int64_t number) {
  values_.push_back(encoded(number));
  return *this;
}

}  // namespace resumable::postgres
