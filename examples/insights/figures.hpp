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

/// y = intercept + slope · x by ordinary least squares; r2 is the share of y's variance it
/// explains.
struct Line {
  double slope = 0;
  double intercept = 0;
  double r2 = 0;
};
/// @pre as many x as y, at least two different x
[[nodiscard]] Line fit(std::span<const double> x, std::span<const double> y);

/// To three decimals, so that figures read well and a sum of roundings is no news.
[[nodiscard]] double rounded(double value);

}  // namespace insights
