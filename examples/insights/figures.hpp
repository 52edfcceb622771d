/// @file
/// The arithmetic behind the tools.
#pragma once

#include <span>
#include <vector>

namespace insights {

/// The arithmetic mean. @pre `values` is not empty
[[nodiscard]] double mean(std::span<const double> values);
/// The standard deviation of a sample (n − 1 in the denominator); 0 for fewer than two values.
[[nodiscard]] double deviation(std::span<const double> values);
/// The p-quantile, linear between the order statistics (R's type 7, NumPy's default).
/// @pre `values` is not empty, p between 0 and 1
[[nodiscard]] double quantile(std::vector<double> values, double p);
[[nodiscard]] double median(std::vector<double> values);

/// How far a value usually is from the median, as a standard deviation would say it: 1.4826 times
/// the median distance from the median, or, where more than half of the values are the same, 1.2533
/// times the mean distance. (value − median) / robust_spread() is the modified z-score of Iglewicz
/// and Hoaglin, How to Detect and Handle Outliers (1993), who call 3.5 and more an outlier.
[[nodiscard]] double robust_spread(const std::vector<double>& values);

/// y = intercept + slope · x by ordinary least squares; r2 is the share of y's variance it
/// explains.
struct Line {
  double slope = 0;
  double intercept = 0;
  double r2 = 0;
};
/// @pre as many x as y, at least two different x
[[nodiscard]] Line fit(std::span<const double> x, std::span<const double> y);

/// The ranks of the values, from 1; equal ones share the mean of theirs.
[[nodiscard]] std::vector<double> ranks(std::span<const double> values);
/// Spearman's rank correlation; 0 when one of the two is constant. @pre as many x as y
[[nodiscard]] double rank_correlation(std::span<const double> x, std::span<const double> y);

/// Where a series steps to another level, beside any straight trend that it has.
struct Jump {
  std::size_t at = 0;  ///< the first value after it
  double height = 0;   ///< by which the values after it are higher, the trend apart
  double t = 0;        ///< |height| in its standard errors
};
/// The step that explains most beside a line: the least squares of y = a + b·i + c·[i ≥ at], for
/// every `at` that leaves `least` values on both sides, as in Andrews, Tests for Parameter
/// Instability with Unknown Change Point, Econometrica 61 (1993). Values that hang together count
/// for fewer: t is multiplied by √((1 − r)/(1 + r)), r being the correlation of the residuals with
/// the next ones, as in Quenouille (1952). @pre at least 2 · least values
[[nodiscard]] Jump find_jump(std::span<const double> values, std::size_t least);

/// The share of the values' variance that lies between groups (eta squared); `group[i]` is that of
/// `values[i]`. 0 when nothing varies.
[[nodiscard]] double between_groups(std::span<const double> values, std::span<const int> group);

/// To three decimals, below 1 to four digits, so that figures read well and a sum of roundings is
/// no news; 0 below 1e-12.
[[nodiscard]] double rounded(double value);

}  // namespace insights
