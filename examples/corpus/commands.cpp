#include "corpus/commands.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ostream>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/manage.hpp>
#include <resumable/run_list.hpp>

#include "corpus/arguments.hpp"
#include "corpus/generation.hpp"
#include "corpus/guard.hpp"
#include "corpus/pipeline.hpp"
#include "corpus/standing.hpp"

namespace corpus {
namespace {

namespace rs = resumable;
namespace cli = resumable::cli;

std::string words_in_files(std::size_t words, std::size_t files) {
  return fmt::format("{} words in {} file{}", words, files, files == 1 ? "" : "s");
}

class Corpus {
 public:
  Corpus(Arguments& arguments, cli::Console& console)
      : args_(arguments), console_(console), store_(args_.place) {}

  int generate() {
    const std::filesystem::path folder = store_.artifact_folder(run_);
    rs::ResumeOptions options = options_of_run();
    confirm_rewriting(args_, store_, options, console_);
    Generation generation{store_, folder, settings_of(args_, store_), options, console_.err};
    options.observers = generation.observers();
    const int code = cli::resume(console_, generation.pipeline(), store_, options, args_.output);
    if (code == 0 && !args_.output.json) {
      console_.out << fmt::format(
          "corpus: {}/city_corpus.txt ({})\n", folder.string(),
          words_in_files(generation.metadata().word_count(), generation.metadata().completed()));
    } else if (code == 1 || code > 4) {
      console_.err << program::label_of_command(code) << args_.command("generate")
                   << "   to continue from here\n";
    }
    return code;
  }

  int plan() {
    const CorpusPipeline corpus{settings_of(args_, store_)};
    return cli::plan(console_, corpus.pipeline(), store_, options_of_run(), args_.output);
  }

  /// Makes a former corpus the present one; asks no provider.
  int restore() {
    check_tag();
    const std::string present = restore_former(store_, run_, args_.tag);
    console_.err << fmt::format("note: what '{}' replaces is kept as '{}'; to bring it back: {}\n",
                                args_.tag, present, args_.command("restore " + present));
    const CorpusPipeline corpus{settings_of(args_, store_)};
    if (rs::ResumePlanner{store_}.plan(corpus.pipeline(), options_of_run()).complete()) {
      return generate();  // the files
    }
    console_.err << "  next  " << args_.command("generate") << "   to write its files and go on\n";
    return 0;
  }

  int status() {
    if (!rs::run_state(store_, run_)) return not_begun();
    const CorpusPipeline corpus{settings_of(args_, store_)};
    const rs::Plan plan = rs::ResumePlanner{store_}.plan(corpus.pipeline(), {.run = run_});
    const Standing standing = standing_of(store_, run_, plan);
    std::ostringstream out;
    cli::Console beside{
        out, console_.err, console_.color, console_.ascii, console_.interactive, console_.columns};
    const int code = cli::status(
        beside, corpus.pipeline(), store_, run_, args_.output,
        {pad("plan") + "why each piece is written or not", pad("generate") + "continue from here"});
    if (args_.output.json) {
      print_json(standing, nlohmann::ordered_json::parse(out.str()));
    } else {
      console_.out << out.str() << line_of(standing);
      for (const std::string& former : former_tags(store_, run_)) {
        console_.out << pad("restore " + former) << "bring back what was written over\n";
      }
    }
    return code;
  }

  int list() {
    Settings settings;
    settings.as_recorded = true;
    const CorpusPipeline corpus{settings};
    return cli::list(console_, corpus.pipeline(), store_, args_.output);
  }

 private:
  void check_tag() const {
    std::vector<std::string> there;
    for (const rs::RunTag& tag : rs::run_tags(store_, run_)) there.push_back(tag.name);
    if (std::ranges::find(there, args_.tag) != there.end()) return;
    const std::string has =
        there.empty() ? "" : fmt::format("; it has '{}'", fmt::join(there, "', '"));
    throw rs::Error(rs::Errc::no_value,
                    {.what = fmt::format("'{}' has no former corpus '{}'{}", run_, args_.tag, has),
                     .run = run_,
                     .kept = "nothing was changed",
                     .next = args_.command("status") + "   lists the former corpora"});
  }

  [[nodiscard]] rs::ResumeOptions options_of_run() const {
    rs::ResumeOptions options = args_.options;
    options.run = run_;
    options.artifact_folder = program::recorded_folder(store_, run_);
    options.fresh = options.fresh || args_.no_resume;
    return options;
  }

  int not_begun() {
    if (args_.output.json) {
      print_json({}, {{"schema", 1}, {"run", run_}, {"state", "absent"}});
    } else {
      console_.out << fmt::format("phase init: no corpus '{}' was begun in {}\n\n", run_,
                                  args_.place.checkpoints());
      console_.out << "  " << pad("generate") << "begin it\n"
                   << "  corpus list" << args_.place.flags() << "   names those that there are\n";
    }
    return args_.output.exit_code ? 5 : 0;
  }

  void print_json(const Standing& standing, nlohmann::ordered_json json) {
    json["corpus"] = {{"phase", standing.phase},
                      {"city_name", standing.city_name},
                      {"word_count", standing.word_count()},
                      {"completed", standing.words.size()},
                      {"left", standing.queue.size()},
                      {"queue", standing.queue},
                      {"current_section", standing.current()},
                      {"target_words", standing.target_words},
                      {"start_time", standing.start_time},
                      {"former", former_tags(store_, run_)}};
    console_.out << json.dump() << "\n";
  }

  static std::string line_of(const Standing& standing) {
    std::string line = "\nphase " + standing.phase;
    if (!standing.city_name.empty()) {
      line += fmt::format(": {}, {}", standing.city_name,
                          words_in_files(standing.word_count(), standing.words.size()));
    }
    if (!standing.queue.empty()) {
      line += fmt::format(", {} sections to write", standing.queue.size());
    }
    line += "\n";
    if (!standing.queue.empty()) line += "next section " + standing.current() + "\n";
    if (standing.target_words > 0) line += fmt::format("target {} words\n", standing.target_words);
    if (!standing.start_time.empty()) line += "begun at " + standing.start_time + "\n";
    return line;
  }

  std::string pad(std::string_view name) const {
    return fmt::format("{:<32}  ", args_.command(name));
  }

  Arguments& args_;
  cli::Console& console_;
  program::Store store_;
  std::string run_ = args_.run_id();
};

CLI::Validator whole_number(std::uint64_t least) {
  return {[least](const std::string& text) {
            constexpr std::uint64_t most = 1'000'000'000;
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, number);
            const bool fits =
                read.ec == std::errc{} && read.ptr == end && number >= least && number <= most;
            return fits ? std::string{}
                        : fmt::format("'{}' is no whole number from {} to {}", text, least, most);
          },
          ""};
}

void add_place(CLI::App& command, Arguments& args,
               const std::string& city = "the city whose corpus it is; default: the run 'corpus'") {
  command.add_option("--city", args.city, city)->type_name("NAME");
  program::add_store_flags(command, args.place, "corpora");
}

void add_settings(CLI::App& command, Arguments& args) {
  add_place(command, args, "its name; default: one is invented, in the run 'corpus'");
  command
      .add_option("--target-words", args.target_words,
                  "stop planning sections at this number of words")
      ->check(whole_number(0))
      ->type_name("N");
  command
      .add_option("--section-words", args.section_words,
                  "about how many words a section has; default: 2000")
      ->check(whole_number(1))
      ->type_name("N");
  command.add_option("--outline", args.outline, "default: EuroVoc, 21 domains and 127 sections")
      ->type_name("FILE");
  command
      .add_option("--provider", args.provider,
                  "'offline' (the default: a text generator without a model, for trying) or "
                  "openai:MODEL@URL, any server that speaks /v1/chat/completions; key from "
                  "OPENAI_API_KEY")
      ->check(CLI::Validator(
          [](const std::string& name) {
            const bool known = name == "offline" ||
                               (name.starts_with("openai:") && name.find('@') != std::string::npos);
            return known ? "" : "'" + name + "' is neither offline nor openai:MODEL@URL";
          },
          ""))
      ->type_name("NAME");
  command
      .add_option("--start-time", args.start_time,
                  "for corpus_metadata.json, such as 2026-11-22T06:30:00Z; default: now")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return is_time(text) ? ""
                                 : "'" + text + "' is no time of UTC like 2026-11-22T06:30:00Z";
          },
          ""))
      ->type_name("TIME");
  command.add_flag("--no-resume", args.no_resume, "write everything again, with these settings");
}

void add_generate(CLI::App& app, Arguments& args) {
  auto* generate = app.add_subcommand("generate", "write a corpus, or continue where it stopped");
  add_settings(*generate, args);
  generate->add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->check(whole_number(0))
      ->type_name("MS");
  model::add_terms_flags(*generate, args.terms);
  cli::add_time_option(*generate, "--retry-first", args.retry_first,
                       "how long to wait after a first failure [4s]; then twice as long, at most "
                       "a minute");
  generate->add_flag("--yes", args.yes, "write again what a server was paid for, without asking");
  cli::add_resume_flags(*generate, args.options, args.output);
}

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console) {
  CLI::App app{
      "Writes a corpus of texts about an invented city: a concept, then the sections of 21 "
      "domains. Kill it at any time: generate continues where it stopped.",
      "corpus"};
  app.footer(
      "Examples:\n"
      "  corpus generate --city Yorkbori      write a corpus, or continue it\n"
      "  corpus status --city Yorkbori        where it is\n"
      "  corpus plan --city Yorkbori          what generate would do");
  cli::add_program_flags(app, console, cli::library_version());
  Arguments args;
  add_generate(app, args);
  auto* plan = app.add_subcommand("plan", "print what generate would do, and why; changes nothing");
  add_settings(*plan, args);
  cli::add_plan_flags(*plan, args.options, args.output);
  auto* status = app.add_subcommand("status", "print where a corpus is; changes nothing");
  add_place(*status, args);
  cli::add_status_flags(*status, args.output);
  auto* restore = app.add_subcommand("restore", "bring back a corpus that was written over");
  add_place(*restore, args);
  restore->add_option("tag", args.tag, "as generate named it: former-1")
      ->required()
      ->type_name("TAG");
  auto* list = app.add_subcommand("list", "print all corpora, the newest first; changes nothing");
  program::add_store_flags(*list, args.place, "corpora");
  cli::add_list_flags(*list, args.output);
  return cli::run(app, argc, argv, console, [&] {
    Corpus corpus{args, console};
    if (app.got_subcommand(plan)) return corpus.plan();
    if (app.got_subcommand(status)) return corpus.status();
    if (app.got_subcommand(restore)) return corpus.restore();
    if (app.got_subcommand(list)) return corpus.list();
    return corpus.generate();
  });
}

}  // namespace corpus
