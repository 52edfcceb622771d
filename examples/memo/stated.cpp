#include "memo/stated.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "memo/markdown.hpp"
#include "memo/units.hpp"

namespace memo {
namespace {

constexpr std::size_t most_label_words = 6;  // tokens

/// What a number in digits may mean: a separator before three digits may part thousands.
std::vector<double> values_of(std::string_view digits) {
  std::string plain;
  std::string marks;
  std::size_t behind = 0;  // digits behind the last separator
  for (const char c : digits) {
    if (c >= '0' && c <= '9') {
      plain += c;
      ++behind;
    } else {
      if (static_cast<unsigned char>(c) < 0x80U) marks += c;
      if (static_cast<unsigned char>(c) >= 0xC0U) marks += ' ';
      behind = 0;
    }
  }
  const double all = std::strtod(plain.c_str(), nullptr);
  if (marks.empty()) return {all};
  double decimal = all;
  for (std::size_t i = 0; i < behind; ++i) decimal /= 10;
  const bool one_kind = marks.find_first_not_of(marks.back()) == npos;
  if (marks.size() > 1) return one_kind ? std::vector{all} : std::vector{decimal};
  const bool point = marks == "." || marks == ",";
  if (!point || (behind == 3 && marks == "," && !plain.starts_with('0'))) return {all};
  if (behind != 3 || plain.starts_with('0')) return {decimal};
  return plain.ends_with("000") ? std::vector{all} : std::vector{all, decimal};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

class FigureReader {
 public:
  explicit FigureReader(std::string_view text)
      : text_{text}, tokens_{tokens_of(text)}, dated_{periods_in(tokens_)} {}

  StatedFigures read() {
    for (std::size_t at = 0; at < tokens_.size();) at = read_at(at);
    share_in_ranges();
    for (auto& measure : found_.all) {
      look_behind(measure);
      look_at_label(measure);
      measure.when = when(measure);
      measure.written =
          std::string{text_.substr(tokens_[measure.begin].begin,
                                   tokens_[measure.end - 1].end - tokens_[measure.begin].begin)};
    }
    look_around();
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t at) const {
    return at < tokens_.size() ? std::string_view{tokens_[at].text} : std::string_view{};
  }
  [[nodiscard]] bool is_word(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == Token::Kind::word;
  }
  [[nodiscard]] bool ends(std::size_t at) const {
    return at >= tokens_.size() ||
           is_one_of(word(at), {";", ",", ".", "(", ")", "|", "and", "but"});
  }

  /// Reads what begins at a token; returns where to go on.
  std::size_t read_at(std::size_t at) {
    const auto date = std::ranges::find(dated_, at, &Dated::begin);
    const bool year = date != dated_.end() && date->end == at + 1 && !is_unit_beside(at);
    if (date != dated_.end() && (year || date->end > at + 1 || is_word(at))) {
      found_.periods.push_back(date->period);
      return date->end;
    }
    if (tokens_[at].kind == Token::Kind::number) return read_number(at);
    return is_word(at) ? read_words(at) : at + 1;
  }

  [[nodiscard]] bool is_unit_beside(std::size_t at) const {
    const bool before = at > 0 && !currency_at(text_, tokens_, at - 1).empty();
    return before || scale_of(word(at + 1)) > 1 || !unit_at(text_, tokens_, at + 1).name.empty();
  }

  /// The capital of `4G` or `3D`.
  [[nodiscard]] bool is_name(std::size_t at) const {
    constexpr std::string_view units = "KMBW";
    const char letter = text_[tokens_[at].begin];
    return word(at).size() == 1 && letter >= 'A' && letter <= 'Z' && units.find(letter) == npos;
  }

  std::size_t read_number(std::size_t at) {
    const bool glued = is_word(at + 1) && tokens_[at + 1].follows(tokens_[at]);
    const bool known = scale_of(word(at + 1)) > 0 || !unit_at(text_, tokens_, at + 1).name.empty();
    if (glued && (!known || is_name(at + 1))) return at + 2;
    return add(at, at + 1, values_of(word(at)));
  }

  /// `half of`, `two thirds of`: a share.
  [[nodiscard]] std::size_t read_share(std::size_t at) {
    static constexpr std::array<std::string_view, 10> parts{
        "", "", "half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "tenth"};
    const auto number = spelled_at(tokens_, at);
    const bool article = word(at) == "a" || word(at) == "half";
    if (!number && !article) return at;
    std::size_t end = number ? number->end : word(at) == "a" ? at + 1 : at;
    if (number && word(end) == "-") ++end;
    auto name = word(end);
    if (name.ends_with('s')) name.remove_suffix(1);
    const auto part = std::ranges::find(parts.begin() + 2, parts.end(), name);
    if (part == parts.end() || !is_one_of(word(end + 1), {"of", "the", "our", "its", "all"}))
      return at;
    const auto index = static_cast<double>(part - parts.begin());
    const double share = (number ? number->value : 1) / (index == 9 ? 10 : index);
    add(at, end + 1, {share});
    found_.all.back().readings.push_back({100 * share, "%"});
    return end + 1;
  }

  std::size_t read_words(std::size_t at) {
    if (const auto end = read_share(at); end != at) return end;
    const auto number = spelled_at(tokens_, at);
    if (!number) return at + 1;
    const bool pronoun =
        number->end == at + 1 && word(at) == "one" &&
        (is_one_of(word(at + 1), {"of", "another", "or", "who", "that", "is", "can", "must"}) ||
         (at > 0 && is_one_of(word(at - 1), {"no", "any", "every", "each", "this", "that", "the",
                                             "which", "some", "or", "another"})));
    if (pronoun) return number->end;
    return add(at, number->end, {number->value});
  }

  std::size_t add(std::size_t begin, std::size_t end, const std::vector<double>& values) {
    StatedFigure measure;
    const std::string before = begin > 0 ? currency_at(text_, tokens_, begin - 1) : std::string{};
    measure.begin = before.empty() ? begin : begin - 1;
    const double scale = scale_behind(end, !before.empty());
    if (scale > 1) ++end;
    if (scale > 1 && word(end) == "." && !currency_at(text_, tokens_, end + 1).empty()) ++end;
    auto unit = before.empty() ? unit_at(text_, tokens_, end) : UnitName{before, end};
    if (unit.name.empty()) unit.end = end;
    for (const double value : values) measure.readings.push_back({value * scale, unit.name});
    if (scale > 1 && before.empty() && word(end - 1) == "m") {
      for (const double value : values) measure.readings.push_back({value, "metre"});
    }
    measure.end = std::max(unit.end, end);
    scales_.push_back(scale);
    found_.all.push_back(std::move(measure));
    return found_.all.back().end;
  }

  /// The scale at `at`; single letters stand right behind the digits, or behind an amount of money.
  [[nodiscard]] double scale_behind(std::size_t at, bool money) const {
    const double scale = scale_of(word(at));
    const bool brief = word(at).size() == 1;
    const bool beside = at < tokens_.size() && at > 0 && tokens_[at].follows(tokens_[at - 1]);
    if (scale > 0 && (!brief || beside || (money && word(at) == "m"))) return scale;
    return money && word(at) == "mm" ? 1e6 : 1;
  }

  /// `€5–7 million`, `3 to 4 %`: two figures share what only one of them has.
  void share_in_ranges() {
    for (std::size_t i = 0; i + 1 < found_.all.size(); ++i) {
      StatedFigure& one = found_.all[i];
      StatedFigure& two = found_.all[i + 1];
      const bool linked =
          one.end + 1 == two.begin && is_one_of(word(one.end), {"-", "–", "to", "or", "and", "/"});
      if (!linked) continue;
      const std::string first = one.readings[0].unit;
      const std::string second = two.readings[0].unit;
      const double scale = scales_[i] == 1 ? scales_[i + 1] : 1;
      const auto own = one.readings;
      for (const auto& reading : own) {
        if (scale == 1 && !first.empty()) break;
        one.readings.push_back({reading.value * scale, first.empty() ? second : first});
      }
      if (second.empty() && !first.empty()) {
        two.readings.push_back({two.readings[0].value, first});
      }
    }
  }

  /// `a year`, `per hectare` behind a figure.
  void look_behind(StatedFigure& measure) {
    for (std::size_t at = measure.end; at < measure.end + most_label_words; ++at) {
      const bool number = at < tokens_.size() && tokens_[at].kind == Token::Kind::number;
      if ((ends(at) && word(at) != "and") || number || spelled_at(tokens_, at)) return;
      if (const auto per = per_at(tokens_, at); !per.name.empty()) measure.per.insert(per.name);
      if (word(at) == "and" && measure.per.empty()) return;
    }
  }

  /// The label in front of a figure without a unit: `Burn, EUR per month: 180000`.
  void look_at_label(StatedFigure& measure) {
    if (!measure.readings[0].unit.empty() || is_word(measure.end)) return;
    std::size_t end = measure.begin;
    const auto date = std::ranges::find(dated_, end, &Dated::end);
    if (date != dated_.end()) end = date->begin;
    bool colon = false;
    while (end > 0 && is_one_of(word(end - 1), {":", "(", ")"}))
      colon = word(--end) == ":" || colon;
    std::size_t begin = end;
    while (begin > 0 && end - begin < most_label_words &&
           tokens_[begin - 1].kind != Token::Kind::number &&
           (!ends(begin - 1) || (colon && is_one_of(word(begin - 1), {",", "(", ")"})))) {
      --begin;
    }
    if (colon || begin == 0 || ends(begin - 1)) take_label(measure, begin, end);
  }

  void take_label(StatedFigure& measure, std::size_t begin, std::size_t end) {
    std::string unit;
    double scale = 1;
    for (std::size_t at = begin; at < end;) {
      const auto per = per_at(tokens_, at);
      if (!per.name.empty()) measure.per.insert(per.name);
      if (const auto name = unit_at(text_, tokens_, at); !name.name.empty() && per.name.empty()) {
        const bool when =
            at > 0 && is_one_of(word(at - 1), {"last", "this", "next", "past", "the"});
        if (!when) unit = name.name;
      }
      if (word(at).size() > 1 && scale_of(word(at)) > 1) scale = scale_of(word(at));
      at = std::max(at + 1, per.end);
    }
    if (scale > 1) measure.readings.push_back({measure.readings[0].value * scale, unit});
    for (auto& reading : measure.readings) reading.unit = unit;
  }

  /// When a figure is of: the date right beside it, or the only one of a clause with one figure.
  [[nodiscard]] Period when(const StatedFigure& measure) const {
    const auto first = std::ranges::find_if(dated_, [&](const Dated& one) {
      return one.end == measure.begin || (one.end + 1 == measure.begin && word(one.end) == ":");
    });
    if (first != dated_.end()) return first->period;
    if (is_one_of(word(measure.end), {"in", "for", "by", "at", "of", "("})) {
      const auto second = std::ranges::find(dated_, measure.end + 1, &Dated::begin);
      if (second != dated_.end()) return second->period;
    }
    std::size_t begin = measure.begin;
    std::size_t end = measure.end;
    while (begin > 0 && !ends(begin - 1)) --begin;
    while (!ends(end)) ++end;
    const auto inside = [&](const auto& one) { return one.begin >= begin && one.end <= end; };
    const auto date = std::ranges::find_if(dated_, inside);
    if (date != dated_.end() && date->begin > 0 &&
        is_one_of(word(date->begin - 1), {"on", "over", "from", "since", "than", "to", "until"})) {
      return {};
    }
    const bool clear = std::ranges::count_if(dated_, inside) == 1 &&
                       std::ranges::count_if(found_.all, inside) == 1;
    return clear ? date->period : Period{};
  }

  /// What the whole text says of units and periods.
  void look_around() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (const auto per = per_at(tokens_, at); !per.name.empty()) found_.per.insert(per.name);
      const bool taken = std::ranges::any_of(
          found_.all, [&](const StatedFigure& one) { return one.begin <= at && at < one.end; });
      const auto unit = unit_at(text_, tokens_, at);
      const bool money = !currency_at(text_, tokens_, at).empty();
      if (!taken && (money || unit.name == "%")) found_.units.insert(unit.name);
    }
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Dated> dated_;
  StatedFigures found_;
  std::vector<double> scales_;  // parallel to found_.all
};

}  // namespace

StatedFigures stated_in(std::string_view text) { return FigureReader{text}.read(); }

}  // namespace memo
