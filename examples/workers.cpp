// One idea: several processes, on one host or many, compute the items of one run.
//
//   workers resume --share --store postgres://ann@db.example/work    one owner
//   workers work --store postgres://ann@db.example/work              any number of workers
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <resumable/cli.hpp>
#include <resumable/open_store.hpp>
#include <resumable/postgres_store.hpp>
#include <resumable/resumable.hpp>
#include <resumable/sqlite_store.hpp>

namespace rs = resumable;
namespace cli = resumable::cli;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  rs::Pipeline pipeline{"workers"};
  std::vector<int> samples(200);
  std::iota(samples.begin(), samples.end(), 1);
  const auto all = pipeline.input("samples", samples);
  const auto measured = pipeline.stage("measure", inputs(each(all)), [](int sample) {
    std::this_thread::sleep_for(20ms);  // stands for the real work
    return sample * sample;
  });
  const auto sum = pipeline.stage("sum", inputs(measured), [](const std::vector<int>& values) {
    return rs::Text{std::to_string(std::accumulate(values.begin(), values.end(), 0)) + "\n"};
  });
  pipeline.artifact(sum, "sum.txt");

  std::string url = "sqlite:workers.db";
  rs::ResumeOptions options{.run = "samples", .artifact_folder = "workers-output"};
  rs::WorkOptions work_options;
  cli::OutputOptions output;
  cli::Console console = cli::Console::detect();
  CLI::App app{"Adds up 200 measurements.", "workers"};
  cli::add_program_flags(app, console, "1.0");
  app.add_option("--store", url, "where the checkpoints are: sqlite:FILE, postgres://…");
  app.fallthrough();  // --store may stand behind the command
  CLI::App* resume = app.add_subcommand("resume", "begin or continue the run");
  cli::add_resume_flags(*resume, options, output);
  cli::add_share_flag(*resume, options);
  CLI::App* work = app.add_subcommand("work", "compute items of runs that other processes own");
  cli::add_work_flags(*work, work_options, output);
  CLI::App* status = app.add_subcommand("status", "print where it is, and who computes what");
  cli::add_status_flags(*status, output);

  return cli::run(app, argc, argv, console, [&] {
    const auto store = rs::open_store(
        url, {{"sqlite", rs::open_sqlite_store}, {"postgres", rs::open_postgres_store}},
        rs::CreateStore::if_absent);
    if (*work) return cli::work(console, pipeline, *store, work_options, output);
    if (*status) return cli::status(console, pipeline, *store, "samples", output, {});
    return cli::resume(console, pipeline, *store, options, output);
  });
}
