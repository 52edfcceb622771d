// expect: this type cannot be saved: give it to_json and from_json
// max-lines: 15
#include "resumable/codec.hpp"

struct Deck {
  int slides = 0;
};

const auto& table = resumable::detail::value_type<Deck>();
