// The flags, and what each command prints.
#include "insights/commands.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <ostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <resumable/error.hpp>

#include "insights/api.hpp"
#include "insights/call.hpp"
#include "insights/pipeline.hpp"
#include "insights/server.hpp"
#include "program/store.hpp"

namespace insights {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;
using std::chrono::milliseconds;

struct CommandLine {
  std::string file = "-";
  program::Place place{};
  CallOptions call{.reserve = milliseconds{-1}};  ///< -1: not said
  model::Choice provider{};
  std::string job;
  int port = 8080;
  milliseconds ttl = std::chrono::hours{24};
  bool until_done = false;
  bool dry_run = false;
  resumable::cli::OutputOptions output{};
};

/// What new jobs have, and how long a call may take: the same for one call and for a server's.
void add_calling(CLI::App& command, CommandLine& args) {
  program::add_store_flags(command, args.place, "jobs");
  command
      .add_option("--data", args.call.data,
                  "for new jobs: a .csv or .tsv file, or a folder of them")
      ->type_name("PATH");
  model::add_provider_flags(command, args.provider);
  cli::add_time_option(command, "--ttl", args.ttl,
                       "for new jobs: how long they are kept after their last save [24h]");
  cli::add_time_option(command, "--budget", args.call.budget,
                       "how long a call may take, 0: no limit [60s]");
  cli::add_time_option(
      command, "--reserve", args.call.reserve,
      "how long before its end a call saves and stops [5s, or a quarter of a budget below 20s]");
  cli::add_time_option(command, "--wait", args.call.wait,
                       "how long to wait for another process on the job");
  model::add_terms_flags(command, args.call.terms);
  command
      .add_option_function<unsigned>(
          "--pace", [&](unsigned ms) { args.call.pace = milliseconds{ms}; },
          "milliseconds that each turn takes at least")
      ->type_name("MS");
}

CallOptions options_of(const CommandLine& args, const resumable::Stop& stop) {
  CallOptions options = args.call;
  if (options.budget == milliseconds{0}) options.reserve = milliseconds{0};
  if (options.reserve < milliseconds{0})
    options.reserve = std::min(milliseconds{5000}, options.budget / 4);
  if (options.budget > milliseconds{0} && options.reserve >= options.budget) {
    throw BadRequest("--reserve is a part of --budget, so it has to be shorter");
  }
  options.defaults = {args.provider.name("quote"),
                      std::chrono::duration_cast<std::chrono::seconds>(args.ttl).count()};
  options.stop = stop;
  return options;
}

void add_request(CLI::App& app, CommandLine& args) {
  auto* request = app.add_subcommand("request", "a JSON request in, a JSON answer out");
  request->add_option("file", args.file, "the request; - reads standard input")
      ->capture_default_str()
      ->type_name("FILE");
  add_calling(*request, args);
  request->add_option("--job", args.call.job_id, "for a new job: its id (default: a new one)")
      ->type_name("ID");
  request->add_flag("--until-done", args.until_done, "repeat the call until there is an answer");
  request->add_option("--events", args.call.events, "append every event to FILE")
      ->type_name("FILE");
}

CLI::App* add_serve(CLI::App& app, CommandLine& args) {
  auto* serve = app.add_subcommand("serve", "requests and answers by HTTP, until it is stopped");
  add_calling(*serve, args);
  serve->add_option("--port", args.port, "the port; 0: pick a free one and print it")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  return serve;
}

class Program {
 public:
  Program(CommandLine& arguments, cli::Console& console, std::istream& in, Jobs::Now now)
      : args_(arguments), console_(console), in_(in), now_(std::move(now)) {}

  int request() {
    program::Store store{args_.place};
    Jobs jobs{store, now_};
    const rs::StopOnSignal signals{SIGHUP, SIGINT, SIGTERM};
    const CallResult result = answer(store, jobs, signals.stop());
    console_.out << answer_json(result) << std::endl;
    const bool unfinished = result.error == "insights_timeout" ||
                            result.error == "insights_interrupted" ||
                            result.error == "insights_failed";
    if (unfinished && result.can_resume()) {
      console_.err << fmt::format("  next  {}\n", resume_command(result.job_id));
    }
    if (result.insights && result.insights->outcome == "max_iterations") {
      console_.err << fmt::format(
          "  note  the limit of {} (maxIterations) was reached {}\n",
          number_of(result.insights->turns, "turn"),
          result.insights->is_in_vain()
              ? "without a call of a tool or an answer in JSON\n"
                "  next  a new request with another model, or with a higher --max-tokens if its "
                "replies were cut off"
              : "before the model had finished\n  next  a new request with a higher one");
    }
    return result.exit_code;
  }

  int serve() {
    const rs::StopOnSignal signals{SIGHUP, SIGINT, SIGTERM};
    if (args_.call.data.empty()) {
      throw rs::Error(rs::Errc::bad_option,
                      {.what = "the jobs of a server need readings",
                       .next = "name a .csv or .tsv file, or a folder of them, by --data"});
    }
    insights::serve(args_.place, options_of(args_, signals.stop()), now_, args_.port,
                    [&](const std::string& url) {
                      console_.out << fmt::format("listening on {}\n", url) << std::flush;
                    });
    return 0;
  }

  int status() {
    program::Store store{args_.place};
    const Jobs jobs{store, now_};
    const auto job = jobs.find(args_.job);
    if (!job) {
      const auto when = jobs.expired_at(args_.job);
      throw rs::Error(
          rs::Errc::unknown_run,
          {.what =
               when ? fmt::format("the job {} expired at {} and was removed", args_.job, *when)
                    : fmt::format("there is no job {} in {}", args_.job, args_.place.checkpoints()),
           .next = "insights list" + args_.place.flags()});
    }
    const bool refused = job->is_lost() || job->is_newer();
    const int code = refused ? 3 : args_.output.exit_code && !job->finished ? 5 : 0;
    if (args_.output.json) {
      console_.out << job_json(*job) << "\n";
      return code;
    }
    console_.out << job_line(*job, jobs.is_expired(*job)) << "\n";
    if (!job->unreadable.empty()) {
      console_.out << unreadable_text(*job, resume_command(job->id));
      return code;
    }
    const InsightsPipeline pipeline{std::nullopt, {}, {}};
    return cli::status(console_, pipeline.pipeline(), store, job->id, args_.output,
                       {resume_command(job->id)});
  }

  int list() {
    program::Store store{args_.place};
    const Jobs jobs{store, now_};
    const std::vector<Job> all = jobs.list();
    for (const Job& job : all) {
      console_.out << (args_.output.json ? job_json(job) : job_line(job, jobs.is_expired(job)))
                   << "\n";
    }
    if (!args_.output.json)
      console_.out << fmt::format("{} in {}\n", number_of(std::ssize(all), "job"),
                                  args_.place.checkpoints());
    return 0;
  }

  int clean() {
    program::Store store{args_.place};
    Jobs jobs{store, now_};
    std::int64_t removed = 0;
    for (const Cleaned& job : jobs.clean(args_.dry_run)) {
      const char* what = !job.removed ? "kept" : args_.dry_run ? "would remove" : "removed";
      removed += job.removed ? 1 : 0;
      console_.out << fmt::format("{} {}: {}\n", what, job.id, job.why);
    }
    console_.out << fmt::format("{} {}\n", args_.dry_run ? "would remove" : "removed",
                                number_of(removed, "job"));
    return 0;
  }

 private:
  CallResult answer(rs::CheckpointStore& store, Jobs& jobs, const rs::Stop& stop) {
    try {
      CallOptions options = options_of(args_, stop);
      if (console_.interactive) options.display = cli::display_options(console_, stop);
      const Incoming incoming = read_request(read(), options.defaults);
      if (incoming.fresh && args_.call.data.empty()) {
        throw BadRequest(
            "a new job needs readings: --data names a .csv or .tsv file, or a folder of them");
      }
      Caller caller{store, jobs, console_.err};
      return args_.until_done ? caller.call_until_done(incoming, options)
                              : caller.call(incoming, options);
    } catch (const BadRequest& error) {
      return {.exit_code = 2,
              .error = "bad_request",
              .message = error.what(),
              .budget = args_.call.budget};
    }
  }

  [[nodiscard]] std::string read() const {
    std::ifstream file;
    const bool is_named = args_.file != "-";
    if (is_named) file.open(std::filesystem::is_directory(args_.file) ? "" : args_.file);
    std::istream& from = is_named ? file : in_;
    if (from) return {std::istreambuf_iterator<char>{from}, {}};
    throw BadRequest(fmt::format("the request {} cannot be read", args_.file));
  }

  [[nodiscard]] std::string resume_command(const std::string& job) const {
    return fmt::format(R"(echo '{{"resumeJobId":"{}"}}' | insights request{})", job,
                       args_.place.flags() + args_.call.terms.flags());
  }

  CommandLine& args_;
  cli::Console& console_;
  std::istream& in_;
  Jobs::Now now_;
};

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console, std::istream& in,
            Jobs::Now now) {
  CLI::App app{
      "Finds out what the readings of a table show, turn by turn, in calls of limited time: what "
      "one call saved, the next continues with."};
  app.name("insights");
  app.footer(
      "Examples:\n"
      "  insights request FILE --data PATH    a new job, or the one that FILE names\n"
      "  insights serve --data PATH           the same by HTTP\n"
      "  insights list                        all jobs\n"
      "  insights clean --dry-run             what would be removed");
  cli::add_program_flags(app, console, cli::library_version());
  CommandLine args;
  Program program{args, console, in, std::move(now)};
  add_request(app, args);
  auto* serve = add_serve(app, args);
  auto* status = app.add_subcommand("status", "where a job is; changes nothing");
  status->add_option("job", args.job, "the job")->required()->type_name("ID");
  program::add_store_flags(*status, args.place, "jobs");
  cli::add_status_flags(*status, args.output);
  auto* list = app.add_subcommand("list", "all jobs, the newest first; changes nothing");
  program::add_store_flags(*list, args.place, "jobs");
  cli::add_list_flags(*list, args.output);
  auto* clean = app.add_subcommand("clean", "remove jobs whose time to live is over");
  program::add_store_flags(*clean, args.place, "jobs");
  clean->add_flag("--dry-run", args.dry_run, "say what would be removed, remove nothing");
  return cli::run(app, argc, argv, console, [&] {
    if (app.got_subcommand(serve)) return program.serve();
    if (app.got_subcommand(status)) return program.status();
    if (app.got_subcommand(list)) return program.list();
    if (app.got_subcommand(clean)) return program.clean();
    return program.request();
  });
}

}  // namespace insights
