#include "cli/completion.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

struct Flag {
  std::string name;  ///< with its dashes
  std::string what;
  bool takes_value = false;
};

struct Command {
  std::string name;
  std::string what;
  std::vector<Flag> flags;
};

std::vector<Flag> flags_of(const CLI::App& app) {
  std::vector<Flag> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      flags.push_back(
          {"--" + name, option->get_description(), option->get_items_expected_min() > 0});
    }
  }
  return flags;
}

/// The program itself first: it has no name here, and its flags are those of each command, too.
std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands{{"", app.get_description(), flags_of(app)}};
  const std::vector<Flag> shared = commands.front().flags;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // hidden
    std::vector<Flag> flags = flags_of(*command);
    for (const Flag& flag : shared) {
      const auto same = [&](const Flag& own) { return own.name == flag.name; };
      if (std::ranges::none_of(flags, same)) flags.push_back(flag);
    }
    commands.push_back({command->get_name(), command->get_description(), std::move(flags)});
  }
  return commands;
}

std::string names_of(const std::vector<Command>& commands, std::string_view between) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return fmt::format("{}", fmt::join(names, between));
}

std::string flag_names(const std::vector<Flag>& flags, std::string_view between, bool with_value) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    if (!with_value || flag.takes_value) names.push_back(flag.name);
  }
  return fmt::format("{}", fmt::join(names, between));
}

/// A name for a shell function.
std::string function_name(const CLI::App& app) {
  std::string name = "_" + app.get_name();
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return name;
}

/// In single quotes, for any of the three shells; `colons` are escaped for zsh's _describe.
std::string in_quotes(std::string_view text, bool colons = false) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (colons && c == ':') result += '\\';
      result += c;
    }
  }
  return result + "'";
}

/// Finds the command among the words before the cursor, in bash and zsh.
std::string find_command(std::string_view words, const std::vector<Command>& commands) {
  return fmt::format(
      "  local word command=\n"
      "  for word in {}; do\n"
      "    case $word in\n"
      "      {}) command=$word; break ;;\n"
      "    esac\n"
      "  done\n",
      words, names_of(commands, "|"));
}

std::string bash_script(const CLI::App& app) {
  const std::vector<Command> commands = commands_of(app);
  const std::string function = function_name(app);
  std::string text =
      fmt::format("# source <({} completion bash)\n{}() {{\n", app.get_name(), function);
  text += find_command(R"("${COMP_WORDS[@]:1:COMP_CWORD-1}")", commands);
  text +=
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} known=\n"
      "  COMPREPLY=()\n"
      "  case $command in\n";
  for (const Command& command : commands) {
    const std::string values = flag_names(command.flags, "|", true);
    text += fmt::format("    {})\n", command.name.empty() ? "''" : command.name);
    // A flag's value is a file, or nothing that is known here: bash completes file names then.
    if (!values.empty()) text += fmt::format("      case $before in {}) return ;; esac\n", values);
    if (command.name.empty()) {
      text += fmt::format("      known={}\n", in_quotes(names_of(commands, " ")));
    } else if (command.name == "completion") {
      text += "      known='bash zsh fish'\n";
    }
    text += fmt::format("      [[ $current == -* ]] && known={} ;;\n",
                        in_quotes(flag_names(command.flags, " ", false)));
  }
  text += fmt::format(
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$known\" -- \"$current\"))\n"
      "}}\n"
      "complete -o bashdefault -o default -F {} {}\n",
      function, app.get_name());
  return text;
}

std::string zsh_script(const CLI::App& app) {
  const std::vector<Command> commands = commands_of(app);
  const std::string function = function_name(app);
  std::string text = fmt::format("#compdef {0}\n# source <({0} completion zsh)\n{1}() {{\n",
                                 app.get_name(), function);
  text += find_command("${words[2,CURRENT-1]}", commands);
  text += "  local -a commands flags\n  commands=(\n";
  for (const Command& command : commands) {
    if (command.name.empty()) continue;
    text += fmt::format("    {}\n", in_quotes(command.name) + ":" + in_quotes(command.what, true));
  }
  text += "  )\n  case $command in\n";
  for (const Command& command : commands) {
    text += fmt::format("    {}) flags=(\n", command.name.empty() ? "''" : command.name);
    for (const Flag& flag : command.flags) {
      text += fmt::format("      {}\n", in_quotes(flag.name) + ":" + in_quotes(flag.what, true));
    }
    text += "    ) ;;\n";
  }
  text += fmt::format(
      "  esac\n"
      "  if [[ ${{words[CURRENT]}} == -* ]]; then\n"
      "    _describe -o flag flags\n"
      "  elif [[ -z $command ]]; then\n"
      "    _describe command commands\n"
      "  else\n"
      "    _files\n"
      "  fi\n"
      "}}\n"
      "compdef {} {}\n",
      function, app.get_name());
  return text;
}

std::string fish_script(const CLI::App& app) {
  const std::string& program = app.get_name();
  std::string text = fmt::format("# {} completion fish | source\n", program);
  for (const Command& command : commands_of(app)) {
    const std::string condition = command.name.empty()
                                      ? "__fish_use_subcommand"
                                      : "'__fish_seen_subcommand_from " + command.name + "'";
    if (!command.name.empty()) {
      text += fmt::format("complete -c {} -f -n __fish_use_subcommand -a {} -d {}\n", program,
                          command.name, in_quotes(command.what));
    }
    for (const Flag& flag : command.flags) {
      text += fmt::format("complete -c {} -n {} -l {}{} -d {}\n", program, condition,
                          flag.name.substr(2), flag.takes_value ? " -r" : "", in_quotes(flag.what));
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, std::string_view shell) {
  if (shell == "zsh") return zsh_script(app);
  return shell == "fish" ? fish_script(app) : bash_script(app);
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
