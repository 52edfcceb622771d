#include "cli/help.hpp"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/console.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

constexpr std::size_t widest = 100;
constexpr std::size_t usual = 80;  // where there is no terminal
constexpr std::size_t name_columns = 24;

using Entry = std::pair<std::string, std::string>;

/// `  name   what it does`, the names in one column.
std::string section(std::string_view title, const std::vector<Entry>& entries) {
  if (entries.empty()) return {};
  std::string text = fmt::format("\n{}:\n", title);
  for (const auto& [name, what] : entries) {
    const bool fits = width(name) <= name_columns;
    text += fmt::format("  {}",
                        fits ? pad(name, name_columns) : name + "\n" + pad("", name_columns + 2));
    text += "  " + what + "\n";
  }
  return text;
}

/// CLI11 appends what values are allowed: `NAME:{red,green}`.
std::pair<std::string, std::string> type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t at = std::min(type.find(':'), type.size());
  return {type.substr(0, at), type.substr(std::min(at + 1, type.size()))};
}

std::string description_of(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::string allowed = type_of(option).second;
  if (allowed.starts_with('{')) text += " " + allowed;
  if (option.get_required()) text += " (required)";
  if (const std::string value = option.get_default_str(); !value.empty()) {
    text += fmt::format(" (default: {})", value);
  }
  return text;
}

std::vector<Entry> option_entries(const CLI::App& app, bool positional) {
  std::vector<Entry> entries;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional || option->get_group().empty()) continue;
    entries.emplace_back(usage_of(*option), description_of(*option));
  }
  return entries;
}

std::vector<Entry> command_entries(const CLI::App& app) {
  std::vector<Entry> entries;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // hidden
    entries.emplace_back(command->get_name(), command->get_description());
  }
  // The shared layer adds it first; the program's own commands matter more.
  std::stable_partition(entries.begin(), entries.end(),
                        [](const Entry& entry) { return entry.first != "completion"; });
  return entries;
}

std::string usage_line(const CLI::App& app, const std::string& name) {
  std::string line = "usage: " + name;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_required()) {
      const std::string usage = usage_of(*option);
      line += option->get_required() ? " " + usage : " [" + usage + "]";
    }
  }
  if (!command_entries(app).empty()) line += " COMMAND";
  return line + " [options]\n";
}

/// The program's flags, which each command takes as well.
std::string inherited(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  if (parent == nullptr) return {};
  std::vector<std::string> names;
  for (const CLI::Option* option : parent->get_options()) {
    const bool own = app.get_option_no_throw(option->get_name()) != nullptr;
    if (!own && !option->get_positional()) names.push_back(usage_of(*option));
  }
  if (names.empty()) return {};
  return fmt::format("  and {}: see {} --help\n", fmt::join(names, ", "), parent->get_name());
}

/// The footer that a command inherits has the examples of the whole program: only its own are kept.
std::string footer_of(const CLI::App& app, const std::string& name) {
  const CLI::App* parent = app.get_parent();
  std::string footer = app.get_footer();
  if (parent == nullptr || footer != parent->get_footer()) return footer;
  std::istringstream lines{footer};
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  " + name + " ")) text += "\n" + line;
  }
  return text.empty() ? text : "Examples:" + text;
}

}  // namespace

std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) {
    const std::string type = type_of(option).first;
    return type.empty() ? option.get_name() : type;
  }
  std::string text;
  const auto add = [&](std::string_view dashes, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", dashes, name);
    }
  };
  add("-", option.get_snames());
  add("--", option.get_lnames());
  const std::string type = type_of(option).first;
  if (option.get_items_expected_min() > 0 && !type.empty()) text += " " + type;
  return text;
}

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  std::string text = app->get_description() + "\n\n" + usage_line(*app, name);
  text += section("Arguments", option_entries(*app, true));
  text += section("Commands", command_entries(*app));
  text += section("Options", option_entries(*app, false)) + inherited(*app);
  if (const std::string footer = footer_of(*app, name); !footer.empty())
    text += "\n" + footer + "\n";
  Console page = console_;
  page.columns = std::min(console_.columns == 0 ? usual : console_.columns, widest);
  return page.wrap(text);
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
