/// @file
/// Which sentence of a later page gives a newer figure for the same thing, whether it says so or
/// not: `the range is 21 nautical miles`, and two years later `18 nautical miles are printed now`.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "research/agreement.hpp"
#include "text/bm25.hpp"

namespace research {

/// What speaks for it that a later text has a newer figure for what an earlier one says.
struct Signs {
  double unit = 0;        ///< how rare the unit is that both have figures for: 0 to 1
  double ratio = 0;       ///< how far apart the figures are: the logarithm, at most 2.5
  bool names = false;     ///< the later text has a figure of the earlier one, too, above 10
  bool quotes = false;    ///< likewise, a number that few things have: 100 or more, or a fraction
  double shared = 0;      ///< the two rarest words in common, 0 to 1 each
  double above = 0;       ///< the three rarest in common with what stands above the other
  bool sure = false;      ///< it says that something is no longer so: `now`, `instead`, `not 8:00`
  bool back = false;      ///< it says that a figure of the earlier text does not hold
  bool other = false;     ///< it says so of a figure that the earlier text has not
  bool when = false;      ///< the figures are dates, times or days of the week
  double apart = 0;       ///< how many pages were written in between, of all: 0 to 1
  double bearing = 0;     ///< how much the earlier text bears on the topic: 0 to 1
  bool count = false;     ///< both count the same things: `eleven nets`, `14 nets`
  bool common = false;    ///< a word that both have tells what they are about, and not the topic
  bool on_topic = false;  ///< a word that both have tells what they are about
  bool plain = false;     ///< the earlier names nothing but the topic, and a general word of both
  bool planned = false;   ///< the earlier is a plan or an estimate, the later tells what came of it
  bool put_off = false;   ///< both name a day of one month
  bool until = false;     ///< both name a date as a last one
  std::string kind{};     ///< the unit; empty if they only have a figure in common
};

/// Above 0: likely enough to state both side by side. The log-odds by logistic regression over
/// figures of 24 sites that a later page corrects (docs/decisions.md, 176), 2 added.
double points(const Signs& signs);

/// Where a text stands.
struct Origin {
  std::string date;    ///< what has none revises nothing
  double bearing = 0;  ///< on the topic: 0 to 1
};

/// Compares the texts of a site. Immutable.
class Revisions {
 public:
  /// @param said   has to live as long
  /// @param topic  its terms: that two texts have no others in common tells little
  Revisions(const std::vector<Said>& said, const std::vector<Origin>& origins,
            const std::vector<std::string>& topic = {});

  /// The texts that most likely have newer figures than this one, one for each of its units; none
  /// if no text is likely to. Cost O(texts).
  [[nodiscard]] std::vector<std::size_t> of(std::size_t text) const;

  /// None unless the second text is later and has another figure for a unit of the first, or a
  /// figure of it.
  [[nodiscard]] std::optional<Signs> signs(std::size_t earlier, std::size_t later) const;

 private:
  using Words = std::set<std::string>;
  /// A text as it is compared.
  struct Text {
    Origin origin;
    std::size_t order = 0;                            ///< of its date
    std::map<std::string, std::set<double>> figures;  ///< by unit
    std::set<double> numbers;                         ///< with a unit or without
    Words words;
    Words above;  ///< of the columns, heading and title
    bool sure = false;
    bool changes = false;  ///< it tells of a change
  };

  void find_best();
  [[nodiscard]] double rarity(const std::string& word) const;
  [[nodiscard]] double sum_of_rarest(const Words& words, const Words& others, std::size_t count,
                                     const std::map<std::string, std::set<double>>& but) const;
  [[nodiscard]] bool is_plain(const Text& text, const Text& other) const;
  [[nodiscard]] bool have_common(const Text& one, const Text& other, const std::string& unit,
                                 bool topic) const;

  const std::vector<Said>* said_;
  Words topic_;
  std::vector<Text> texts_;
  std::vector<std::map<std::string, double>> best_;  ///< of each text, by unit
  std::size_t dates_ = 0;
  std::map<double, std::size_t> times_;  ///< how many texts have each number
  ::text::Index by_word_;
  ::text::Index by_unit_;
};

}  // namespace research
