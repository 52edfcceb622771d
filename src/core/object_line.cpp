#include "core/object_line.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/json_special.hpp"

namespace resumable::core {
namespace {

/// Whether JSON has it as it is, between quotes.
bool is_plain(std::string_view text) { return find_json_special<true>(text, 0) == text.size(); }

}  // namespace

std::string json_text(std::string_view text) {
  if (is_plain(text)) return '"' + std::string{text} + '"';
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ObjectLine::text(std::string_view name, std::string_view value) {
  if (is_plain(value)) {
    char* const at = field(name, value.size() + 2);
    quote(std::copy(value.begin(), value.end(), quote(at)));
    return;
  }
  begin(name);
  add_text(value);
}

void ObjectLine::add_text(std::string_view text) {
  if (is_plain(text)) {
    to_.append(1, '"').append(text).append(1, '"');
  } else {
    to_ += nlohmann::json(text).dump();
  }
}

void ObjectLine::add_number(double value) {
  to_ += value == 0 && !std::signbit(value) ? "0.0" : nlohmann::json(value).dump();
}

}  // namespace resumable::core
