#include "record/requests.hpp"

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/text.hpp"
#include "plan/choices.hpp"

namespace resumable::record {

using ordered_json = core::OrderedJson;
using plan::Accepted;
using plan::Request;
using What = plan::Request::What;

namespace {

constexpr std::string_view names[] = {"redo", "from", "fresh", "accept", "pin", "ignore"};

std::string name_of(What what) { return std::string{core::name_in<What::ignore>(names, what)}; }

std::optional<What> what_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<What>(i);
  }
  return std::nullopt;
}

ordered_json json_of(const Accepted& one) {
  ordered_json json{{"item", one.item},
                    {"made", one.made.hex()},
                    {"revision", one.revision},
                    {"identity", one.identity.hex()},
                    {"fingerprint", one.fingerprint.hex()},
                    {"code", one.code}};
  if (!one.at.empty()) json["at"] = one.at;
  auto& inputs = json["inputs"] = ordered_json::object();
  for (const core::InputIdentity& input : one.inputs) inputs[input.name] = input.identity.hex();
  return json;
}

Digest digest_in(const ordered_json& json, const char* name) {
  return Digest::parse(json.value(name, std::string{})).value_or(Digest{});
}

Accepted accepted_of(const ordered_json& json) {
  Accepted one{.item = json.value("item", std::string{}),
               .made = digest_in(json, "made"),
               .revision = json.value("revision", 0U),
               .identity = digest_in(json, "identity"),
               .inputs = {},
               .fingerprint = digest_in(json, "fingerprint"),
               .code = json.value("code", 0U),
               .at = json.value("at", std::string{})};
  const ordered_json inputs = json.value("inputs", ordered_json::object());
  for (const auto& [name, identity] : inputs.items()) {
    one.inputs.push_back({name, digest_in(inputs, name.c_str())});
  }
  return one;
}

}  // namespace

core::Key request_key(const detail::Graph& graph, const Request& request) {
  std::string id = name_of(request.what) + ".";
  if (request.what != What::fresh) id += graph.nodes[request.node].name;
  // Names have no ':', so that a stage's trigger cannot be mistaken for an item.
  if (!request.item.empty()) id += "." + request.item;
  if (!request.trigger.empty()) id += ":" + request.trigger;
  return core::own_key("request", id);
}

std::string encode_request(const detail::Graph& graph, const Request& request) {
  const std::string stage =
      request.what == What::fresh ? std::string{} : graph.nodes[request.node].name;
  ordered_json json{{"what", name_of(request.what)}};
  if (!is_choice(request)) {
    json["stage"] = stage;
    json["item"] = request.item;
    return json.dump();
  }
  // Not as `stage`: an older library that does not know this request would take it for a redo.
  json["of"] = {{"stage", stage}, {"item", request.item}};
  if (!request.trigger.empty()) json["of"]["trigger"] = request.trigger;
  if (request.off) json["off"] = true;
  for (const Accepted& one : request.accepted)
    core::list_in(json, "accepted").push_back(json_of(one));
  return json.dump();
}

std::optional<Request> decode_request(const detail::Graph& graph, std::string_view bytes,
                                      std::uint64_t fence) {
  const auto json = ordered_json::parse(bytes, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto what = what_of(json.value("what", std::string{}));
  if (!what) return std::nullopt;
  Request request{*what, 0, {}, fence};
  const ordered_json of = is_choice(request) ? json.value("of", ordered_json::object()) : json;
  request.item = of.value("item", std::string{});
  request.trigger = of.value("trigger", std::string{});
  request.off = json.value("off", false);
  if (*what != What::fresh) {
    const auto stage = of.value("stage", std::string{});
    if (!graph.records(stage)) return std::nullopt;
    request.node = static_cast<std::uint32_t>(graph.find(stage));
    if (!is_stage(graph.nodes[request.node])) return std::nullopt;
  }
  for (const auto& one : json.value("accepted", ordered_json::array())) {
    request.accepted.push_back(accepted_of(one));
  }
  return request;
}

}  // namespace resumable::record
