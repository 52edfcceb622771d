#include "resumable/error.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/advice.hpp"
#include "core/text.hpp"

namespace resumable {
inline namespace v0 {
namespace {

const char* text_of(Errc code) noexcept {
  switch (code) {
    case Errc::duplicate_name: return "two things share one name";
    case Errc::bad_name: return "a name is empty, too long or has characters it may not have";
    case Errc::foreign_handle:
      return "a handle of another pipeline, or one that refers to no stage";
    case Errc::path_conflict: return "two stages or items export to one path";
    case Errc::bad_option: return "an option is out of its range or contradicts another";
    case Errc::no_value: return "the stage has no value in this run";
    case Errc::unknown_stage: return "a selector names nothing in the pipeline";
    case Errc::unknown_run: return "the run does not exist in this store";
    case Errc::missing_input: return "an input has neither a given nor a recorded value";
    case Errc::plan_outdated: return "the run has changed since the plan was made";
    case Errc::not_encodable: return "the value cannot be saved exactly";
    case Errc::not_decodable: return "the saved bytes do not give back the value exactly";
    case Errc::shape_changed: return "the type's shape changed without a new schema version";
    case Errc::too_large: return "a limit of the format was exceeded";
    case Errc::stage_failed: return "a stage failed; what was committed is kept";
    case Errc::store_failed: return "writing failed; the store is as it was before";
    case Errc::unreadable: return "something exists but cannot be read";
    case Errc::outcome_unknown: return "it is unknown whether the commit happened";
    case Errc::cancelled: return "a call to a store was ended by its stop token or deadline";
    case Errc::source_failed: return "an input's file or folder cannot be read, or is empty";
    case Errc::busy: return "another process owns the run";
    case Errc::fenced: return "a newer owner has taken over the run";
    case Errc::forked: return "used in a child of the process that opened it";
    case Errc::newer: return "written by a newer layout or schema";
    case Errc::no_migration: return "no chain of migrations leads to today's schema";
    case Errc::codec_changed: return "saved with another codec, from which there is no conversion";
    case Errc::damaged: return "bytes are not those that were written";
    case Errc::foreign: return "it belongs to another run, pipeline or program";
    case Errc::edited: return "an edit cannot be read, or an unknown file is in its place";
  }
  return "unknown error";
}

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "resumable"; }
  [[nodiscard]] std::string message(int code) const override {
    return text_of(static_cast<Errc>(code));
  }
};

// `output/x.ckpt: fsync: No space left on device`, of what there is.
std::string place(const ErrorInfo& info) {
  std::string text = info.file;
  const auto add = [&](const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += ": ";
    text += part;
  };
  add(info.path);
  add(info.operation);
  if (info.cause) add(info.cause.message());
  return text;
}

std::string one_line(Errc code, const ErrorInfo& info) {
  std::string line = info.what.empty() ? text_of(code) : info.what;
  if (const std::string where = place(info); !where.empty()) line += " (" + where + ")";
  return line;
}

}  // namespace

const std::error_category& category() noexcept {
  static const Category instance;
  return instance;
}

Error::Error(Errc code, ErrorInfo info)
    : std::system_error(make_error_code(code)),
      info_(std::make_shared<const ErrorInfo>(std::move(info))),
      line_(std::make_shared<const std::string>(one_line(code, *info_))) {}

Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;
Error::~Error() = default;

const char* Error::what() const noexcept { return line_->c_str(); }

std::string Error::explain(AdviceWriter write) const {
  const ErrorInfo& info = *info_;
  std::string text = "error: " + (info.what.empty() ? text_of(errc()) : info.what);
  const auto add = [&](std::string_view label, const std::string& line) {
    if (!line.empty()) text += fmt::format("\n  {:<4}  {}", label, line);
  };
  add(info.file.empty() ? "at" : "file", place(info));
  add("kept", info.kept);
  add("next", core::with_advice(info.next, info.advice, write));
  return core::escaped(text);  // a stage's exception may have passed on anything
}

std::string_view to_string(Errc code) noexcept {
  switch (code) {
    case Errc::duplicate_name: return "duplicate_name";
    case Errc::bad_name: return "bad_name";
    case Errc::foreign_handle: return "foreign_handle";
    case Errc::path_conflict: return "path_conflict";
    case Errc::bad_option: return "bad_option";
    case Errc::no_value: return "no_value";
    case Errc::unknown_stage: return "unknown_stage";
    case Errc::unknown_run: return "unknown_run";
    case Errc::missing_input: return "missing_input";
    case Errc::plan_outdated: return "plan_outdated";
    case Errc::not_encodable: return "not_encodable";
    case Errc::not_decodable: return "not_decodable";
    case Errc::shape_changed: return "shape_changed";
    case Errc::too_large: return "too_large";
    case Errc::store_failed: return "store_failed";
    case Errc::unreadable: return "unreadable";
    case Errc::outcome_unknown: return "outcome_unknown";
    case Errc::cancelled: return "cancelled";
    case Errc::source_failed: return "source_failed";
    case Errc::stage_failed: return "stage_failed";
    case Errc::busy: return "busy";
    case Errc::fenced: return "fenced";
    case Errc::forked: return "forked";
    case Errc::newer: return "newer";
    case Errc::no_migration: return "no_migration";
    case Errc::codec_changed: return "codec_changed";
    case Errc::damaged: return "damaged";
    case Errc::foreign: return "foreign";
    case Errc::edited: return "edited";
  }
  return "unknown";
}

int Error::exit_code() const noexcept {
  switch (errc()) {
    case Errc::busy: return 4;
    case Errc::store_failed:
    case Errc::outcome_unknown:
    case Errc::cancelled:
    case Errc::fenced:
    case Errc::forked:
    case Errc::stage_failed:
    case Errc::too_large: return 1;
    case Errc::unreadable:
    case Errc::newer:
    case Errc::foreign:
    case Errc::damaged:
    case Errc::edited:
    case Errc::shape_changed:
    case Errc::no_migration:
    case Errc::codec_changed:
    case Errc::not_decodable:
    case Errc::no_value:
    case Errc::plan_outdated: return 3;
    case Errc::duplicate_name:
    case Errc::bad_name:
    case Errc::foreign_handle:
    case Errc::path_conflict:
    case Errc::bad_option:
    case Errc::unknown_stage:
    case Errc::unknown_run:
    case Errc::missing_input:
    case Errc::not_encodable:
    case Errc::source_failed: break;
  }
  return 2;
}

}  // namespace v0
}  // namespace resumable
