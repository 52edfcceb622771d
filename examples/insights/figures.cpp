#include "insights/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace insights {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

Line fit(std::span<const double> x, std::span<const double> y) {
  const double mx = mean(x);
  const double my = mean(y);
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  const double slope = xy / xx;
  return {slope, my - slope * mx, yy > 0 ? slope * xy / yy : 0};
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double robust_spread(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  const double usual = median(distances);
  return usual > 0 ? 1.4826 * usual : 1.2533 * mean(distances);
}

std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> all(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    const double shared = (static_cast<double>(i + end) + 1) / 2;
    for (; i < end; ++i) all[order[i]] = shared;
  }
  return all;
}

double rank_correlation(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> a = ranks(x);
  const std::vector<double> b = ranks(y);
  const double spread = deviation(a) * deviation(b);
  if (spread == 0) return 0;
  const double middle = mean(a);  // of b, too: the ranks of as many values
  double products = 0;
  for (std::size_t i = 0; i < a.size(); ++i) products += (a[i] - middle) * (b[i] - middle);
  return products / static_cast<double>(a.size() - 1) / spread;
}

namespace {

/// What a line and a step of `height` at `at` leave over; y is already without its line.
std::vector<double> left_over(const std::vector<double>& y, std::size_t at, double height) {
  std::vector<double> x(y.size());
  std::vector<double> step(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    x[i] = static_cast<double>(i);
    step[i] = i >= at ? height : 0;
  }
  const Line line = fit(x, step);
  std::vector<double> rest(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    rest[i] = y[i] - (step[i] - line.intercept - line.slope * x[i]);
  }
  return rest;
}

double correlation_with_next(const std::vector<double>& values) {
  double both = 0;
  double all = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    all += values[i] * values[i];
    if (i > 0) both += values[i] * values[i - 1];
  }
  return all > 0 ? both / all : 0;
}

}  // namespace

Jump find_jump(std::span<const double> values, std::size_t least) {
  const auto n = static_cast<double>(values.size());
  std::vector<double> x(values.size());
  std::iota(x.begin(), x.end(), 0.0);
  const Line line = fit(x, values);
  std::vector<double> y(values.size());
  double all = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = values[i] - line.intercept - line.slope * x[i];
    all += y[i] * y[i];
  }
  // By the theorem of Frisch, Waugh and Lovell: c is what the step, without its own line, says of
  // y.
  const double xx = n * (n * n - 1) / 12;
  Jump best;
  double explained = 0;
  double sum = 0;  // of y from `at` on
  double far = 0;  // of x − mean(x) from `at` on
  for (std::size_t at = y.size() - 1; at >= least; --at) {
    sum += y[at];
    far += x[at] - (n - 1) / 2;
    const double after = n - static_cast<double>(at);
    if (after < static_cast<double>(least)) continue;
    const double own = after - after * after / n - far * far / xx;
    if (own <= 1e-9 || sum * sum / own <= explained) continue;
    explained = sum * sum / own;
    best = {at, sum / own, own};
  }
  if (best.at == 0 || n <= 3) return {};
  const double error = std::sqrt(std::max(all - explained, 1e-12 * all) / (n - 3));
  best.t = std::abs(best.height) * std::sqrt(best.t) / error;
  const double r = std::max(0.0, correlation_with_next(left_over(y, best.at, best.height)));
  best.t *= std::sqrt((1 - r) / (1 + r));
  return best;
}

double between_groups(std::span<const double> values, std::span<const int> group) {
  std::map<int, std::vector<double>> groups;
  for (std::size_t i = 0; i < values.size(); ++i) groups[group[i]].push_back(values[i]);
  const double middle = mean(values);
  double all = 0;
  double between = 0;
  for (const double value : values) all += (value - middle) * (value - middle);
  for (const auto& [name, members] : groups) {
    const double distance = mean(members) - middle;
    between += static_cast<double>(members.size()) * distance * distance;
  }
  // Of equal values only rounding differs.
  constexpr double rounding = 1e-24;
  const auto size = static_cast<double>(values.size()) * middle * middle;
  return all > rounding * size ? between / all : 0;
}

double rounded(double value) {
  const double size = std::abs(value);
  if (size < 1e-12) return 0;  // what is left of a difference of equal numbers
  if (size >= 1e12) return value;
  const double steps = size >= 1 ? 1000 : std::pow(10, 3 - std::floor(std::log10(size)));
  return std::round(value * steps) / steps + 0.0;
}

}  // namespace insights
