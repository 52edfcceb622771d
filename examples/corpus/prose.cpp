#include "corpus/prose.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "corpus/dice.hpp"
#include "corpus/tasks.hpp"
#include "corpus/vocabulary.hpp"

namespace corpus {
namespace {

std::string joined(Words head, Words tail) { return std::string{head} + std::string{tail}; }

/// Each draw is a statement: the order in which arguments of a call are evaluated is the compiler's
/// choice.
template <class Heads, class Tails>
std::string drawn(Dice& dice, const Heads& heads, const Tails& tails) {
  const Words tail = dice.pick(tails);
  return joined(dice.pick(heads), tail);
}

std::string quoted(const std::string& text) { return "“" + text + "”"; }

/// `milk, butter and cheese`
std::string enumeration(const std::vector<std::string>& terms) {
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i > 0) text += i + 1 == terms.size() ? " and " : ", ";
    text += terms[i];
  }
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

/// The terms one after the other, in an order of their own, and again when all were told.
class Terms {
 public:
  Terms(std::vector<std::string> terms, Dice& dice) : terms_(std::move(terms)), dice_(dice) {
    dice_.shuffle(terms_);
  }
  const std::string& next() {
    if (at_ == terms_.size()) {
      const std::string last = terms_.back();
      dice_.shuffle(terms_);
      if (terms_.front() == last) std::swap(terms_.front(), terms_.back());
      at_ = 0;
      all_told_ = true;
    }
    return terms_[at_++];
  }
  /// Two of them, as a heading; they count as untold all the same.
  std::string pair() {
    const std::size_t first = dice_.below(terms_.size());
    if (terms_.size() == 1) return terms_[first];
    const std::size_t second = (first + dice_.between(1, terms_.size() - 1)) % terms_.size();
    return terms_[first] + " and " + terms_[second];
  }
  /// How many have not been told yet.
  std::size_t untold() const { return all_told_ ? 0 : terms_.size() - at_; }

 private:
  std::vector<std::string> terms_;
  Dice& dice_;
  std::size_t at_ = 0;
  bool all_told_ = false;
};

class Writer {
 public:
  Writer(const City& city, const std::string& subject, std::vector<std::string> terms,
         std::size_t words, std::string_view seed)
      : city_(city),
        subject_(subject),
        words_(words),
        dice_(seed),
        terms_(std::move(terms), dice_) {}

  std::string text() {
    begin(std::string{notice} + "\n\n");
    add(dice_.pick(first_paragraph));
    paragraph();
    while (terms_.untold() > 0 || told_ < words_) {
      begin("\n\n## " + capitalised(terms_.pair()) + "\n\n");
      for (std::size_t i = dice_.between(2, 3); i > 0 && unfinished(); --i) {
        paragraph();
        if (i > 1 && unfinished()) begin("\n\n");
      }
    }
    return text_ + "\n";
  }

 private:
  bool unfinished() const { return terms_.untold() > 0 || told_ < words_; }
  /// Whether there is no room to give each term a sentence of its own.
  bool crowded() const { return told_ + terms_.untold() * 16 > words_; }

  void paragraph() {
    for (std::size_t i = dice_.between(4, 6); i > 0 && unfinished(); --i) sentence();
  }

  void sentence() {
    if (terms_.untold() > 0 && crowded()) return add(dice_.pick(lists));
    if (dice_.below(3) > 0) return add(dice_.pick(shelves));
    std::string pattern = joined(dice_.pick(openings), ", ");
    pattern += dice_.pick(events);
    pattern += dice_.pick(ends);
    add(pattern);
  }

  void add(Words pattern) {
    const std::string sentence = capitalised(filled(pattern));
    if (!text_.empty() && text_.back() != '\n') text_ += ' ';
    begin(sentence);
  }
  void begin(const std::string& text) {
    told_ += count_words(text);
    text_ += text;
  }

  std::string filled(Words pattern) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
      const std::size_t open = std::min(pattern.find('{', at), pattern.size());
      text += pattern.substr(at, open - at);
      if (open == pattern.size()) break;
      const std::size_t close = pattern.find('}', open);
      text += slot(pattern.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    return text;
  }

  std::string slot(Words name) {
    switch (name[0]) {
      case 't': return quoted(terms_.next());
      case '*': return some_terms();
      case 'u': return quoted(subject_);
      case 'c': return city_.name;
      case 'f': return std::to_string(city_.founded);
      case 'r': return city_.river;
      case 'd': return district();
      case 's': return drawn(dice_, name_heads, street_tails);
      case 'b': return drawn(dice_, name_heads, houses);
      case 'o': return std::string{dice_.pick(offices)};
      case 'p': return person();
      case 'w': return std::string{dice_.pick(papers)};
      case 'g': return std::string{dice_.pick(guilds)};
      case 'y': return std::to_string(year());
      default: return std::to_string(dice_.between(3, 60));
    }
  }

  std::string some_terms() {
    std::vector<std::string> some;
    for (std::size_t i = std::min<std::size_t>(terms_.untold(), dice_.between(6, 9)); i > 0; --i) {
      some.push_back(quoted(terms_.next()));
    }
    return enumeration(some);
  }

  /// Another one than the last.
  const std::string& district() {
    const std::size_t count = city_.districts.size();
    district_ = count == 1 ? 0 : (district_ + dice_.between(1, count - 1)) % count;
    return city_.districts[district_];
  }

  std::string person() {
    const std::string surname = drawn(dice_, name_heads, name_tails);
    return fmt::format("{} {}", dice_.pick(given_names), surname);
  }

  /// Of a time that had the offices and newspapers that occur, unless the city is younger.
  std::int64_t year() {
    const std::int64_t first = std::max<std::int64_t>(city_.founded, 1880);
    return first + static_cast<std::int64_t>(dice_.below(120));
  }

  const City& city_;
  const std::string& subject_;
  std::size_t words_;
  Dice dice_;
  Terms terms_;
  std::size_t district_ = 0;
  std::size_t told_ = 0;
  std::string text_;
};

}  // namespace

City invent_city(const std::string& name) {
  Dice dice{"a city called " + name};
  City city{name, 0, {}, {}};
  if (name.empty()) city.name = drawn(dice, name_heads, name_tails);
  city.founded = static_cast<std::int64_t>(dice.between(900, 1500));
  city.river = dice.pick(name_heads);
  while (city.districts.size() < 6) {
    std::string district = drawn(dice, name_heads, quarter_tails);
    const auto known = std::find(city.districts.begin(), city.districts.end(), district);
    if (known == city.districts.end()) city.districts.push_back(std::move(district));
  }
  return city;
}

std::string write_prose(const City& city, const std::string& subject,
                        std::vector<std::string> terms, std::size_t words, std::string_view seed) {
  if (terms.empty()) terms.push_back(subject);
  return Writer{city, subject, std::move(terms), words, seed}.text();
}

}  // namespace corpus
