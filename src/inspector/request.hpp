/// @file
/// What was asked for: the words on the command line, and the store that they name.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/cli.hpp"
#include "resumable/inspector.hpp"
#include "resumable/run_list.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

struct Request {
  Request(cli::Console& given_console, const InspectorOptions& given_options)
      : console(given_console), options(given_options) {}

  cli::Console& console;
  const InspectorOptions& options;
  std::unique_ptr<CheckpointStore> store{};

  // All commands.
  std::string url{};
  bool url_given = false;
  bool utc = false;
  std::chrono::milliseconds warn_age{std::chrono::days{30}};
  cli::OutputOptions output{};

  // Which runs.
  std::vector<std::string> runs{};  ///< ids, patterns, or `latest`
  std::string state{};
  std::string pipeline{};
  std::vector<std::string> labels{};  ///< `name` or `name=value`
  std::chrono::milliseconds since{0};

  // What of a run, and how.
  std::string selector{};
  std::vector<std::uint64_t> generations{};
  std::string pointer{};  ///< to a part of the value
  std::string format = "text";
  bool raw = false;
  bool all = false;
  bool stats = false;
  bool set_aside = false;
  bool artifacts = false;
  bool dry_run = false;
  bool yes = false;

  // Commands that write.
  std::string tag{};
  std::string to{};  ///< another store
  std::string conflicts = "refuse";
  std::string prefix{};
  bool remove_tag = false;
  bool skip_damaged = false;
  std::size_t keep = 2;
  std::optional<std::uint64_t> max_bytes{};
  std::optional<std::chrono::milliseconds> older_than{};
  std::optional<std::chrono::milliseconds> runs_older_than{};
  std::optional<std::chrono::milliseconds> left_older_than{};
  std::optional<std::chrono::milliseconds> set_aside_older_than{};
  std::chrono::milliseconds wait{0};
};

enum class Scan : std::uint8_t { heads, headers };

/// The command will look at one run several times: its store is scanned once, as deep as this says.
void scan_once(Request& request, Scan depth);

/// A command as it is typed for this store: `resumable plan 'my run' --store file:out`.
[[nodiscard]] std::string typed(const Request& request, std::string_view command,
                                const std::vector<std::string>& words = {});

/// The runs that the words and filters of the request name, the newest first.
/// @throws Error{Errc::unknown_run}  a word names none
[[nodiscard]] std::vector<RunInfo> chosen_runs(const Request& request);

/// The one run that a word names; without a word, the only one of the store. Says on the console's
/// err who owns it, and when it is old.
/// @throws Error{Errc::unknown_run}  none, with what there is
/// @throws Error{Errc::bad_option}   several, with the list
/// @throws the error of a run that cannot be read
[[nodiscard]] RunInfo chosen_run(const Request& request, std::size_t word = 0);

/// `2026-11-21 20:44`, local or UTC; `-` when it is not known.
[[nodiscard]] std::string time_text(const Request& request, std::optional<Timestamp> at);
/// The same of a time as records have it.
[[nodiscard]] std::string time_text(const Request& request, std::string_view utc);

/// `state` of a list: that of the run, or why it cannot be read.
[[nodiscard]] std::string state_text(const RunInfo& run);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
