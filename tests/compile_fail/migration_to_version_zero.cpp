// expect: (schema versions start at 1|not a constant expression)
// max-lines: 20
#include "resumable/codec.hpp"

struct Deck {};

template <>
struct resumable::Schema<Deck> {
  static constexpr Migrations migrations{oldest(0)};
};
