// expect: migrations work on JSON
// max-lines: 15
#include "resumable/codec.hpp"

template <>
struct resumable::Schema<resumable::Text> {
  static void shorten(Json&) {}
  static constexpr Migrations migrations{shorten};
};

const auto& table = resumable::detail::value_type<resumable::Text>();
