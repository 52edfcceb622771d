#include "run/shared_task.hpp"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/graph_record.hpp"
#include "core/json.hpp"
#include "core/key.hpp"
#include "resumable/error.hpp"

namespace resumable::run {
namespace {

using core::Json;
using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

std::string packed(const Json& json) {
  const auto bytes = Json::to_cbor(json);
  return {bytes.begin(), bytes.end()};
}

[[noreturn]] void unreadable(std::string_view what) {
  throw Error(Errc::not_decodable,
              {.what = std::string{what} + " of another process cannot be read",
               .kept = "nothing was changed",
               .next = "run the same build of the program in all processes"});
}

Digest digest_at(const Json& json, const char* name) {
  const auto digest = Digest::parse(json.at(name).get<std::string>());
  if (!digest) throw std::invalid_argument{name};
  return *digest;
}

Json encode_ref(const ArgRef& ref) {
  Json json{{"from", static_cast<unsigned>(ref.from)}};
  switch (ref.from) {
    case ArgRef::From::element: json["place"] = ref.place; [[fallthrough]];
    case ArgRef::From::record:
      json["path"] = ref.path;
      json["generation"] = ref.generation;
      json["schema"] = ref.schema;
      break;
    case ArgRef::From::bytes:
      json["schema"] = ref.schema;
      json["bytes"] = ref.bytes;
      json["schemas"] = ref.schemas;
      break;
    case ArgRef::From::file:
      json["name"] = ref.file.name;
      json["digest"] = ref.file.digest.hex();
      json["size"] = ref.file.bytes;
      json["path"] = ref.file.path.string();
      break;
    case ArgRef::From::program: break;
  }
  return json;
}

ArgRef decode_ref(const Json& json) {
  ArgRef ref;
  ref.from = static_cast<ArgRef::From>(json.at("from").get<unsigned>());
  if (ref.from > ArgRef::From::program) throw std::invalid_argument{"from"};
  ref.place = json.value("place", std::size_t{0});
  ref.generation = json.value("generation", std::uint64_t{0});
  ref.schema = json.value("schema", std::uint32_t{1});
  ref.bytes = json.value("bytes", std::string{});
  ref.schemas = json.value("schemas", std::string{});
  if (ref.from == ArgRef::From::file) {
    ref.file.name = json.at("name").get<std::string>();
    ref.file.digest = digest_at(json, "digest");
    ref.file.bytes = json.at("size").get<std::uint64_t>();
    ref.file.path = json.at("path").get<std::string>();
  } else {
    ref.path = json.value("path", std::string{});
  }
  return ref;
}

/// What the result depends on.
Json essence(const SharedTask& shared) {
  const Task& task = shared.task;
  Json json{{"node", task.node},
            {"item", task.item_key},
            {"fingerprint", task.fingerprint.hex()},
            {"approved", task.approved},
            {"approved_at", task.approved_at},
            {"epoch", task.epoch},
            {"closes", task.closes ? task.closes->hex() : ""},
            {"args", Json::array()},
            {"uid", shared.uid}};
  for (const ArgRef& ref : shared.args) json["args"].push_back(encode_ref(ref));
  return json;
}

}  // namespace

bool may_share(const detail::Graph& graph, std::uint32_t node) {
  const Node& declared = graph.nodes[node];
  // A file per item is rendered, announced and moved into its place by the owner alone.
  if (declared.kind != NodeKind::fan_out || !graph.patterns[node].empty()) return false;
  return std::ranges::all_of(declared.args, [&](const Arg& arg) {
    if (arg.kind == ArgKind::after) return true;
    switch (graph.nodes[arg.node].kind) {
      case NodeKind::input: return graph.redaction == nullptr;  // else the record lacks fields
      case NodeKind::files: return arg.list != nullptr;
      case NodeKind::secret:
      case NodeKind::condition:
      case NodeKind::stage: return true;
      // Else it is the whole list, which may be as long as this one.
      case NodeKind::fan_out: return arg.kind != ArgKind::value && arg.list == nullptr;
    }
    return false;
  });
}

std::string encode(const SharedTask& shared) {
  const Task& task = shared.task;
  Json json = essence(shared);
  json["place"] = task.item.value();
  json["generation"] = task.generation;
  json["resumed"] = shared.resumed;
  json["durability"] = static_cast<unsigned>(shared.durability);
  Json& inputs = json["inputs"] = Json::array();
  for (const auto& input : task.inputs) inputs.push_back({input.name, input.identity.hex()});
  Json& reasons = json["reasons"] = Json::array();
  for (const Reason reason : task.reasons) reasons.push_back(static_cast<unsigned>(reason));
  return packed(json);
}

std::string identity_of(const SharedTask& shared) { return digest(packed(essence(shared))).hex(); }

SharedTask decode_task(const detail::Graph& graph, std::string_view bytes) {
  try {
    const Json json = Json::from_cbor(bytes);
    SharedTask shared;
    Task& task = shared.task;
    task.node = json.at("node").get<std::uint32_t>();
    const Node& node = graph.nodes.at(task.node);
    task.item = json.at("place").get<std::size_t>();
    task.item_key = json.at("item").get<std::string>();
    task.key = core::item_key(node.name, task.item_key);
    task.fingerprint = digest_at(json, "fingerprint");
    task.generation = json.at("generation").get<std::uint64_t>();
    task.approved = json.at("approved").get<bool>();
    task.approved_at = json.at("approved_at").get<std::uint64_t>();
    task.epoch = json.at("epoch").get<std::uint64_t>();
    if (!json.at("closes").get<std::string>().empty()) task.closes = digest_at(json, "closes");
    for (const Json& input : json.at("inputs")) {
      const auto identity = Digest::parse(input.at(1).get<std::string>());
      task.inputs.push_back({input.at(0).get<std::string>(), identity.value()});
    }
    for (const Json& reason : json.at("reasons")) {
      task.reasons.push_back(static_cast<Reason>(reason.get<unsigned>()));
    }
    for (const Json& ref : json.at("args")) shared.args.push_back(decode_ref(ref));
    shared.resumed = json.at("resumed").get<bool>();
    shared.uid = json.at("uid").get<std::string>();
    shared.durability = static_cast<Durability>(json.at("durability").get<unsigned>());
    return shared;
  } catch (const std::exception&) {
    unreadable("a task");
  }
}

namespace {

/// What was thrown, as far as another process can throw it again.
Json encode_error(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& ours) {
    const ErrorInfo& info = ours.info();
    return {{"code", ours.code().value()},
            {"what", info.what},
            {"operation", info.operation},
            {"file", info.file},
            {"path", info.path},
            {"kept", info.kept},
            {"next", info.next}};
  } catch (...) {
    return {{"what", stage::words_of(error)}};
  }
}

std::exception_ptr decode_error(const Json& json, const Task& task, const std::string& stage) {
  const std::string what = json.at("what").get<std::string>();
  if (!json.contains("code")) return std::make_exception_ptr(std::runtime_error(what));
  ErrorInfo info{.what = what, .stage = stage, .item = task.item_key};
  info.operation = json.value("operation", "");
  info.file = json.value("file", "");
  info.path = json.value("path", "");
  info.kept = json.value("kept", "");
  info.next = json.value("next", "");
  return std::make_exception_ptr(Error{static_cast<Errc>(json.at("code").get<int>()), info});
}

Json encode_savings(const Savings& saved) {
  return {saved.duration.count(), saved.cost.usd, saved.cost.tokens};
}

Savings decode_savings(const Json& json) {
  return {Seconds{json.at(0).get<double>()},
          {json.at(1).get<double>(), json.at(2).get<std::uint64_t>()}};
}

Json encode_record(const record::Committed& record, std::string_view uid) {
  const Tag tag = core::encode_tag(record.head, {uid, record.path, record.generation});
  const auto* raw = reinterpret_cast<const char*>(tag.raw.data());
  return {{"path", record.path},
          {"generation", record.generation},
          {"tag", std::string{raw, tag.raw.size()}},
          {"bytes", record.bytes},
          {"seconds", record.seconds},
          {"durability", static_cast<unsigned>(record.durability)}};
}

record::Committed decode_record(const Json& json, std::string_view uid) {
  record::Committed record;
  record.path = json.at("path").get<std::string>();
  record.generation = json.at("generation").get<std::uint64_t>();
  const std::string raw = json.at("tag").get<std::string>();
  Tag tag;
  if (raw.size() != tag.raw.size()) throw std::invalid_argument{"tag"};
  std::ranges::copy(std::as_bytes(std::span{raw}), tag.raw.begin());
  const auto reading = core::decode_tag(tag, {uid, record.path, record.generation});
  if (reading.damage != Damage::none) throw std::invalid_argument{"tag"};
  record.head = reading.head;
  record.bytes = json.at("bytes").get<std::uint64_t>();
  record.seconds = json.at("seconds").get<double>();
  record.durability = static_cast<Durability>(json.at("durability").get<unsigned>());
  return record;
}

}  // namespace

std::string encode(const Completion& completion, std::string_view uid) {
  Json json{{"how", static_cast<unsigned>(completion.how)},
            {"saved", completion.saved},
            {"message", completion.message},
            {"attempts", completion.attempts},
            {"seconds", completion.seconds},
            {"usd", completion.cost.usd},
            {"tokens", completion.cost.tokens},
            {"continued", encode_savings(completion.continued_from_earlier_calls)},
            {"records", Json::array()}};
  for (const record::Committed& record : completion.records) {
    json["records"].push_back(encode_record(record, uid));
  }
  if (completion.error) json["error"] = encode_error(completion.error);
  if (completion.damage) {
    json["damaged"] = {completion.damage->path, completion.damage->generation};
  }
  Json& advice = json["advice"] = Json::array();
  for (const Advice& one : completion.advice) {
    advice.push_back({static_cast<unsigned>(one.option), one.selector, one.leave_out, one.purpose});
  }
  return packed(json);
}

void decode_result(std::string_view bytes, std::string_view uid, const std::string& stage,
                   Completion& completion) {
  try {
    const Json json = Json::from_cbor(bytes);
    completion.how = static_cast<Completion::How>(json.at("how").get<unsigned>());
    completion.saved = json.at("saved").get<bool>();
    completion.message = json.at("message").get<std::string>();
    completion.attempts = json.at("attempts").get<unsigned>();
    completion.seconds = json.at("seconds").get<double>();
    completion.cost = {json.at("usd").get<double>(), json.at("tokens").get<std::uint64_t>()};
    completion.continued_from_earlier_calls = decode_savings(json.at("continued"));
    for (const Json& record : json.at("records")) {
      completion.records.push_back(decode_record(record, uid));
    }
    if (json.contains("error")) {
      completion.error = decode_error(json.at("error"), completion.task, stage);
    }
    if (json.contains("damaged")) {
      completion.damage = {json.at("damaged").at(0).get<std::string>(),
                           json.at("damaged").at(1).get<std::uint64_t>()};
    }
    for (const Json& one : json.at("advice")) {
      completion.advice.push_back({.option = static_cast<Option>(one.at(0).get<unsigned>()),
                                   .selector = one.at(1).get<std::string>(),
                                   .leave_out = one.at(2).get<bool>(),
                                   .purpose = one.at(3).get<std::string>()});
    }
  } catch (const std::exception&) {
    unreadable("a result");
  }
}

std::string program_of(const detail::Graph& graph, const sys::Build& build) {
  Digester digester;
  digester.add(core::encode_graph(graph)).add(build.program);
  for (const auto& [library, id] : build.libraries) digester.add(library).add(id);
  return digester.finish().hex();
}

}  // namespace resumable::run
