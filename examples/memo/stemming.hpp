/// @file
/// Words as searches compare them: lower case, reduced to their stems (text/stem.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/stem.hpp"

namespace memo {

/// The words of a text in lower case; a dot stays inside a name such as `acme.org`.
std::vector<std::string> lower_words(std::string_view text);

using ::text::stem_of;

/// A text made searchable for signs.
struct WordIndex {
  WordIndex() = default;
  explicit WordIndex(std::string_view text);

  std::string lower;        ///< the text in lower case
  std::string words = " ";  ///< its words, each between blanks
  std::string stems = " ";  ///< their stems, each between blanks
};

/// Words and phrases that answers to a question often hold. Immutable.
///
/// A sign is found by the stems of its words: `is billed` finds `is billing`. One that ends in `*`
/// is found by its letters, whatever follows: `charge*` finds `chargeback`. `#` in front: only a
/// heading of at most eight words shows it; `^`: only the head of a text. One with other
/// characters, such as `costs $`, is looked up as it is written. `& 0` behind it: only in a text
/// with a figure;
/// `& $`: with an amount of money.
class Signs {
 public:
  explicit Signs(const std::vector<std::string>& signs);

  [[nodiscard]] bool empty() const noexcept { return signs_.empty(); }
  [[nodiscard]] bool in_text(const WordIndex& text) const { return count_in(text) > 0; }
  /// How many signs `text` shows; two of the same stems are one.
  [[nodiscard]] std::int64_t count_in(const WordIndex& text) const;
  [[nodiscard]] bool in_heading(const WordIndex& heading) const;

 private:
  enum class By { stems, letters, text, head };
  struct Sign {
    By by;
    bool heading_only;
    std::string pattern;
    char with = 0;  ///< '0' or '$': what the text must hold, too

    bool operator==(const Sign&) const = default;
  };

  void add(Sign sign);
  static bool is_in(const Sign& sign, const WordIndex& index);

  std::vector<Sign> signs_;
};

}  // namespace memo
