// The library is not in here: lines or bars, axes with round numbers, and a legend.
#include "insights/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace insights {
namespace {

constexpr double width = 640;
constexpr double height = 360;
constexpr double left = 64;
constexpr double right = 16;
constexpr double top = 56;
constexpr double bottom = 40;
constexpr std::array colours{"#1b6ca8", "#c8502d", "#3f8f4f", "#8a5aa8",
                             "#b08a1e", "#4b8f94", "#a83f6a", "#666666"};

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    switch (c) {
      case '&': all += "&amp;"; break;
      case '<': all += "&lt;"; break;
      case '>': all += "&gt;"; break;
      case '"': all += "&quot;"; break;
      default: all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return all;
}

/// Numbers from below the least value to above the most, a round step apart.
struct Axis {
  double low = 0;
  double step = 1;
  int steps = 1;

  [[nodiscard]] double y(double value) const {
    return height - bottom - (value - low) / (step * steps) * (height - top - bottom);
  }
  [[nodiscard]] std::string label(int tick) const {
    return fmt::format("{:.6g}", std::round(low / step + tick) * step + 0.0);
  }
};

Axis axis_of(const Chart& chart) {
  std::vector<double> values;
  if (chart.is_bars) values.push_back(0);
  for (const Series& series : chart.series) {
    for (const auto& value : series.values) {
      if (value) values.push_back(*value);
    }
  }
  if (values.empty()) values.push_back(0);
  auto [least, most] = std::ranges::minmax(values);
  if (most == least) most += least == 0 ? 1 : std::abs(least) * 0.1;
  const double rough = (most - least) / 4;
  Axis axis{.step = std::pow(10, std::floor(std::log10(rough)))};
  for (const double factor : {2.0, 2.5, 2.0}) {  // 1, 2, 5, 10
    if (axis.step < rough) axis.step *= factor;
  }
  axis.low = std::floor(least / axis.step) * axis.step;
  axis.steps = std::max(1, static_cast<int>(std::ceil((most - axis.low) / axis.step - 1e-9)));
  return axis;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart), axis_(axis_of(chart)) {}

  std::string svg() {
    put(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" )"
        R"(font-size="11" role="img"><title>{}</title><rect width="100%" height="100%" )"
        R"(fill="#fff"/><text x="{}" y="20" font-size="14">{}</text>)"
        "\n",
        width, height, escaped(chart_.title), left, escaped(chart_.title));
    axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      legend(i);
      draw(i);
    }
    return text_ + "</svg>\n";
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  }

  [[nodiscard]] double slot() const {
    return (width - left - right) / static_cast<double>(chart_.labels.size());
  }
  [[nodiscard]] double x(std::size_t point) const {
    return left + slot() * (static_cast<double>(point) + 0.5);
  }

  void axes() {
    for (int i = 0; i <= axis_.steps; ++i) {
      const double y = axis_.y(axis_.low + axis_.step * i);
      put(R"(<path d="M{} {:.2f}H{}" stroke="#ddd"/><text x="{}" y="{:.2f}" text-anchor="end">{}</text>)"
          "\n",
          left, y, width - right, left - 6, y + 4, axis_.label(i));
    }
    const std::size_t count = chart_.labels.size();
    const std::size_t shown = std::min<std::size_t>(5, count);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::size_t point = shown == 1 ? 0 : i * (count - 1) / (shown - 1);
      std::string label = chart_.labels[point];
      if (label.ends_with(" 00:00:00")) label.resize(label.size() - 9);
      put(R"(<text x="{:.2f}" y="{}" text-anchor="middle">{}</text>)"
          "\n",
          x(point), height - bottom + 18, escaped(label));
    }
  }

  void legend(std::size_t series) {
    const double at = left + 140.0 * static_cast<double>(series % 4);
    const double y = series < 4 ? 36 : 50;
    put(R"(<rect x="{}" y="{}" width="10" height="10" fill="{}"/><text x="{}" y="{}">{}</text>)"
        "\n",
        at, y - 9, colours[series], at + 14, y, escaped(chart_.series[series].name));
  }

  /// A line, or bars, which are short lines as broad as a bar.
  void draw(std::size_t series) {
    const double broad = chart_.is_bars ? slot() * 0.8 / double(chart_.series.size()) : 1.5;
    const double first = chart_.is_bars ? broad / 2 - slot() * 0.4 : 0;
    const double ground = axis_.y(std::max(0.0, axis_.low));
    std::string path;
    bool is_down = false;  // a missing value lifts the pen
    const auto& values = chart_.series[series].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      is_down = is_down && values[i].has_value() && !chart_.is_bars;
      if (!values[i]) continue;
      const double at = x(i) + first + (chart_.is_bars ? broad * double(series) : 0);
      if (chart_.is_bars) path += fmt::format("M{:.2f} {:.2f}", at, ground);
      path += fmt::format("{}{:.2f} {:.2f}", is_down || chart_.is_bars ? 'L' : 'M', at,
                          axis_.y(*values[i]));
      is_down = true;
    }
    put(R"(<path d="{}" fill="none" stroke="{}" stroke-width="{:.2f}"/>)"
        "\n",
        path, colours[series], broad);
  }

  const Chart& chart_;
  Axis axis_;
  std::string text_;
};

}  // namespace

std::string svg_of(const Chart& chart) { return Drawing{chart}.svg(); }

}  // namespace insights
