#include "record/small_records.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"

namespace resumable::record {
namespace {

std::string escape(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else {
      text += c;
    }
  }
  return text;
}

std::string unescape(std::string_view text) {
  std::string key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    key += !escaped ? text[i] : text[++i] == 'n' ? '\n' : '\\';
  }
  return key;
}

/// Takes the next line off `bytes`.
std::optional<std::string_view> next_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == bytes.npos) return std::nullopt;
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return line;
}

constexpr std::size_t digest_length = 32;

}  // namespace

std::string encode_failure(const Failure& failure) {
  core::OrderedJson json{{"tried", failure.tried.now},
                         {"total", failure.tried.total},
                         {"final", failure.final},
                         {"usd", failure.tried.cost.usd},
                         {"tokens", failure.tried.cost.tokens},
                         {"message", failure.message}};
  if (!failure.code.empty()) json["code"] = failure.code;
  if (failure.wait.count() > 0) json["wait_ms"] = failure.wait.count();
  return json.dump(-1, ' ', false, core::OrderedJson::error_handler_t::replace);
}

Failure decode_failure(std::string_view bytes) {
  const auto json = core::Json::parse(bytes, nullptr, false);
  Failure failure;
  if (!json.is_object()) return failure;
  failure.final = json.value("final", false);
  failure.tried.now = failure.final ? 0 : json.value("tried", 0U);
  failure.tried.total = json.value("total", 0U);
  failure.tried.cost = {json.value("usd", 0.0), json.value("tokens", std::uint64_t{0})};
  failure.message = json.value("message", std::string{});
  failure.code = json.value("code", std::string{});
  failure.wait = std::chrono::milliseconds{json.value("wait_ms", std::int64_t{0})};
  return failure;
}

std::string encode_run(const RunRecord& run) {
  core::OrderedJson json{{"run", run.run}, {"pipeline", run.pipeline}, {"created", run.created}};
  for (const auto& [fence, build] : run.programs) {
    core::OrderedJson one{{"fence", fence}, {"build", build.program}};
    if (!build.libraries.empty()) one["libraries"] = build.libraries;
    core::list_in(json, "programs").push_back(std::move(one));
  }
  if (run.forked) {
    json["forked"] = {{"run", run.forked->run},
                      {"uid", run.forked->uid},
                      {"stage", run.forked->stage},
                      {"tag", run.forked->tag}};
  }
  if (run.forgotten) json["forgotten"] = *run.forgotten;
  if (!run.labels.empty()) json["labels"] = run.labels;
  if (run.time_to_live.count() > 0) json["ttl_seconds"] = run.time_to_live.count();
  std::string text = json.dump();
  if (!run.graph.empty()) {  // it is JSON already, and can be long
    text.pop_back();
    text.append(",\"graph\":").append(run.graph).append("}");
  }
  return text;
}

RunRecord decode_run(std::string_view bytes) {
  const auto json = core::OrderedJson::parse(bytes, nullptr, false);
  RunRecord run;
  if (!json.is_object()) return run;
  run.run = json.value("run", std::string{});
  run.pipeline = json.value("pipeline", std::string{});
  run.created = json.value("created", std::string{});
  for (const auto& one : json.value("programs", core::OrderedJson::array())) {
    run.programs[one.value("fence", std::uint64_t{0})] = {
        one.value("build", std::string{}),
        one.value("libraries", std::map<std::string, std::string>{})};
  }
  const auto labels = json.value("labels", core::OrderedJson::object());
  for (const auto& [name, value] : labels.items()) run.labels[name] = value.get<std::string>();
  run.time_to_live = std::chrono::seconds{json.value("ttl_seconds", std::int64_t{0})};
  if (const auto graph = json.find("graph"); graph != json.end()) run.graph = graph->dump();
  if (const auto fence = json.find("forgotten");
      fence != json.end() && fence->is_number_unsigned()) {
    run.forgotten = fence->get<std::uint64_t>();
  }
  if (const auto fork = json.find("forked"); fork != json.end() && fork->is_object()) {
    run.forked = {fork->value("run", ""), fork->value("uid", ""), fork->value("stage", ""),
                  fork->value("tag", "")};
  }
  return run;
}

std::string encode_closed(const plan::Closed& closed) {
  nlohmann::ordered_json json{{"reason", closed.reason}, {"by", closed.item}};
  if (closed.is_settled) json["items"] = closed.items;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::shared_ptr<plan::Closed> decode_closed(std::string_view bytes) {
  auto closed = std::make_shared<plan::Closed>();
  try {
    const auto json = nlohmann::json::parse(bytes);
    json.at("reason").get_to(closed->reason);
    json.at("by").get_to(closed->item);
    closed->is_settled = json.contains("items");
    if (closed->is_settled) json.at("items").get_to(closed->items);
  } catch (const nlohmann::json::exception&) {
    return nullptr;
  }
  return closed;
}

std::string encode_items(const plan::ItemList& list) {
  std::string bytes = list.list.hex() + "\n";
  for (std::size_t i = 0; i < list.keys.size(); ++i) {
    bytes.append(list.digests[i].hex()).append(" ").append(escape(list.keys[i])).append("\n");
  }
  return bytes;
}

std::shared_ptr<const plan::ItemList> decode_items(std::string_view bytes) {
  auto list = std::make_shared<plan::ItemList>();
  const auto lines = static_cast<std::size_t>(std::ranges::count(bytes, '\n'));
  list->digests.reserve(lines);
  list->keys.reserve(lines, bytes.size() - std::min(bytes.size(), lines * (digest_length + 2)));
  bool first = true;
  while (!bytes.empty()) {
    const auto line = next_line(bytes);
    if (!line || line->size() < digest_length) return nullptr;
    const auto parsed = Digest::parse(line->substr(0, digest_length));
    if (!parsed) return nullptr;
    if (first) {
      list->list = *parsed;
    } else {
      if (line->size() <= digest_length) return nullptr;
      const std::string_view key = line->substr(digest_length + 1);
      if (key.find('\\') == key.npos) {
        list->keys.push_back(key);
      } else {
        list->keys.push_back(unescape(key));
      }
      list->digests.push_back(*parsed);
    }
    first = false;
  }
  return first || list->find_repeats() ? nullptr : list;
}

std::string encode_enqueued(const std::vector<plan::Enqueued::Element>& elements) {
  if (elements.empty()) return {};
  std::string lines;
  std::string bytes;
  for (const plan::Enqueued::Element& element : elements) {
    lines += fmt::format("{} {} {}\n", element.digest.hex(), element.payload->size(),
                         escape(element.key));
    bytes += read_all(*element.payload) + "\n";
  }
  return lines + "\n" + bytes;
}

std::shared_ptr<plan::Enqueued> decode_enqueued(std::string_view bytes) {
  auto enqueued = std::make_shared<plan::Enqueued>();
  if (bytes.empty()) return enqueued;
  std::vector<std::size_t> sizes;
  for (auto line = next_line(bytes); line != std::string_view{}; line = next_line(bytes)) {
    if (!line || line->size() <= digest_length) return nullptr;
    const auto digest = Digest::parse(line->substr(0, digest_length));
    std::string_view rest = line->substr(digest_length + 1);
    std::size_t size = 0;
    const auto [end, wrong] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    const auto read = static_cast<std::size_t>(end - rest.data());
    if (!digest || wrong != std::errc{} || read >= rest.size()) return nullptr;
    enqueued->elements.push_back({unescape(rest.substr(read + 1)), *digest, nullptr});
    sizes.push_back(size);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (bytes.size() < sizes[i] + 1) return nullptr;
    enqueued->elements[i].payload =
        std::make_shared<StringPayload>(std::string{bytes.substr(0, sizes[i])});
    bytes.remove_prefix(sizes[i] + 1);
  }
  return bytes.empty() ? enqueued : nullptr;
}

}  // namespace resumable::record
