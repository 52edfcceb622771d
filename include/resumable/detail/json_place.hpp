/// @file
/// Which element of a document a from_json refuses, found by trying. Included by codec.hpp alone.
/// No promises: this header may change in any version.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "resumable/detail/json_abi.hpp"
#include "resumable/schema.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
inline namespace RESUMABLE_JSON_ABI {

/// Narrows a refused document down, array by array. Each is bisected, so that the number of trials
/// grows with the logarithm of its length.
class FailingElement {
 public:
  using Fits = bool (*)(const Json& document);

  FailingElement(Json document, Fits fits) : document_(std::move(document)), fits_(fits) {}

  /// The JSON pointer of the innermost element that is to blame; "" if there is none.
  [[nodiscard]] std::string find() {
    Json* innermost = &document_;
    for (Json* part = innermost; part != nullptr; part = narrow(*part)) innermost = part;
    if (!place_.empty()) find_member(*innermost);
    return place_.to_string();
  }

 private:
  struct Array {
    Json::json_pointer place;
    Json* array;
  };

  /// Moves on to the element of an array in `part` that is to blame; nullptr if there is none.
  Json* narrow(Json& part) {
    std::vector<Array> arrays;
    collect(part, Json::json_pointer(), arrays);
    for (const auto& [place, array] : arrays) {
      Json elements = std::exchange(*array, Json::array());
      if (fits_(document_)) {
        place_ /= place;
        place_ /= first_bad(*array, elements.get_ref<const Json::array_t&>());
        return &array->front();
      }
      *array = std::move(elements);
    }
    return nullptr;
  }

  /// The member of an object that another kind of value would do for.
  void find_member(Json& object) {
    if (!object.is_object()) return;
    for (auto& [name, member] : object.get_ref<Json::object_t&>()) {
      const Json refused = member;
      for (const Json& other : {Json(0), Json(""), Json(false), Json::array(), Json::object()}) {
        member = other;
        if (!fits_(document_)) continue;
        place_ /= name;
        return;
      }
      member = refused;
    }
  }

  static void collect(Json& part, const Json::json_pointer& place, std::vector<Array>& found) {
    if (part.is_array()) {
      found.push_back({place, &part});
    } else if (part.is_object()) {
      for (auto& [name, member] : part.get_ref<Json::object_t&>()) {
        collect(member, place / name, found);
      }
    }
  }

  /// The first of `elements` that is refused, which it leaves alone in `array`.
  std::size_t first_bad(Json& array, const Json::array_t& elements) const {
    const auto put = [&](std::size_t from, std::size_t to) {
      const auto begin = elements.begin();
      array = Json(Json::array_t(begin + static_cast<std::ptrdiff_t>(from),
                                 begin + static_cast<std::ptrdiff_t>(to)));
    };
    std::size_t good = 0;
    for (std::size_t bad = elements.size(); bad - good > 1;) {
      const std::size_t middle = good + (bad - good) / 2;
      put(good, middle);
      (fits_(document_) ? good : bad) = middle;
    }
    put(good, good + 1);
    return good;
  }

  Json document_;
  Fits fits_;
  Json::json_pointer place_;
};

template <class T>
[[nodiscard]] bool fits_type(const Json& document) {
  try {
    static_cast<void>(document.template get<T>());
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace RESUMABLE_JSON_ABI
}  // namespace detail
}  // namespace v0
}  // namespace resumable
