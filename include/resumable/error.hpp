/// @file
/// What the library throws, and what a Report has if a run could not continue.
///
/// An error says what happened, where, why, what was kept and what to do now. Compare code(), never
/// text. Outcomes of a run (interrupted, waiting, a failed stage) are values in Report.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "resumable/advice.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// Every way in which the library can refuse or fail, grouped by what the caller can do.
/// The numbers are frozen: they are written into events and logs.
enum class Errc {
  // Fix the program.
  duplicate_name = 1,  ///< two stages, inputs, items or steps share one name
  bad_name = 2,        ///< a name is empty, too long or has characters that names may not have
  foreign_handle = 3,  ///< a handle of another pipeline, or one that refers to no stage
  path_conflict = 4,   ///< two stages, or two items, export to one path
  bad_option = 5,      ///< an option is out of its range or contradicts another
  no_value = 6,        ///< the stage has no value in this run
  unknown_stage = 7,   ///< a selector names nothing in the pipeline
  unknown_run = 8,     ///< the run does not exist in this store
  missing_input = 9,   ///< an input has neither a given nor a recorded value
  plan_outdated = 10,  ///< the run has changed since the plan was made

  // Fix the value or its type.
  not_encodable = 20,  ///< the value cannot be saved exactly (NaN, …): see ErrorInfo::path
  not_decodable = 21,  ///< saved bytes do not yield the value exactly: see ErrorInfo::path
  shape_changed = 22,  ///< the type's JSON shape changed without a new schema version
  too_large = 23,      ///< a limit of the format, or of read_all(), was exceeded

  // Fix the machine, then run again.
  store_failed = 40,   ///< writing failed; the store is as it was before
  unreadable = 41,     ///< something exists but cannot be read; it is not treated as absent
  source_failed = 42,  ///< an input's file or folder cannot be read, or is empty

  stage_failed = 43,  ///< a stage's function failed: StageReport::error has what it threw

  outcome_unknown = 44,  ///< a commit may have happened or not; resuming the run finds out
  cancelled = 45,        ///< a stop token or a deadline ended a call to a store; nothing changed

  // Wait, or stop another process.
  busy = 60,    ///< another process owns the run
  fenced = 61,  ///< a newer owner has taken over the run; this one may no longer write
  forked = 62,  ///< a store or lease was used in a child of the process that opened it

  // Upgrade or migrate.
  newer = 80,          ///< written by a newer layout or schema; untouched
  no_migration = 81,   ///< no chain of migrations leads from the saved schema to today's
  codec_changed = 82,  ///< saved with another codec, from which there is no conversion

  // Look at the files.
  damaged = 100,  ///< bytes are not those that were written
  foreign = 101,  ///< the run or the file belongs to another run, pipeline or program
  edited = 102,   ///< an edit cannot be read, or an unknown file is in the place of an exported one
};

/// The category of Errc. Its messages are short forms of the texts above.
[[nodiscard]] RESUMABLE_EXPORT const std::error_category& category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(Errc code) noexcept {
  return {static_cast<int>(code), category()};
}

/// The enumerator's name, as events and JSON say it: `not_encodable`.
[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(Errc code) noexcept;

/// The facts behind an Error. Empty fields do not apply.
struct ErrorInfo {
  std::string what{};            ///< one sentence: what happened, to which stage or run
  std::string run{};             ///< run id
  std::string stage{};           ///< stage name
  std::string item{};            ///< item key
  std::string operation{};       ///< the call that failed: "rename", "fsync", "decode"
  std::string file{};            ///< full path of the file concerned
  std::string path{};            ///< JSON pointer inside a value
  std::string kept{};            ///< what was kept, and what is untouched
  std::string next{};            ///< what to do now, in words
  std::vector<Advice> advice{};  ///< the options that do it
  std::error_code cause{};       ///< the operating system's error
};

/// A programming error, a refusal to touch data, or a store that failed.
/// Cheap to copy; copying does not throw.
class RESUMABLE_EXPORT Error : public std::system_error {
 public:
  Error(Errc code, ErrorInfo info);
  Error(const Error&) noexcept;
  Error& operator=(const Error&) noexcept;
  ~Error() override;

  [[nodiscard]] Errc errc() const noexcept { return static_cast<Errc>(code().value()); }
  [[nodiscard]] const ErrorInfo& info() const noexcept { return *info_; }
  /// The sentence, the file and the cause in one line.
  [[nodiscard]] const char* what() const noexcept override;
  /// The text to show to a user: `error: …`, then `  file …`, `  kept …`, `  next …` with the
  /// options as `write` puts them.
  [[nodiscard]] std::string explain(AdviceWriter write = as_code) const;
  /// The exit code for a program that ends with this error: 1 the store failed, 2 usage, 3 refused
  /// to touch data, 4 another owner. See README.
  [[nodiscard]] int exit_code() const noexcept;

 private:
  std::shared_ptr<const ErrorInfo> info_;
  std::shared_ptr<const std::string> line_;
};

}  // namespace v0
}  // namespace resumable

template <>
struct std::is_error_code_enum<resumable::Errc> : std::true_type {};
