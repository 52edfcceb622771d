#include "memo/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>
#include <resumable/error.hpp>
#include <resumable/file_store.hpp>

#include "memo/outline.hpp"
#include "memo/pipeline.hpp"
#include "memo/source.hpp"

namespace memo {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

/// What the command line said.
struct Arguments {
  std::string company;
  std::string out = "output";
  std::string version;
  std::string sources;
  std::vector<std::string> deck;
  std::string type = "direct";
  std::string mode = "consider";
  std::string provider = "extractive";
  std::string base_url = "https://api.openai.com";
  std::string model = "gpt-4o-mini";
  double min_score = 8.0;
  unsigned pace = 0;
  std::string stage = "finalize";
  cli::RunFlags run;
  cli::LookFlags look;
};

class Memo {
 public:
  Memo(Arguments& arguments, cli::Console& console) : args_(arguments), console_(console) {}

  int run() {
    rs::FileStore store{args_.out};
    check_before_writing(store);
    if (const int code = offer_unfinished(store); code >= 0) return code;
    const std::string run = cli::reserve_version(store, subject());
    console_.err << "new memo: " << run << "\n";
    return go(store, run, settings_for_run(), false);
  }

  int resume() {
    rs::FileStore store{args_.out};
    const std::string run = find(store);
    warn_of_others(store, run);
    return go(store, run, common(), true);
  }

  int plan() {
    rs::FileStore store{args_.out};
    const std::string run = find(store);
    const MemoPipeline memo{common()};
    return cli::plan(console_, memo.pipeline(), store, {.run = run, .must_exist = true},
                     args_.look);
  }

  int status() {
    rs::FileStore store{args_.out};
    const std::string run = find(store);
    const MemoPipeline memo{common()};
    return cli::status(
        console_, memo.pipeline(), store, run, args_.look,
        {pad("plan") + "why each stage runs or not", pad("resume") + "go on from here"});
  }

  int approve() {
    rs::FileStore store{args_.out};
    const std::string run = find(store);
    const MemoPipeline memo{common()};
    const std::string message = rs::approve(memo.pipeline(), store, run, args_.stage, cli::user());
    console_.out << "approved: " << message << "\n"
                 << "  next  " << command("resume") << "\n";
    return 0;
  }

 private:
  std::string subject() const {
    const std::string subject = cli::subject_of(args_.company);
    if (!subject.empty()) return subject;
    throw rs::Error(rs::Errc::bad_name,
                    {.what = "the company's name has no letter or digit",
                     .next = "name the company: memo run Cloudgov --sources DIR"});
  }

  std::string command(std::string_view name) const {
    std::string text = fmt::format(
        "memo {} {}", name,
        args_.company.find(' ') == std::string::npos ? args_.company : "'" + args_.company + "'");
    if (args_.out != "output") text += " --out " + args_.out;
    if (!args_.version.empty() && name != "run") text += " --version " + args_.version;
    return text;
  }
  std::string pad(std::string_view name) const { return fmt::format("{:<32}  ", command(name)); }

  /// Throws for an unknown type or mode, or sources that cannot be read, before anything is
  /// written.
  void check_before_writing(rs::FileStore& store) const {
    const MemoPipeline memo{settings_for_run()};
    static_cast<void>(rs::ResumePlanner{store}.plan(memo.pipeline(),
                                                    {.run = cli::next_version(store, subject())}));
    try {
      static_cast<void>(outline({args_.company, args_.type, args_.mode}));
      static_cast<void>(only(load_sources(args_.sources), args_.deck));
    } catch (const std::exception& error) {
      throw rs::Error(
          rs::Errc::bad_option,
          {.what = error.what(), .kept = "nothing was changed", .next = "memo run --help"});
    }
  }

  Settings common() const {
    Settings settings;
    settings.pace = std::chrono::milliseconds{args_.pace};
    settings.approve_with = command("approve");
    if (!args_.sources.empty()) settings.sources = args_.sources;
    return settings;
  }

  Settings settings_for_run() const {
    Settings settings = common();
    settings.request = Request{args_.company, args_.type, args_.mode};
    settings.deck = args_.deck;
    settings.provider = args_.provider == "openai"
                            ? fmt::format("openai:{}@{}", args_.model, args_.base_url)
                            : args_.provider;
    settings.min_score = args_.min_score;
    return settings;
  }

  int go(rs::FileStore& store, const std::string& run, Settings settings, bool must_exist) {
    const MemoPipeline memo{std::move(settings)};
    const int code = cli::resume(console_, memo.pipeline(), store,
                                 {.run = run, .must_exist = must_exist}, args_.run);
    if (code == 0 && !args_.run.json) {
      console_.out << "memo: " << store.artifact_folder(run) << "/4-final-draft.md\n";
    } else if (code != 0 && code != 2 && code != 3 && code != 4) {
      console_.err << "  next  " << command("resume") << "\n";
    }
    return code;
  }

  static bool unfinished(const cli::Version& version) {
    return version.state != "done" && version.state != "running";
  }

  /// The run that a command is about: the version named, or the latest.
  std::string find(const rs::FileStore& store) const {
    const auto known = cli::versions(store, subject());
    std::vector<std::string> names;
    for (const cli::Version& version : known) {
      names.push_back(version.run);
      if (version.run == subject() + "-" + args_.version) return version.run;
    }
    if (args_.version.empty() && !known.empty()) return known.back().run;
    throw rs::Error(
        rs::Errc::unknown_run,
        {.what = names.empty()
                     ? fmt::format("there is no memo of {} in {}", args_.company, args_.out)
                     : fmt::format("there is no version {} of {}; there are {}", args_.version,
                                   args_.company, fmt::join(names, ", ")),
         .kept = "nothing was changed",
         .next = names.empty() ? command("run") + " --sources DIR" : command("status")});
  }

  /// A person may rather go on with a memo that was begun; -1 when a new one is wanted.
  int offer_unfinished(rs::FileStore& store) {
    const auto known = cli::versions(store, subject());
    for (auto version = known.rbegin(); version != known.rend(); ++version) {
      if (!unfinished(*version)) continue;
      const std::string number = version->run.substr(subject().size() + 1);
      console_.err << fmt::format("note: {} is unfinished ({})\n", version->run, version->state);
      if (cli::ask(console_, "Resume it instead of beginning a new one?")) {
        return go(store, version->run, common(), true);
      }
      console_.err << fmt::format("  next  {} --version {}   to go on with it\n", command("resume"),
                                  number);
      return -1;
    }
    return -1;
  }

  void warn_of_others(const rs::FileStore& store, const std::string& run) {
    std::vector<std::string> others;
    for (const cli::Version& version : cli::versions(store, subject())) {
      if (version.run != run && unfinished(version)) others.push_back(version.run);
    }
    if (others.empty() || !args_.version.empty()) return;
    console_.err << fmt::format(
        "warning: also unfinished: {}; resuming {} (--version names another)\n",
        fmt::join(others, ", "), run);
  }

  Arguments& args_;
  cli::Console& console_;
};

void add_company(CLI::App& command, Arguments& args) {
  command.add_option("company", args.company, "the company that the memo is about")
      ->required()
      ->type_name("COMPANY");
  command.add_option("--out", args.out, "the folder of all memos")
      ->capture_default_str()
      ->type_name("DIR");
}

void add_version(CLI::App& command, Arguments& args) {
  add_company(command, args);
  command.add_option("--version", args.version, "such as v0.0.3; default: the latest")
      ->type_name("V");
}

void add_run(CLI::App& app, Arguments& args) {
  auto* run = app.add_subcommand("run", "begin a new version of a memo");
  add_company(*run, args);
  run->add_option("--sources", args.sources, "a folder of .md, .txt and .yml files")
      ->required()
      ->type_name("DIR");
  run->add_option("--deck", args.deck, "the pitch deck, below the sources (default: profile files)")
      ->type_name("FILE");
  run->add_option("--type", args.type, "direct or fund")->capture_default_str();
  run->add_option("--mode", args.mode, "consider or justify")->capture_default_str();
  run->add_option("--provider", args.provider,
                  "extractive: offline, picks and cites real sentences")
      ->check(CLI::IsMember({"extractive", "openai"}))
      ->capture_default_str();
  run->add_option("--base-url", args.base_url,
                  "openai: any server that speaks /v1/chat/completions; key from OPENAI_API_KEY")
      ->capture_default_str();
  run->add_option("--model", args.model, "openai: the model")->capture_default_str();
  run->add_option("--min-score", args.min_score, "below it a person has to approve")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  run->add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->type_name("MS");
  cli::add_run_flags(*run, args.run);
}

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console) {
  CLI::App app{
      "Writes an investment memo from a folder of sources, in 13 stages. Kill it at any "
      "time: resume goes on where it stopped."};
  app.name("memo");
  app.require_subcommand(1);
  cli::add_console_flags(app, console);
  Arguments args;
  Memo memo{args, console};
  add_run(app, args);
  auto* resume = app.add_subcommand("resume", "go on with a memo where it stopped");
  add_version(*resume, args);
  resume->add_option("--sources", args.sources, "where the sources are now")->type_name("DIR");
  resume->add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->type_name("MS");
  cli::add_run_flags(*resume, args.run);
  auto* plan = app.add_subcommand("plan", "say what resume would do, and why; changes nothing");
  add_version(*plan, args);
  cli::add_plan_flags(*plan, args.look);
  auto* status = app.add_subcommand("status", "say where a memo is; changes nothing");
  add_version(*status, args);
  cli::add_status_flags(*status, args.look);
  auto* approve = app.add_subcommand("approve", "say yes to a memo that waits for a person");
  add_version(*approve, args);
  return cli::run(app, argc, argv, console, [&] {
    if (app.got_subcommand(resume)) return memo.resume();
    if (app.got_subcommand(plan)) return memo.plan();
    if (app.got_subcommand(status)) return memo.status();
    if (app.got_subcommand(approve)) return memo.approve();
    return memo.run();
  });
}

}  // namespace memo
