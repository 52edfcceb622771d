#include "inspector/man.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/help.hpp"
#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// roff reads a leading dot or quote as a command, and a hyphen as one that may be broken at.
std::string roff(std::string_view text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string options_of(const CLI::App& app, bool positional) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional || option->get_group().empty()) continue;
    if (app.get_parent() != nullptr && option->get_name() == "--help") continue;
    text += fmt::format(".TP\n.B {}\n{}\n", roff(cli::usage_of(*option)),
                        roff(option->get_description()));
  }
  return text;
}

std::string command_text(const CLI::App& command) {
  return fmt::format(".SS {}\n{}.\n{}{}", roff(command.get_name()), roff(command.get_description()),
                     options_of(command, true), options_of(command, false));
}

std::string examples_of(const CLI::App& app) {
  const std::string footer = app.get_footer();
  std::string text = ".nf\n";
  std::size_t at = footer.find('\n');
  while (at != footer.npos) {
    const std::size_t end = std::min(footer.find('\n', at + 1), footer.size());
    text += roff(footer.substr(at + 1, end - at - 1)) + "\n";
    at = end < footer.size() ? end : footer.npos;
  }
  return text + ".fi\n";
}

constexpr const char* rest =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\ndone\n"
    ".TP\n.B 1\nthe store failed, or the output could not be written\n"
    ".TP\n.B 2\nusage: an unknown command, flag, store, run or stage\n"
    ".TP\n.B 3\nsomething is damaged, or resuming is refused\n"
    ".TP\n.B 4\nanother process owns the run (commands that write)\n"
    ".TP\n.B 5\nwork is left (status and plan with \\-\\-exit\\-code)\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B RESUMABLE_STORE\nthe store that is meant when \\-\\-store is not given\n"
    ".TP\n.B NO_COLOR\nset and not empty: no colours, unless \\-\\-color is given\n"
    ".TP\n.B COLUMNS\nthe width at which lines are wrapped\n";

}  // namespace

std::string man_page(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string text = fmt::format(
      ".TH {0} 1 \"\" \"{1} {2}\" \"User Commands\"\n"
      ".SH NAME\n{1} \\- look at the runs of a store\n"
      ".SH SYNOPSIS\n.B {1}\n.I COMMAND\n[options]\n"
      ".SH DESCRIPTION\n{3}\n.SH COMMANDS\n",
      upper, roff(name), cli::library_version(), roff(app.get_description()));
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) text += command_text(*command);
  }
  text += ".SH OPTIONS\n" + options_of(app, false);
  return text + ".SH EXAMPLES\n" + examples_of(app) + rest;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
