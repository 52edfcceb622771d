#include <map>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "inspector/values.hpp"
#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

std::string state_of(const survey::RecordView& record) {
  if (record.quarantined) return "set aside";
  if (record.damage != Damage::none) return "damaged";
  return record.current ? "current" : "earlier";
}

/// All records, one line each.
void print_all(const Request& request, const std::vector<survey::RecordView>& list) {
  std::vector<std::vector<std::string>> rows{
      {"KEY", "KIND", "GENERATION", "STATE", "SAVED", "TOOK", "SIZE", "COST"}};
  for (const survey::RecordView& one : list) {
    const bool known = !one.at.empty();
    rows.push_back({core::printable(one.key), one.kind, std::to_string(one.generation),
                    state_of(one), time_text(request, one.at),
                    known ? core::format_duration(std::chrono::duration<double>{one.seconds}) : "",
                    cli::format_size(one.payload_bytes), core::format_cost(one.cost)});
  }
  request.console.out << request.console.wrap(cli::table(rows));
}

/// Records of one stage or of one kind of the library's own.
struct Group {
  std::string kind{};
  std::size_t records = 0;
  std::size_t current = 0;
  std::size_t damaged = 0;
  std::uint64_t bytes = 0;
};

void print_groups(const Request& request, const std::vector<survey::RecordView>& list) {
  std::map<std::string, Group> groups;
  for (const survey::RecordView& one : list) {
    const bool input = one.path.starts_with("@input/");
    const std::size_t slash = one.path.find('/');
    const bool below = slash != one.path.npos && !input;
    Group& group = groups[below ? one.path.substr(0, slash + 1) : one.path];
    if (group.kind.empty()) group.kind = one.kind;
    ++group.records;
    group.current += one.current ? 1U : 0U;
    group.damaged += one.damage != Damage::none && !one.quarantined ? 1U : 0U;
    group.bytes += one.payload_bytes;
  }
  std::vector<std::vector<std::string>> rows{{"KEY", "KIND", "CURRENT", "EARLIER", "SIZE", ""}};
  for (const auto& [name, group] : groups) {
    rows.push_back({core::printable(name), group.kind, std::to_string(group.current),
                    std::to_string(group.records - group.current - group.damaged),
                    cli::format_size(group.bytes),
                    group.damaged > 0 ? fmt::format("{} damaged", group.damaged) : ""});
  }
  request.console.out << request.console.wrap(cli::table(rows));
}

int show_run(const Request& request, const std::string& run) {
  const bool headers = request.all || request.output.json;
  const auto list =
      survey::records(*request.store, run, headers ? survey::Depth::headers : survey::Depth::heads);
  if (request.output.json) {
    Document json{{"schema", 1}, {"run", run}, {"records", Document::array()}};
    for (const survey::RecordView& one : list) json["records"].push_back(record_json(one));
    print(request.console, json);
    return 0;
  }
  request.all ? print_all(request, list) : print_groups(request, list);
  request.console.err << request.console.wrap(
      fmt::format("{}; {}\n", cli::number_of(list.size(), "record"),
                  request.all ? typed(request, "show", {run, "KEY"}) + " prints one"
                              : typed(request, "show", {run, "--all"}) + " lists each"));
  return 0;
}

/// A codec of a program's own is `codec 64`.
std::string_view without_word(std::string_view codec) {
  return codec.starts_with("codec ") ? codec.substr(6) : codec;
}

std::string header_text(const Request& request, const std::string& run,
                        const survey::RecordView& one) {
  std::string text = fmt::format("{}{}{}, generation {}, {}\n", one.key, cli::dot(request.console),
                                 one.kind, one.generation, state_of(one));
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:9} {}\n", name, value);
  };
  line("saved", time_text(request, one.at) +
                    fmt::format(" in {}, {}",
                                core::format_duration(std::chrono::duration<double>{one.seconds}),
                                cli::number_of(one.attempts, "attempt")));
  if (one.dropped) line("dropped", time_text(request, one.dropped_at) + " after use");
  line("cost", core::format_cost(one.cost));
  line("codec", fmt::format("{}, schema {}, revision {}", without_word(one.codec), one.schema,
                            one.revision));
  line("identity", one.identity);
  for (const auto& [name, identity] : one.inputs)
    line("input", fmt::format("{} {}", name, identity));
  for (const std::string& path : one.exports) line("exports", path);
  line("file", request.store->locate(run, {one.path, one.generation}));
  line("size", cli::format_size(one.payload_bytes));
  return text;
}

int print_raw(const Request& request, const survey::Content& content) {
  std::vector<char> piece(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < content.payload->size();) {
    const std::size_t read = content.payload->read(at, piece);
    if (read == 0) break;
    request.console.out.write(piece.data(), static_cast<std::streamsize>(read));
    at += read;
  }
  return 0;
}

/// A part of a value for a script: a string's text, or JSON.
int print_part(const Request& request, const Document& part) {
  request.console.out << (part.is_string() ? part.get<std::string>() : part.dump()) << '\n';
  return 0;
}

int show_record(const Request& request, const std::string& run) {
  const std::optional<std::uint64_t> generation =
      request.generations.empty() ? std::nullopt : std::optional{request.generations.front()};
  const survey::RecordView found = record_of(request, run, request.selector, generation);
  survey::Content content = content_of(request, run, found);
  if (content.record.dropped && (request.raw || !request.pointer.empty())) {
    throw Error(Errc::no_value, {.what = fmt::format("the value of '{}' was dropped after use",
                                                     core::printable(content.record.key)),
                                 .kept = "what was made of it"});
  }
  const Value value = value_of(request, run, content, request.pointer);
  if (request.raw)
    return request.pointer.empty() ? print_raw(request, content) : print_part(request, *value.json);
  if (request.output.json) {
    Document json{{"schema", 1}, {"run", run}, {"record", record_json(content.record)}};
    if (!request.pointer.empty()) json["pointer"] = request.pointer;
    if (value.json) json["value"] = *value.json;
    if (value.text) json["text"] = *value.text;
    print(request.console, json);
    return 0;
  }
  std::string text = header_text(request, run, content.record) + "\n";
  if (value.json) {
    text += value.json->dump(2, ' ', false, Document::error_handler_t::replace) + "\n";
  } else if (value.text) {
    text += *value.text + (value.text->ends_with('\n') ? "" : "\n");
  } else if (!content.record.dropped) {
    text += fmt::format("{} of codec {}, which this program cannot show: --raw prints them\n",
                        cli::format_size(content.record.payload_bytes),
                        without_word(content.record.codec));
  }
  request.console.out << core::escaped(text);
  return 0;
}

}  // namespace

int show(Request& request) {
  const RunInfo run = chosen_run(request);
  return request.selector.empty() ? show_run(request, run.run) : show_record(request, run.run);
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
