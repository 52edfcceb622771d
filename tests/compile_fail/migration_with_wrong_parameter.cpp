// expect: resumable: a migration is a function void\(Json& document\)
// max-lines: 20
#include "resumable/codec.hpp"

struct Deck {};

template <>
struct resumable::Schema<Deck> {
  static void by_value(Json) {}
  static constexpr Migrations migrations{by_value};
};
