#include "memo/backing.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "memo/markdown.hpp"
#include "memo/stated.hpp"
#include "memo/units.hpp"

namespace memo {
namespace {

constexpr double most_off = 1e-9;  ///< of rounding alone, as a share of the value

bool are_equal(double one, double other) {
  return std::abs(one - other) <= most_off * std::max(std::abs(one), std::abs(other));
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::ranges::includes(all, some);
}

/// Without things (`per site`), which have many names.
std::set<std::string> units_in(std::set<std::string> per) {
  std::erase_if(per, [](const auto& name) { return !is_measure(name); });
  return per;
}

/// `2025-09-14`, `2025-Q2`; what is not said is left out.
std::string name_of(const Period& period) {
  std::vector<std::string> parts;
  if (period.year != 0) parts.push_back(std::to_string(period.year));
  if (period.part > 4) parts.push_back(fmt::format("H{}", period.part - 4));
  if (period.part != 0 && period.part <= 4) parts.push_back(fmt::format("Q{}", period.part));
  if (period.month != 0) parts.push_back(fmt::format("{:02}", period.month));
  if (period.day != 0) parts.push_back(fmt::format("{:02}", period.day));
  return fmt::format("{}", fmt::join(parts, "-"));
}

/// A text, and what each line of it says of figures.
class Given {
 public:
  explicit Given(std::string_view text) {
    for (const auto line : lines(text)) lines_.push_back(stated_in(line));
  }

  [[nodiscard]] bool backs(const StatedFigure& said, const StatedFigures& statement) const {
    const bool year = std::ranges::any_of(said.readings, [&](const Reading& reading) {
      return reading.unit.empty() && has_year(reading.value);
    });
    return year || std::ranges::any_of(lines_, [&](const StatedFigures& line) {
             return std::ranges::any_of(line.all, [&](const StatedFigure& known) {
               return agree(said, known, line) && !contradict(said.when, known.when) &&
                      includes(known.per.empty() ? line.per : known.per, said.per) &&
                      includes(said.per.empty() ? statement.per : said.per, units_in(known.per));
             });
           });
  }

  /// The year of a quarter may stand elsewhere, in a heading.
  [[nodiscard]] bool backs(const Period& said) const {
    const bool bare = said == Period{.year = said.year};
    return any_period([&](const Period& known) { return holds(known, said); }) ||
           (bare && has_number(said.year));
  }

 private:
  /// A unit that stands apart in its line may be that of a figure without one.
  static bool agree(const StatedFigure& said, const StatedFigure& known,
                    const StatedFigures& line) {
    return std::ranges::any_of(said.readings, [&](const Reading& one) {
      return std::ranges::any_of(known.readings, [&](const Reading& other) {
        const bool apart = other.unit.empty() && line.units.contains(one.unit);
        return are_equal(one.value, other.value) && (one.unit == other.unit || apart);
      });
    });
  }

  [[nodiscard]] bool holds(const Period& known, const Period& said) const {
    const auto same = [](int one, int other) { return one == 0 || one == other; };
    return same(said.part, known.part) && same(said.month, known.month) &&
           same(said.day, known.day) &&
           (same(said.year, known.year) || (known.year == 0 && has_year(said.year)));
  }

  [[nodiscard]] bool any_period(const auto& test) const {
    return std::ranges::any_of(
        lines_, [&](const StatedFigures& line) { return std::ranges::any_of(line.periods, test); });
  }
  [[nodiscard]] bool has_year(double value) const {
    return any_period(
        [&](const Period& known) { return known.year != 0 && are_equal(known.year, value); });
  }
  [[nodiscard]] bool has_number(double value) const {
    return std::ranges::any_of(lines_, [&](const StatedFigures& line) {
      return std::ranges::any_of(line.all, [&](const StatedFigure& known) {
        return std::ranges::any_of(known.readings, [&](const Reading& reading) {
          return reading.unit.empty() && are_equal(reading.value, value);
        });
      });
    });
  }

  std::vector<StatedFigures> lines_;
};

}  // namespace

std::vector<std::string> figures_written(std::string_view text) {
  const auto said = stated_in(text);
  std::vector<std::string> written;
  for (const auto& measure : said.all) written.push_back(measure.written);
  for (const auto& period : said.periods) written.push_back(name_of(period));
  return written;
}

std::vector<std::string> unbacked_figures(std::string_view statement, std::string_view text,
                                          std::string_view around) {
  const auto said = stated_in(statement);
  const Given given{text};
  std::vector<std::string> missing;
  for (const auto& measure : said.all) {
    if (!given.backs(measure, said)) missing.push_back(measure.written);
  }
  for (const auto& period : said.periods) {
    if (!given.backs(period) && !Given{around}.backs(period)) missing.push_back(name_of(period));
  }
  return missing;
}

}  // namespace memo
