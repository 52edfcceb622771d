#include "resumable/detail/codec_errors.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/exception_text.hpp"
#include "value/shape.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

/// `of memo.research`, or nothing.
std::string of_schema(const SchemaRange& range) {
  return range.name.empty() ? std::string() : fmt::format(" of {}", range.name);
}

std::string known(const SchemaRange& range) {
  if (range.oldest == range.newest) return fmt::format("version {}", range.newest);
  return fmt::format("versions {} to {}", range.oldest, range.newest);
}

}  // namespace

void require_version(std::uint32_t version, const SchemaRange& range) {
  if (version > range.newest) {
    throw Error(Errc::newer, {.what = fmt::format("saved as version {}{}; this program knows {}",
                                                  version, of_schema(range), known(range)),
                              .kept = "the saved bytes are untouched",
                              .next = "run the program that saved it, or a later one"});
  }
  if (version < range.oldest) {
    throw Error(Errc::no_migration,
                {.what = fmt::format("saved as version {}{}; this program reads {}", version,
                                     of_schema(range), known(range)),
                 .kept = "the saved bytes are untouched",
                 .next = fmt::format("add the migration {} -> {}, or redo the stage", version,
                                     version + 1)});
  }
}

void refuse_codec(Errc code, std::string_view cause) {
  const std::string_view what =
      code == Errc::not_encodable ? "saving the value threw" : "reading the saved bytes threw";
  throw Error(code, {.what = fmt::format("{}: {}", what, cause)});
}

namespace {

/// A message of nlohmann/json without its number: `type must be number, but is string`.
std::string_view without_number(std::string_view cause) {
  const std::size_t end = cause.find("] ");
  return cause.starts_with("[json.exception.") && end != cause.npos ? cause.substr(end + 2) : cause;
}

}  // namespace

void refuse_decode(std::string_view cause, std::string_view text, std::string_view shape,
                   std::string_view element) {
  value::Misfit misfit = value::first_misfit(text, shape);
  const std::string_view said = without_number(cause);
  if (misfit.why.empty()) {
    misfit = {.pointer = std::string(element), .why = "not what the type takes: "};
    misfit.why += said;
  } else if (!said.starts_with("type must be")) {  // which the kinds have said already
    misfit.why += fmt::format(": {}", said);
  }
  throw Error(Errc::not_decodable,
              {.what = misfit.why,
               .path = std::move(misfit.pointer),
               .next = "change the type so that it accepts this, or give its schema a migration"});
}

std::string caught_text() { return core::caught_text(); }

void refuse_migration(const SchemaRange& range, std::uint32_t from) {
  const std::string cause = caught_text();
  throw Error(Errc::not_decodable, {.what = fmt::format("migration {} -> {}{} threw: {}", from,
                                                        from + 1, of_schema(range), cause),
                                    .kept = "the saved bytes are untouched",
                                    .next = "correct the migration"});
}

void refuse_migrated(const SchemaRange& range, std::uint32_t from, const Error& cause) {
  throw Error(Errc::not_decodable,
              {.what = fmt::format("migrated {} -> {}{}: {}", from, range.newest, of_schema(range),
                                   cause.info().what),
               .path = cause.info().path,
               .kept = "the saved bytes are untouched",
               .next = "correct the migrations"});
}

void refuse_migrated_part(const SchemaRange& range, std::uint32_t from) {
  Error cause{Errc::not_decodable, {}};
  try {
    throw;
  } catch (const Error& error) {
    cause = error;
  } catch (...) {
    cause = Error(Errc::not_decodable, {.what = std::string{without_number(caught_text())}});
  }
  refuse_migrated(range, from, cause);
}

void refuse_other_json(const SchemaRange& range) {
  throw Error(Errc::not_decodable,
              {.what = fmt::format("a value{} needs a migration, and is read from a document that "
                                   "is not a resumable::Json",
                                   of_schema(range)),
               .kept = "the saved bytes are untouched",
               .next = "read it from a nlohmann::json"});
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
