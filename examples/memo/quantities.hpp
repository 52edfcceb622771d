/// @file
/// Figures with what they count and the words around them, to tell whether two documents speak of
/// the same quantity.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "memo/amounts.hpp"
#include "memo/ranking.hpp"

namespace memo {

using Stems = std::set<std::string>;

/// A figure of a passage.
struct Quantity {
  const Passage* passage = nullptr;
  Amount amount;
  std::string noun;        ///< stem of the word behind it: what it counts, or its unit of measure
  std::string per;         ///< stem of `year` in `€3 a year`
  std::string year;        ///< of which it is; empty if that is not said
  bool plan = false;       ///< a target, not a fact
  bool former = false;     ///< `from 12`, `10 instead of 12`
  bool number_of = false;  ///< `the number of farms is 12`
  bool staff = false;      ///< how many work there
  bool part = false;       ///< `41 of them`
  std::string measure;     ///< of the field, that the passage names it by
  Stems names;             ///< names inside the sentence
  Stems near;              ///< stems of its clause
  Stems sentence;          ///< stems of its sentence
  std::string whole;       ///< `sale` of `31 % of our sales`
  Stems around;            ///< of its sentence, what stands before it and the heading
  Stems above;             ///< figures before its sentence, and in its heading, as named_as()
};

/// The figures of all passages, in order; numbers up to 99 may be written in words. Those of the
/// first of two sentences are those of its own passage. Of a row of a table with several columns
/// only a value behind its name counts. Limits (`at least 20`) are left out.
std::vector<Quantity> quantities_in(const Corpus& corpus);

/// The other figures of rows of tables with several columns. What they count may stand in the name
/// of the row, of the column or of the table.
std::vector<Quantity> quantities_in_cells(const Corpus& corpus);

/// `24 hour`, `€30`: a figure with what it counts.
std::string named_as(const Amount& amount, const std::string& noun);

/// Whether `stem` is a unit of time.
bool is_time(const std::string& stem);

/// The larger by the smaller; of nothing it is very large.
double ratio(const Quantity& one, const Quantity& other);

/// `63 million`, of a currency that need not be named each time.
bool has_scale(const Quantity& one);

/// Whether one is a rival's, or a part of a round, and the other not; or they are shares that two
/// others have, by the names in their sentences, or shares of two other things.
bool are_of_others(const Quantity& one, const Quantity& other);

/// Whether the two may differ in nothing but their value.
bool are_comparable(const Quantity& one, const Quantity& other);

/// Weighs stems by how few passages of a corpus hold them. Immutable.
class Rarity {
 public:
  static constexpr int most = 3;

  explicit Rarity(const Corpus& corpus);
  [[nodiscard]] int of(const std::string& stem) const;
  [[nodiscard]] int of(const Stems& stems) const;

 private:
  std::map<std::string, int> passages_;
};

Stems shared(const Stems& one, const Stems& other);

}  // namespace memo
