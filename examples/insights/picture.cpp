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
constexpr double line_height = 260;
constexpr double left = 70;
constexpr double right = 20;
constexpr double top = 50;
constexpr double bottom = 40;
constexpr double inner_width = width - left - right;
constexpr double inner_height = line_height - top - bottom;
constexpr double margin = 12;
constexpr double letter = 6.6;  // the width of one, about
constexpr std::size_t title_letters = 95;
constexpr double bar_height = 18;
constexpr std::size_t most_bars = 40;
constexpr std::size_t name_letters = 34;

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
constexpr const char* grid = R"(stroke="#eee")";
constexpr const char* level = R"(stroke="#c33" stroke-dasharray="6 4" stroke-width="2")";
constexpr const char* event = R"(stroke="#c33" stroke-dasharray="2 3")";

/// In one line, or in two.
std::string title_lines(const std::string& title) {
  const auto cut = title.size() > title_letters ? title.rfind(' ', title_letters) : title.npos;
  if (cut == title.npos) return label(margin, 18, "start", title);
  return label(margin, 18, "start", title.substr(0, cut)) +
         label(margin, 33, "start", title.substr(cut + 1));
}

std::string framed(const std::string& title, double height, const std::string& body) {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" )"
      R"(height="{1:g}" font-family="sans-serif" font-size="12" role="img">)"
      "\n<title>{2}</title>\n"
      R"(<rect width="{0:g}" height="{1:g}" fill="#fff"/>)"
      "\n{3}{4}</svg>\n",
      width, height, escaped(title), title_lines(title), body);
}

/// The least of 1, 2 and 5 times a power of ten that is not below `value` (after Heckbert, "Nice
/// Numbers for Graph Labels", Graphics Gems, 1990).
double nice(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value * 0.999) return step * power;
  }
  return 10 * power;
}

/// A range of values on the vertical axis, widened to whole steps; from zero if that is not far.
class Scale {
 public:
  Scale(double low, double high) {
    if (low > 0 && low < high / 2) low = 0;
    step_ = high > low ? nice((high - low) / 4) : 1;
    least_ = std::floor(low / step_) * step_;
    most_ = std::max(std::ceil(high / step_) * step_, least_ + step_);
  }
  [[nodiscard]] double y(double value) const {
    const double inside = std::clamp(value, least_, most_);
    return top + inner_height * (most_ - inside) / (most_ - least_);
  }
  [[nodiscard]] bool holds(double value) const { return value >= least_ && value <= most_; }

  [[nodiscard]] std::string axis_of(const std::string& unit) const {
    std::string body;
    const auto steps = std::lround((most_ - least_) / step_);
    for (long i = 0; i <= steps; ++i) {
      const double value = least_ + step_ * static_cast<double>(i);
      body += stroke(left, y(value), width - right, y(value), i == 0 ? axis : grid) +
              label(left - 6, y(value) + 4, "end", amount_text(value, ""));
    }
    return body + stroke(left, top, left, top + inner_height, axis) +
           label(left - 6, top - 10, "end", unit);
  }

 private:
  double least_ = 0;
  double most_ = 1;
  double step_ = 1;
};

/// Of all values, unless marked ones, or one in a hundred at either end, are so far off that the
/// others would lie in one line.
Scale scale_of(const LinePlot& plot) {
  constexpr double far = 4;  // times the range of the others
  std::vector<double> plain = plot.values;
  for (const LinePlot::Mark& mark : plot.marks) plain[mark.at] = std::nan("");
  std::erase_if(plain, [](double value) { return std::isnan(value); });
  const auto [low, high] = std::ranges::minmax(plot.values);
  if (plain.empty()) return {low, high};
  std::ranges::sort(plain);
  const std::size_t ends = plain.size() / 100;
  const double least = plain[ends];
  const double most = plain[plain.size() - 1 - ends];
  const double range = most - least;
  if (range == 0 || high - low <= far * range) return {low, high};
  const auto first = std::ranges::lower_bound(plain, least - range);
  const auto last = std::ranges::upper_bound(plain, most + range);
  return {*first, *(last - 1)};
}

/// A rectangle that text takes.
struct Box {
  double x1, y1, x2, y2;
  [[nodiscard]] bool meets(const Box& other) const {
    return x1 < other.x2 && other.x1 < x2 && y1 < other.y2 && other.y1 < y2;
  }
};

/// Draws a line, its levels and marks.
class LineDrawing {
 public:
  explicit LineDrawing(const LinePlot& plot) : plot_(plot), scale_(scale_of(plot)) {}

  std::string all() {
    std::string body = scale_.axis_of(plot_.unit);
    double free = 0;
    for (const LinePlot::Tick& tick : plot_.ticks) {
      const double x = x_of(tick.at);
      const double half = letter * static_cast<double>(tick.text.size()) / 2;
      const double inside = std::clamp(x, half + 2, width - half - 2);
      if (inside - half < free) continue;
      free = inside + half + letter;
      body += stroke(x, top + inner_height, x, top + inner_height + 4, axis) +
              label(inside, line_height - 20, "middle", tick.text);
    }
    body += line() + levels();
    for (const LinePlot::Mark& mark : plot_.marks) body += dot(mark);
    for (const LinePlot::Mark& mark : plot_.marks) body += text(mark);
    return body;
  }

 private:
  [[nodiscard]] double x_of(double at) const {
    const double span = plot_.at.back() - plot_.at.front();
    return left + (span > 0 ? inner_width * (at - plot_.at.front()) / span : inner_width / 2);
  }
  [[nodiscard]] double x(std::size_t i) const { return x_of(plot_.at[i]); }
  [[nodiscard]] double y(std::size_t i) const { return scale_.y(plot_.values[i]); }

  /// Beyond this there is a gap.
  [[nodiscard]] double longest() const {
    std::vector<double> steps;
    for (std::size_t i = 1; i < plot_.at.size(); ++i) {
      steps.push_back(plot_.at[i] - plot_.at[i - 1]);
    }
    if (steps.empty()) return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return 3 * *middle;
  }

  [[nodiscard]] std::string line() const {
    std::string body;
    const double most = longest();
    for (std::size_t from = 0, i = 1; i <= plot_.at.size(); ++i) {
      if (i < plot_.at.size() && plot_.at[i] - plot_.at[i - 1] <= most) continue;
      body += part(from, i);
      from = i;
    }
    return body;
  }

  /// Without a gap; a single value is a dot.
  [[nodiscard]] std::string part(std::size_t from, std::size_t to) const {
    if (to - from == 1) {
      return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="1.5" fill="#258"/>)"
                         "\n",
                         x(from), y(from));
    }
    std::string points;
    for (std::size_t i = from; i < to; ++i) points += fmt::format("{:.1f},{:.1f} ", x(i), y(i));
    return fmt::format(R"(<polyline points="{}" fill="none" stroke="#258" stroke-width="1.5"/>)"
                       "\n",
                       points);
  }

  [[nodiscard]] std::string levels() const {
    if (plot_.level_at == 0) return "";
    const double at = x(plot_.level_at);
    const double before = scale_.y(plot_.level_before);
    const double after = scale_.y(plot_.level_after);
    return stroke(at, top, at, top + inner_height, event) +
           stroke(left, before, at, before, level) + stroke(at, after, width - right, after, level);
  }

  /// A value beyond the edge is a triangle that points there.
  std::string dot(const LinePlot::Mark& mark) {
    const double at = x(mark.at);
    const double height = y(mark.at);
    taken_.push_back({at - 4, height - 4, at + 4, height + 4});
    const double tip = height < top + 1 ? -6 : 6;
    const std::string shape =
        scale_.holds(plot_.values[mark.at])
            ? fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4")", at, height)
            : fmt::format(R"(<path d="M{:.1f},{:.1f} l-5,{:g} h10 z")", at, height + tip, -tip);
    return shape + R"( fill="#c33"><title>)" + escaped(mark.text) +
           (scale_.holds(plot_.values[mark.at]) ? "</title></circle>\n" : "</title></path>\n");
  }

  /// Beside the mark, above or below it, where there is room.
  std::string text(const LinePlot::Mark& mark) {
    const double at = x(mark.at);
    const double height = y(mark.at);
    const double wide = letter * static_cast<double>(mark.text.size());
    struct Place {
      double x, y;
      const char* anchor;
      double from;
    };
    const Place places[] = {{at + 8, height + 4, "start", at + 8},
                            {at - 8, height + 4, "end", at - 8 - wide},
                            {at, height - 9, "middle", at - wide / 2},
                            {at, height + 18, "middle", at - wide / 2}};
    for (const Place& place : places) {
      const Box box{place.from, place.y - 11, place.from + wide, place.y + 3};
      const bool inside =
          box.x1 > left && box.x2 < width && box.y1 > top - 14 && box.y2 < top + inner_height;
      const auto meets = [&](const Box& other) { return box.meets(other); };
      if (!inside || std::ranges::any_of(taken_, meets)) continue;
      taken_.push_back(box);
      return label(place.x, place.y, place.anchor, mark.text);
    }
    return "";
  }

  const LinePlot& plot_;
  Scale scale_;
  std::vector<Box> taken_;
};

/// As many letters as there is room for.
std::string short_name(const std::string& name) {
  if (name.size() <= name_letters) return name;
  std::size_t end = name_letters - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end) + "…";
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
  return framed(plot.title, line_height, LineDrawing{plot}.all());
}

std::string svg_of(const BarPlot& plot) {
  double low = 0;
  double high = 0;
  std::size_t letters = 0;
  const std::size_t shown = std::min(plot.bars.size(), most_bars);
  for (std::size_t i = 0; i < shown; ++i) {
    low = std::min(low, plot.bars[i].value);
    high = std::max(high, plot.bars[i].value);
    letters = std::max(letters, std::min(plot.bars[i].name.size(), name_letters));
  }
  const double from = 16 + letter * static_cast<double>(letters);
  const double room = width - from - 90;  // the rest is for the figures
  const double unit = high > low ? room / (high - low) : 0;
  const double zero = from - low * unit;
  std::string body;
  double y = top;
  for (std::size_t i = 0; i < shown; ++i, y += bar_height) {
    const BarPlot::Bar& bar = plot.bars[i];
    const double end = zero + bar.value * unit;
    body += label(from - 6, y + 12, "end", short_name(bar.name)) +
            fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="12" fill="#258">)"
                        "<title>{}</title></rect>\n",
                        std::min(zero, end), y + 2, std::abs(end - zero), escaped(bar.name)) +
            label(std::max(zero, end) + 5, y + 12, "start", amount_text(bar.value, plot.unit));
  }
  body += stroke(zero, top - 2, zero, y + 2, axis);
  if (shown < plot.bars.size()) {
    y += bar_height;
    body += label(from, y, "start", fmt::format("and {} more", plot.bars.size() - shown));
  }
  return framed(plot.title, y + 16, body);
}

}  // namespace insights
