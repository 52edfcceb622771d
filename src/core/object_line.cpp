#include "core/object_line.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace resumable::core {
namespace {

/// Whether JSON has it as it is, between quotes.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

}  // namespace

std::string json_text(std::string_view text) {
  if (is_plain(text)) return '"' + std::string{text} + '"';
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ObjectLine::add_text(std::string_view text) {
  if (is_plain(text)) return quote(text);
  to_ += nlohmann::json(text).dump();
}

void ObjectLine::add_number(double value) {
  to_ += value == 0 && !std::signbit(value) ? "0.0" : nlohmann::json(value).dump();
}

}  // namespace resumable::core
