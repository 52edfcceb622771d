/// @file
/// Whether two figures may be of one quantity: by what they count, the words around them, the
/// question they answer and how far apart they are. The weights were learned by logistic
/// regression.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "memo/fit.hpp"
#include "memo/quantities.hpp"
#include "memo/types.hpp"

namespace memo {

/// The years that its sentence names, but for those that it compares with: `more than in 2023`.
Stems years_in(const Quantity& quantity);

/// Compares figures of one corpus.
class Likeness {
 public:
  Likeness(const Corpus& corpus, const std::vector<Topic>& topics);

  /// Points, below 1000; 0 if something tells them apart.
  [[nodiscard]] int of(const Quantity& earlier, const Quantity& later);

 private:
  [[nodiscard]] bool answer_one(const Quantity& earlier, const Quantity& later);
  [[nodiscard]] int near_of(const Quantity& earlier, const Quantity& later) const;
  [[nodiscard]] int in_common(const Stems& one, const Stems& other) const;
  [[nodiscard]] int part_in(const Stems& clause, const Stems& around) const;
  [[nodiscard]] int in_question(const Quantity& one, const Quantity& other);
  const std::vector<std::int64_t>& points_of(const Passage& passage);

  const Corpus& corpus_;
  Fit fit_;
  Rarity rarity_;
  std::map<std::size_t, std::vector<std::int64_t>> points_;  // by passage
};

}  // namespace memo
