/// @file
/// Words as searches compare them: lower case, reduced to their stems (text/stem.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// The words of a text in lower case; a dot stays inside a name such as `acme.org`.
std::vector<std::string> lower_words(std::string_view text);

/// The stem of a word in lower case (text/stem.hpp); `founded` is no form of `find`.
std::string stem_of(const std::string& word);

/// A text made searchable for signs.
struct WordIndex {
  WordIndex() = default;
  explicit WordIndex(std::string_view text);

  std::string lower;        ///< the text in lower case
  std::string words = " ";  ///< its words, each between blanks
  std::string stems = " ";  ///< their stems, each between blanks
  bool figure = false;      ///< it holds a figure
  bool money = false;       ///< it holds an amount of money
};

/// Whether a heading names its topic, and no more.
bool is_brief(const WordIndex& heading);

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
  enum class By { stems, letters, text, head };
  struct Sign {
    By by;
    bool heading_only;
    std::string pattern;
    char with = 0;  ///< '0' or '$': what the text must hold, too

    [[nodiscard]] bool is_in(const WordIndex& index) const;
    [[nodiscard]] std::string key() const;         ///< equal for equal signs
    [[nodiscard]] std::string first_stem() const;  ///< empty if it is no stems
    [[nodiscard]] int words() const;

    bool operator==(const Sign&) const = default;
  };

  explicit Signs(const std::vector<std::string>& signs);

  [[nodiscard]] bool empty() const noexcept { return signs_.empty(); }
  [[nodiscard]] bool in_text(const WordIndex& text) const { return count_in(text) > 0; }
  /// How many signs `text` shows; two of the same stems are one.
  [[nodiscard]] std::int64_t count_in(const WordIndex& text) const;
  [[nodiscard]] bool in_heading(const WordIndex& heading) const;

  [[nodiscard]] const std::vector<Sign>& all() const noexcept { return signs_; }

 private:
  void add(Sign sign);

  std::vector<Sign> signs_;
};

}  // namespace memo
