#include "inspector/written.hpp"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

const std::string& word_at(const Request& request, std::size_t place, std::string_view what,
                           std::string_view command) {
  if (place < request.runs.size()) return request.runs[place];
  throw Error(Errc::bad_option,
              {.what = fmt::format("which {}?", what),
               .next = fmt::format("{} {} --help", request.options.program, command)});
}

void finish(const Request& request, const Document& json, const std::string& text) {
  if (request.output.json) {
    print(request.console, json);
  } else {
    request.console.out << request.console.wrap(core::escaped(text));
  }
}

Document written_json(const Request& request, const std::string& run, const CopyResult& result) {
  return {{"schema", 1},
          {"run", run},
          {"dry_run", request.dry_run},
          {"records", result.records},
          {"bytes", result.bytes},
          {"existed", result.existed},
          {"left_out", result.left_out}};
}

std::string_view would(const Request& request) { return request.dry_run ? "would have " : ""; }

std::string written_text(const Request& request, const std::string& done,
                         const CopyResult& result) {
  if (result.existed) return fmt::format("{}: that was done earlier\n", done);
  std::string text =
      fmt::format("{}{}: {}, {}\n", would(request), done, cli::number_of(result.records, "record"),
                  cli::format_size(result.bytes));
  for (const std::string& place : result.left_out) text += fmt::format("  left out {}\n", place);
  return text;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
