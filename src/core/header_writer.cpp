#include "core/header_writer.hpp"

#include <algorithm>

#include "core/object_line.hpp"

namespace resumable::core {
namespace {

void write_export(const Export& one, ObjectLine& to) {
  to.text("path", one.path);
  to.digest("digest", one.digest);
  to.number("order", one.order);
  if (one.before) to.digest("before", *one.before);
  if (one.edited) to.yes("edited");
}

/// If an input occurs twice, the last identity counts.
void write_inputs(const std::vector<InputIdentity>& inputs, ObjectLine& to) {
  if (inputs.empty()) return;
  ObjectLine object = to.object("inputs");
  for (auto input = inputs.begin(); input != inputs.end(); ++input) {
    const auto same = [&](const InputIdentity& other) { return other.name == input->name; };
    if (std::any_of(inputs.begin(), input, same)) continue;
    object.digest_of(input->name, std::find_if(inputs.rbegin(), inputs.rend(), same)->identity);
  }
  object.end();
}

}  // namespace

std::string header_line(const Header& header, const Head& head) {
  std::string line;
  line.reserve(512);
  ObjectLine to{line};
  to.text("key", header.key);
  to.number("generation", header.generation);
  to.text("kind", to_string(head.kind));
  to.text("run", header.run_uid);
  to.text("pipeline", header.pipeline);
  to.text("at", header.at);
  to.number("schema", std::uint64_t{head.schema});
  to.text_if("type", header.schema_name);
  to.number("revision", std::uint64_t{head.revision});
  to.number("fence", head.fence);
  to.digest("identity", head.identity);
  to.number("seconds", header.seconds);
  to.number("attempts", std::uint64_t{header.attempts});
  if (header.cost != Cost{}) {
    ObjectLine cost = to.object("cost");
    cost.number("usd", header.cost.usd);
    cost.number("tokens", header.cost.tokens);
    cost.end();
  }
  write_inputs(header.inputs, to);
  if (header.passes != 0) to.number("passes", header.passes);
  if (header.from_generation != 0) to.number("from_generation", header.from_generation);
  to.list_if("exports", header.exports, write_export);
  to.list_if("confirmed", header.confirmed, write_export);
  to.text_if("adopted_by", header.adopted_by);
  to.text_if("edited_by", header.edited_by);
  to.list_if("collisions", header.collisions, [](const Collision& one, ObjectLine& object) {
    object.text("path", one.path);
    object.text("edit", one.edit);
    object.text("value", one.value);
  });
  to.text_if("dropped", header.dropped_at);
  to.text_if("shape", header.shape);
  to.text_if("schemas", header.schemas);
  ObjectLine payload = to.object("payload");
  payload.number("bytes", header.payload_bytes);
  payload.digest("digest", header.payload_digest);
  payload.text_if("sha256", header.payload_sha256);
  payload.end();
  return line;
}

}  // namespace resumable::core
