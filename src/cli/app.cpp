#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <ostream>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/completion.hpp"
#include "cli/console.hpp"
#include "cli/help.hpp"
#include "core/text.hpp"
#include "resumable/cli.hpp"
#include "resumable/error.hpp"
#include "resumable/version.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

constexpr const char* completion = "completion";

/// The innermost command that was given, or the program itself.
const CLI::App& innermost(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : innermost(*given.back());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string guess = core::did_you_mean(word, known);
  return guess.empty() ? std::string{} : fmt::format(". Did you mean '{}'?", guess);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// The flags that `app` takes, those of its parents included.
std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
    for (const CLI::Option* option : at->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

/// CLI11 reports an unknown command as a missing one, without naming it.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& at = innermost(app);
  const std::vector<std::string> left = app.remaining(true);
  if (left.empty()) return error.what();
  const std::string& word = left.front();
  const std::string shown = core::printable(word);
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("unknown option '{}' of {}{}", shown, full_name(at),
                       suggestion(name, flag_names(at)));
  }
  if (&at == &app && !command_names(app).empty()) {
    return fmt::format("unknown command '{}' of {}{}", shown, full_name(at),
                       suggestion(word, command_names(app)));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  return fmt::format("unexpected argument '{}' of {}", shown, full_name(at));
}

int report_usage(const CLI::App& app, const CLI::ParseError& error, Console& console) {
  if (error.get_exit_code() == 0) {  // --help, --version
    const bool help = dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr;
    console.out << (help ? app.help() : std::string{error.what()} + "\n");
    return 0;
  }
  const CLI::App& at = innermost(app);
  if (&at == &app && app.remaining(true).empty() && !command_names(app).empty()) {
    console.err << app.help() << console.wrap("\nerror: a command is required\n");
    return 2;
  }
  console.err << console.wrap(
      fmt::format("error: {}\n  next  {} --help\n", usage_error(app, error), full_name(at)));
  return 2;
}

int parse_and_call(CLI::App& app, int argc, const char* const* argv, Console& console,
                   FunctionRef<int()> command) {
  try {
    app.parse(argc, argv);
    if (const CLI::App& given = innermost(app); given.get_name() == completion) {
      console.out << completion_script(app, given["shell"]->as<std::string>());
      return 0;
    }
    return command();
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, console);
  } catch (const Error& error) {
    console.err << console.wrap(core::escaped(error.explain(flags_of(console)))) << "\n";
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    console.err << console.wrap(core::escaped(fmt::format("error: {}\n", error.what())));
    return 1;
  }
}

/// A stream does not report what it could not write; this checks it once for all commands.
int check_output(Console& console, int code) {
  errno = 0;
  console.out.flush();
  const int cause = errno;
  if (console.out.good()) return code;
  // A reader that closes the pipe, such as `| head`, has what it wanted.
  if (cause != EPIPE) {
    console.err << "error: the output cannot be written"
                << (cause == 0 ? "" : ": " + std::generic_category().message(cause)) << "\n";
  }
  return code == 0 || code == 5 ? 1 : code;
}

void prepare(CLI::App& app, const std::shared_ptr<CLI::FormatterBase>& help) {
  app.fallthrough();  // so that the program's flags may also come after the command
  app.formatter(help);
  for (CLI::App* command : app.get_subcommands({})) prepare(*command, help);
}

}  // namespace

void add_program_flags(CLI::App& app, Console& console, std::string_view version) {
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "print this help");
  if (!version.empty()) {
    app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), version),
                         "print the version");
  }
  app.add_flag_callback(
      "--color", [&console] { console.color = true; },
      "use colours, also where there is no terminal");
  app.add_flag_callback(
      "--no-color", [&console] { console.color = false; }, "use no colours");
  app.add_flag_callback(
      "--ascii", [&console] { console.ascii = true; }, "use ASCII symbols only");
  app.add_subcommand(completion, "print a script that completes commands and flags in a shell")
      ->add_option("shell", "bash, zsh or fish")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

std::string library_version() {
  return fmt::format("{}.{}.{}", RESUMABLE_VERSION_MAJOR, RESUMABLE_VERSION_MINOR,
                     RESUMABLE_VERSION_PATCH);
}

int run(CLI::App& app, int argc, const char* const* argv, Console& console,
        FunctionRef<int()> command) {
  try {
    prepare(app, std::make_shared<Help>(console));
    console.app = &app;
    return check_output(console, parse_and_call(app, argc, argv, console, command));
  } catch (const std::bad_alloc&) {  // from the command, or from a message about something else
    return report_no_memory(console);
  }
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
