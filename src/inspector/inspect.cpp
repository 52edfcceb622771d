#include <cstdlib>
#include <filesystem>
#include <new>
#include <ostream>

#include <CLI/CLI.hpp>

#include "cli/console.hpp"
#include "inspector/commands.hpp"
#include "inspector/man.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

constexpr const char* examples =
    "Examples:\n"
    "  resumable list --since 7d --state failed   the runs that failed in the last week\n"
    "  resumable status latest                    where the newest run is\n"
    "  resumable show latest memo                 the value of the stage 'memo'\n"
    "  resumable explain latest memo              why it is kept or runs again\n"
    "  resumable diff latest                      what its last changes were\n"
    "  resumable verify                           read everything, name what is damaged\n"
    "  resumable list --store file:output         the runs of a store that is named";

/// The store to use if none is named: the current folder, if it is a store.
std::string usual_store() {
  const char* set = std::getenv("RESUMABLE_STORE");
  if (set != nullptr && *set != '\0') return set;
  std::error_code ignored;
  return std::filesystem::exists(".resumable/store.json", ignored) ? "." : "output";
}

/// `file:DIR, journal:DIR, sqlite:…`: without those that stand in front of another.
std::string kinds_of_stores(const StoreFactories& factories) {
  std::string kinds = "file:DIR, journal:DIR";
  for (const auto& [scheme, factory] : factories) {
    const bool is_new = !scheme.empty() && scheme != "file" && scheme != "journal";
    if (is_new && scheme.find('+') == scheme.npos) kinds += ", " + scheme + ":…";
  }
  return kinds;
}

void add_flags(CLI::App& app, Request& request) {
  app.add_option_function<std::string>(
         "-s,--store",
         [&request](const std::string& url) {
           request.url = url;
           request.url_given = true;
         },
         "the store: " + kinds_of_stores(request.options.stores) +
             " or a path (default: $RESUMABLE_STORE, this folder, or output)")
      ->type_name("URL");
  app.add_flag("--utc", request.utc, "print times in UTC");
  cli::add_time_option(app, "--warn-age", request.warn_age,
                       "warn about a run that is older; 0: never (default: 30d)");
}

std::unique_ptr<CheckpointStore> opened(const Request& request) {
  try {
    return open_store(request.url, request.options.stores);
  } catch (const Error& error) {
    ErrorInfo info = error.info();
    if (std::ranges::count(info.advice, Option::create_store, &Advice::option) == 0) throw;
    info.next += ": --store DIR";
    throw Error(error.errc(), std::move(info));
  }
}

int run_program(int argc, const char* const* argv, Request& request) {
  CLI::App app{
      "Looks at the runs of a store, without the programs that made them. Commands that only read "
      "take no lock and write nothing.",
      request.options.program};
  app.footer(examples);
  cli::add_program_flags(app, request.console, cli::library_version());
  add_flags(app, request);
  for (const Command& command : commands()) {
    command.declare(*app.add_subcommand(command.name, command.what), request);
  }
  auto* man = app.add_subcommand("man", "print the manual page in roff")->group("");
  return cli::run(app, argc, argv, request.console, [&] {
    if (*man) {
      request.console.out << man_page(app);
      return 0;
    }
    if (request.url.empty()) request.url = usual_store();
    request.store = opened(request);
    if (request.options.through) request.store = request.options.through(std::move(request.store));
    for (const Command& command : commands()) {
      if (app.got_subcommand(command.name)) return command.call(request);
    }
    return 2;
  });
}

}  // namespace
}  // namespace inspector

int inspect(int argc, const char* const* argv, const InspectorOptions& options) {
  cli::Console detected = cli::Console::detect();
  cli::Console& console = options.console != nullptr ? *options.console : detected;
  try {
    inspector::Request request{console, options};
    return inspector::run_program(argc, argv, request);
  } catch (const std::bad_alloc&) {  // before there is a command line to parse
    return cli::report_no_memory(console);
  }
}

}  // namespace v0
}  // namespace resumable
