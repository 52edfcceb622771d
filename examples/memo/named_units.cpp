#include "memo/named_units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/units.hpp"

namespace memo {
namespace {

template <std::size_t Size>
bool is_one_of(std::string_view word, const std::array<std::string_view, Size>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// The units in a name, as they stand beside a value.
struct Unit {
  std::string before;  ///< `EUR `, `£`
  std::string scale;   ///< ` million`
  std::string behind;  ///< ` %`, ` months`
  bool clear = false;  ///< it can be nothing else, wherever it stands
  std::size_t end = 0;
};

class NameReader {
 public:
  explicit NameReader(std::string_view name) : name_{name}, tokens_{tokens_of(name)} {}

  /// The name and the value with the unit that the name ends with, or that can be nothing else.
  [[nodiscard]] std::optional<NamedValue> with(std::string_view value) const {
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      const auto unit = unit_from(at);
      if (!unit || !may_stand(at, *unit)) continue;
      std::string name = head(at);
      std::string said = unit->before + std::string{value} + unit->scale + unit->behind;
      if (unit->end < tokens_.size()) {
        const auto tail = name_.substr(tokens_[unit->end].begin);
        const bool per = word(unit->end) == "per";
        if (!per && !(unit->clear && says_when(unit->end))) continue;
        (per ? said : name) += ' ' + std::string{tail};
      }
      return NamedValue{std::move(name), std::move(said)};
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t at) const {
    return at < tokens_.size() ? std::string_view{tokens_[at].text} : std::string_view{};
  }
  [[nodiscard]] std::string_view written(std::size_t at) const {
    return name_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
  }

  /// The name in front of a unit: `revenue` of `revenue, in EUR`.
  [[nodiscard]] std::string head(std::size_t at) const {
    if (at > 1 && word(at - 1) == "in") --at;
    if (at > 1 && word(at - 1) == ",") --at;
    return std::string{name_.substr(0, tokens_[at - 1].end)};
  }

  [[nodiscard]] bool says_when(std::size_t at) const {
    static constexpr std::array<std::string_view, 6> words{"from",  "until", "in",
                                                           "since", "for",   "before"};
    return is_one_of(word(at), words) || tokens_[at].kind == Token::Kind::number;
  }

  /// `3 months`, `last year` and `per kg` say what the value is of.
  [[nodiscard]] bool may_stand(std::size_t at, const Unit& unit) const {
    static constexpr std::array<std::string_view, 10> others{
        "per", "a", "each", "every", "first", "last", "next", "this", "of", "/"};
    const bool figure = tokens_[at - 1].kind == Token::Kind::number && word(at) != "(";
    return (unit.clear || !figure) && !is_one_of(word(at - 1), others);
  }

  /// What begins at a token: `EUR m`, `(%)`, `months`.
  [[nodiscard]] std::optional<Unit> unit_from(std::size_t at) const {
    const bool inside = word(at) == "(";
    Unit unit;
    unit.end = inside ? at + 1 : at;
    const std::size_t begin = unit.end;
    while (unit.end < tokens_.size() && add(unit, inside)) ++unit.end;
    if (unit.end == begin) return std::nullopt;
    if (!inside) return unit;
    unit.clear = true;
    return word(unit.end++) == ")" ? std::optional{unit} : std::nullopt;
  }

  /// Whether the token at the unit's end belongs to it.
  bool add(Unit& unit, bool inside) const {
    const std::size_t at = unit.end;
    const bool money = !unit.before.empty();
    if (unit.behind.empty() && !money && add_money(unit, at)) return true;
    if (unit.scale.empty() && unit.behind.empty()) {
      unit.scale = scale_at(at, money, inside);
      if (!unit.scale.empty()) return true;
    }
    if (!unit.behind.empty() || money) return false;
    if (is_percent(at)) {
      unit.behind = " %";
    } else if (is_measure_at(at, inside)) {
      unit.behind = ' ' + std::string{written(at)};
    }
    return !unit.behind.empty();
  }

  /// `EUR`, `eur` at the end, `£`, `MUSD`.
  bool add_money(Unit& unit, std::size_t at) const {
    static constexpr std::array<std::string_view, 4> words{"cop", "mad", "pen", "try"};
    auto code = std::string{written(at)};
    if (code.size() == 4 && (code[0] == 'M' || code[0] == 'k')) {
      if (currency_of(code.substr(1)).empty()) return false;
      unit.scale = code[0] == 'M' ? " million" : " thousand";
      code.erase(0, 1);
    }
    if (currency_at(name_, tokens_, at).empty() && currency_of(code).empty()) return false;
    const bool sign = static_cast<unsigned char>(code[0]) >= 0x80U || code == "$";
    if (!sign && (code.size() != 3 || is_one_of(code, words))) return false;
    unit.clear = sign || !currency_of(code).empty();
    std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
    unit.before = code + (sign ? "" : " ");
    return true;
  }

  /// ` million` of `m`; single letters stand behind a currency or in brackets.
  [[nodiscard]] std::string scale_at(std::size_t at, bool money, bool inside) const {
    if (word(at) == "000") return " thousand";
    auto scale = word(at);
    if (scale == "m" && inside && !money) return {};  // metres
    if (scale.size() == 1 && !money && !inside) return {};
    if (scale.ends_with('s') && scale.size() > 3) scale.remove_suffix(1);
    const double factor = scale_of(scale);
    if (factor == 1e3) return " thousand";
    if (factor == 1e6) return " million";
    if (factor == 1e9) return " billion";
    return factor > 1 ? ' ' + std::string{scale} : std::string{};
  }

  [[nodiscard]] bool is_percent(std::size_t at) const {
    static constexpr std::array<std::string_view, 4> words{"%", "percent", "pct", "percentage"};
    const bool points = word(at + 1).starts_with("point");
    return is_one_of(word(at), words) && !points;
  }

  /// Units of measure in the plural, or short ones that are no other word. What a price is for is
  /// no unit of it.
  [[nodiscard]] bool is_measure_at(std::size_t at, bool inside) const {
    static constexpr std::array<std::string_view, 16> brief{"km",  "cm",   "kg",  "ml", "ha", "kw",
                                                            "kwh", "mwh",  "gwh", "mb", "gb", "tb",
                                                            "hrs", "mins", "yrs", "wh"};
    static constexpr std::array<std::string_view, 8> prices{"price", "prices", "cost",   "costs",
                                                            "fee",   "fees",   "tariff", "charge"};
    const auto name = word(at);
    const bool priced = std::ranges::any_of(
        tokens_, [&](const Token& token) { return is_one_of(token.text, prices); });
    const bool plural = name.ends_with('s') && name.size() > 3 && name != "times";
    return !priced && is_measure(name) && (inside || plural || is_one_of(name, brief));
  }

  std::string_view name_;
  std::vector<Token> tokens_;
};

bool is_bare_number(std::string_view value) {
  if (value.starts_with('-')) value.remove_prefix(1);
  const auto tokens = tokens_of(value);
  return tokens.size() == 1 && tokens[0].kind == Token::Kind::number &&
         tokens[0].end - tokens[0].begin == value.size();
}

}  // namespace

NamedValue with_unit_of_name(std::string name, std::string value) {
  if (is_bare_number(value)) {
    if (auto found = NameReader{name}.with(value)) return *std::move(found);
  }
  return {std::move(name), std::move(value)};
}

}  // namespace memo
