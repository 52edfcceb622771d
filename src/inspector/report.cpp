// report: one self-contained HTML file about a run.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "inspector/page_data.hpp"
#include "inspector/report_page.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

constexpr std::string_view first_line = "<!doctype html>\n<!-- A report of `resumable report`.";

/// A script element must not have `</script` or `<!--`, so `<` is written as a JSON escape.
std::string in_script(const std::string& json) {
  std::string text;
  for (const char c : json) {
    switch (c) {
      case '<': text += "\\u003c"; break;
      case '>': text += "\\u003e"; break;
      case '&': text += "\\u0026"; break;
      default: text += c;
    }
  }
  return text;
}

/// `my run` -> `my_run.html`
std::string usual_name(std::string_view run) {
  std::string name;
  for (const char c : run) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.';
    name += plain ? c : '_';
  }
  return name + ".html";
}

/// Only a report is overwritten: the name may be a mistake.
void check_free(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file) || std::filesystem::file_size(file) == 0) return;
  std::ifstream in{file, std::ios::binary};
  std::string begin(first_line.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (in && begin == first_line) return;
  throw Error(Errc::bad_option, {.what = fmt::format("'{}' exists, and is not a report",
                                                     core::printable(file.string())),
                                 .kept = "it was not touched",
                                 .next = "write to another file: --output FILE"});
}

/// Beside its place first, so that no reader finds half a page.
void write(const std::filesystem::path& file, const std::string& page) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  const bool beside = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  std::filesystem::path to = file;
  if (beside) to += ".part";
  errno = 0;
  std::ofstream out{to, std::ios::binary | std::ios::trunc};
  out << page;
  out.close();
  if (!out) {
    const int cause = errno;
    if (beside) std::filesystem::remove(to, error);
    throw Error(Errc::store_failed,
                {.what = fmt::format("'{}' could not be written: {}",
                                     core::printable(file.string()), std::strerror(cause)),
                 .next = "write to another place: --output FILE"});
  }
  if (beside) std::filesystem::rename(to, file);
}

int to_file(Request& request, const RunInfo& run, const PageData& data, const std::string& page) {
  const std::filesystem::path file = request.to.empty() ? usual_name(run.run) : request.to;
  check_free(file);
  write(file, page);
  if (request.output.json) {
    print(request.console, {{"schema", 1},
                            {"run", run.run},
                            {"file", std::filesystem::absolute(file).string()},
                            {"bytes", page.size()},
                            {"stages", data.stages},
                            {"items", data.items}});
    return 0;
  }
  request.console.out << core::printable(file.string()) << "\n";
  request.console.err << request.console.wrap(
      fmt::format("the report of run {} ({}, {}): open it in a browser; it needs no network\n",
                  core::printable(run.run), cli::format_size(page.size()),
                  cli::number_of(data.stages, "stage")));
  return 0;
}

}  // namespace

int report(Request& request) {
  const bool to_out = request.to == "-";
  if (to_out && request.output.json) {
    throw Error(Errc::bad_option, {.what = "--json and --output - exclude each other",
                                   .next = "leave out --json, or write --output FILE"});
  }
  scan_once(request, Scan::headers);
  const RunInfo run = chosen_run(request);
  const PageData data = page_data(request, run);
  const std::string page = page_before_data + in_script(data.json) + page_after_data;
  if (!to_out) return to_file(request, run, data, page);
  request.console.out << page;
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
