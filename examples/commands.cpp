// One idea: a program with commands: resume, plan, status, list, and one of its own.
#include <iostream>

#include <CLI/CLI.hpp>
#include <resumable/cli.hpp>
#include <resumable/resumable.hpp>

namespace rs = resumable;
namespace cli = resumable::cli;

int main(int argc, char** argv) {
  rs::Pipeline pipeline{"greet"};
  const auto name = pipeline.input("name", std::string{"Fernstone"});
  const auto greeting = pipeline.stage("greeting", inputs(name), [](const std::string& who) {
    return rs::Text{"Hello, " + who + "!\n"};
  });
  pipeline.artifact(greeting, "greeting.txt");

  rs::ResumeOptions options{.run = "greeting", .concurrency = 4};  // flags are added to these
  cli::OutputOptions output;
  cli::Console console = cli::Console::detect();
  CLI::App app{"Writes a greeting.", "greet"};
  app.footer("Examples:\n  greet resume --events events.jsonl   with a log of all events");
  cli::add_program_flags(app, console, "1.0");
  auto* resume = app.add_subcommand("resume", "write it, or continue where it stopped");
  cli::add_resume_flags(*resume, options, output);
  auto* plan = app.add_subcommand("plan", "print what resume would do, and why");
  cli::add_plan_flags(*plan, options, output);
  auto* status = app.add_subcommand("status", "print where it is");
  cli::add_status_flags(*status, output);
  auto* list = app.add_subcommand("list", "print all runs");
  cli::add_list_flags(*list, output);
  app.add_subcommand("show", "print the greeting");  // a command of your own

  return cli::run(app, argc, argv, console, [&] {
    rs::FileStore store{"output"};
    if (*resume) return cli::resume(console, pipeline, store, options, output);
    if (*plan) return cli::plan(console, pipeline, store, options, output);
    if (*list) return cli::list(console, pipeline, store, output);
    if (*status) return cli::status(console, pipeline, store, "greeting", output, {"greet resume"});
    const auto saved = rs::Records{store, "greeting"}.stage<rs::Text>("greeting");
    console.out << (saved ? saved->value.text : "nothing was written yet\n");
    return saved ? 0 : 1;
  });
}
