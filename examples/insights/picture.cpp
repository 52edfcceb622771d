#include "insights/picture.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/sentences.hpp"

namespace insights {
namespace {

// In SVG's units, of which one is a pixel unless someone zooms.
constexpr double width = 640;
constexpr double height = 260;
constexpr double left = 70;
constexpr double right = 20;
constexpr double top = 40;
constexpr double bottom = 40;
constexpr double inner_width = width - left - right;
constexpr double inner_height = height - top - bottom;

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)"
                     "\n",
                     x, y, anchor, escaped(text));
}

std::string stroke(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)"
                     "\n",
                     x1, y1, x2, y2, style);
}

constexpr const char* axis = R"(stroke="#999")";
constexpr const char* level = R"(stroke="#c33" stroke-dasharray="6 4" stroke-width="2")";

std::string framed(const std::string& title, const std::string& body) {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" )"
      R"(height="{1:g}" font-family="sans-serif" font-size="12" role="img">)"
      "\n<title>{2}</title>\n"
      R"(<rect width="{0:g}" height="{1:g}" fill="#fff"/>)"
      "\n{3}{4}</svg>\n",
      width, height, escaped(title), label(left, 22, "start", title), body);
}

/// A range of values on the vertical axis.
struct Scale {
  double least = 0;
  double most = 1;

  Scale(double low, double high) : least(low), most(high > low ? high : low + 1) {}
  [[nodiscard]] double y(double value) const {
    return top + inner_height * (most - value) / (most - least);
  }
};

std::string axes(const Scale& scale, const std::string& unit) {
  std::string body = stroke(left, top, left, top + inner_height, axis) +
                     stroke(left, top + inner_height, width - right, top + inner_height, axis);
  for (const double value : {scale.least, scale.most}) {
    body += label(left - 6, scale.y(value) + 4, "end", amount_text(value, ""));
  }
  return body + label(left - 6, top - 10, "end", unit);
}

}  // namespace

void to_json(nlohmann::json& json, const Picture& value) {
  json = {{"name", value.name}, {"svg", value.svg}};
}

void from_json(const nlohmann::json& json, Picture& value) {
  json.at("name").get_to(value.name);
  json.at("svg").get_to(value.svg);
}

std::string svg_of(const LinePlot& plot) {
  const auto [low, high] = std::ranges::minmax_element(plot.values);
  const Scale scale{*low, *high};
  const double step =
      inner_width / static_cast<double>(std::max<std::size_t>(plot.values.size() - 1, 1));
  const auto x = [&](std::size_t i) { return left + step * static_cast<double>(i); };
  std::string body = axes(scale, plot.unit);
  body += label(left, height - 18, "start", plot.from) +
          label(width - right, height - 18, "end", plot.to);
  std::string points;
  for (std::size_t i = 0; i < plot.values.size(); ++i) {
    points += fmt::format("{:.1f},{:.1f} ", x(i), scale.y(plot.values[i]));
  }
  body += fmt::format(R"(<polyline points="{}" fill="none" stroke="#258" stroke-width="1.5"/>)"
                      "\n",
                      points);
  if (plot.level_at > 0) {
    const double at = x(plot.level_at);
    body += stroke(left, scale.y(plot.level_before), at, scale.y(plot.level_before), level) +
            stroke(at, scale.y(plot.level_after), width - right, scale.y(plot.level_after), level);
  }
  for (const LinePlot::Mark& mark : plot.marks) {
    const double at = x(mark.at);
    const double y = scale.y(plot.values[mark.at]);
    body += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="#c33"/>)"
                        "\n",
                        at, y);
    const bool is_left = at < left + inner_width / 2;
    body += label(is_left ? at + 8 : at - 8, y + 4, is_left ? "start" : "end", mark.text);
  }
  return framed(plot.title, body);
}

std::string svg_of(const BarPlot& plot) {
  double low = 0;
  double high = 0;
  for (const BarPlot::Bar& bar : plot.bars) {
    low = std::min(low, bar.value);
    high = std::max(high, bar.value);
  }
  const Scale scale{low, high};
  const double step = inner_width / static_cast<double>(std::max<std::size_t>(plot.bars.size(), 1));
  std::string body = axes(scale, plot.unit);
  const bool crowded = plot.bars.size() > 8;
  for (std::size_t i = 0; i < plot.bars.size(); ++i) {
    const BarPlot::Bar& bar = plot.bars[i];
    const double at = left + step * static_cast<double>(i);
    const double y = std::min(scale.y(bar.value), scale.y(0));
    body += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="#258">)"
                        "<title>{}: {}</title></rect>\n",
                        at + step * 0.15, y, step * 0.7, std::abs(scale.y(bar.value) - scale.y(0)),
                        escaped(bar.name), escaped(amount_text(bar.value, plot.unit)));
    if (crowded && i % 3 != 0) continue;
    body += label(at + step / 2, height - 20, "middle", bar.name);
    if (!crowded) body += label(at + step / 2, y - 4, "middle", amount_text(bar.value, ""));
  }
  return framed(plot.title, body);
}

}  // namespace insights
