#include "research/titles.hpp"

#include <map>
#include <string>
#include <string_view>

namespace research {
namespace {

constexpr std::size_t fewest = 3;

struct Cut {
  std::size_t begin = std::string::npos;
  std::size_t end = 0;
};

constexpr std::string_view bars[] = {" | ", " \u2013 ", " \u2014 ", " - ", " \u00b7 ", " :: "};

/// The first or the last bar of a title.
Cut bar_in(std::string_view title, bool is_last) {
  Cut found;
  for (const std::string_view bar : bars) {
    const auto at = is_last ? title.rfind(bar) : title.find(bar);
    if (at == title.npos) continue;
    const bool is_nearer = found.end == 0 || (is_last ? at > found.begin : at < found.begin);
    if (is_nearer) found = {at, at + bar.size()};
  }
  return found;
}

/// What stands behind the last bar, or before the first; empty if there is no bar.
std::string_view name_in(std::string_view title, bool is_behind) {
  const Cut bar = bar_in(title, is_behind);
  if (bar.end == 0) return {};
  return is_behind ? title.substr(bar.end) : title.substr(0, bar.begin);
}

/// Whether there was a name to leave out.
bool leave_out(std::vector<Page>& pages, bool is_behind) {
  bool has_name = false;
  std::map<std::string, std::size_t, std::less<>> names;
  for (const Page& page : pages) ++names[std::string{name_in(page.title, is_behind)}];
  for (Page& page : pages) {
    const std::string name{name_in(page.title, is_behind)};
    const std::size_t times = names[name];
    if (name.empty() || times < fewest || times * 2 < pages.size()) continue;
    const Cut bar = bar_in(page.title, is_behind);
    has_name = true;
    page.title = is_behind ? page.title.substr(0, bar.begin) : page.title.substr(bar.end);
  }
  return has_name;
}

}  // namespace

void leave_out_site_name(std::vector<Page>& pages) {
  while (leave_out(pages, true)) {  // of the site, and of whose it is
  }
  leave_out(pages, false);
}

std::vector<std::string> parts_of_title(const std::string& title) {
  std::vector<std::string> parts;
  std::string_view rest = title;
  const auto next = [&] {
    const Cut bar = bar_in(rest, false);
    const auto colon = rest.find(": ");
    return colon < bar.begin ? Cut{colon, colon + 2} : bar;
  };
  for (Cut bar = next(); bar.end != 0; bar = next()) {
    parts.emplace_back(rest.substr(0, bar.begin));
    rest = rest.substr(bar.end);
  }
  parts.emplace_back(rest);
  return parts;
}

}  // namespace research
