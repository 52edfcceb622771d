// What the result of compare_parts says.
#include <algorithm>

#include <fmt/format.h>

#include "insights/phrases.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// What the part and the others are called.
std::pair<std::string, std::string> sides(const Json& r) {
  if (r.contains("with")) {
    const std::string name = word_at(r, "with");
    if (r.contains("beyond")) {
      std::string limit = word_at(r, "beyond");
      std::ranges::replace(limit, '_', ' ');
      const std::string than = amount_text(value_at(r, "than"), word_at(r, "with_unit"));
      return {fmt::format("with {} {} {}", name, limit, than), "the others"};
    }
    return {"with " + name, "without " + name};
  }
  if (r.contains("value")) {
    const auto value = r.at("value").begin();
    return {value_text(value.key(), value.value().get<std::string>()), "the others"};
  }
  if (r.contains("since")) return {"since " + word_at(r, "from"), "before"};
  return {fmt::format("{} to {}", word_at(r, "from"), word_at(r, "to")), "the rest of the time"};
}

}  // namespace

std::vector<Finding> part_findings(const Json& r) {
  const auto [part, others] = sides(r);
  const bool amount = r.at("amount").get<bool>();
  const double all = value_at(r.at("part"), "sum") + value_at(r.at("others"), "sum");
  const std::string share =
      amount && all > 0
          ? fmt::format(" ({:.1f} % of {})", 100 * value_at(r.at("part"), "sum") / all,
                        amount_text(all, r.value("unit", "")))
          : "";
  const auto text = [&](const std::string& name, const Json& one) {
    if (r.contains("above")) {
      const double beyond = 100 * value_at(one, "above") / value_at(one, "readings");
      return fmt::format("{} {} of {} ({:.1f} %{})", name, one.at("above").dump(),
                         one.at("readings").dump(), beyond, lines_of(one));
    }
    const bool is_part = &one == &r.at("part");
    const std::string sum =
        amount ? fmt::format(" {}{}", figure(r, one, "sum"), is_part ? share : "") : "";
    if (r.value("counts", false)) return name + sum + in_lines(one);
    return fmt::format("{}{}{} {} on average (median {}; {}{})", name, sum, amount ? "," : "",
                       figure(r, one, "mean"), figure(r, one, "median"),
                       counted(one.at("readings"), "reading"), lines_of(one));
  };
  return {{"compared", 115,
           fmt::format("{}{}: {}, {}.", subject(r),
                       r.contains("above") ? " above " + figure(r, r, "above") : "",
                       text(part, r.at("part")), text(others, r.at("others")))}};
}

}  // namespace insights
