#include "inspector/json.hpp"

#include <ostream>

#include <nlohmann/json.hpp>

#include "core/cost_json.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
std::string_view damage_name(Damage damage) {
  switch (damage) {
    case Damage::none: return "none";
    case Damage::torn: return "damaged";
    case Damage::newer: return "newer";
    case Damage::foreign: return "foreign";
    case Damage::unreadable: return "unreadable";
  }
  return "damaged";
}

void print(const cli::Console& console, const Document& document) {
  console.out << document.dump(-1, ' ', false, Document::error_handler_t::replace) << "\n";
}

Document record_json(const survey::RecordView& record) {
  Document json{{"key", record.key},
                {"path", record.path},
                {"generation", record.generation},
                {"current", record.current},
                {"damage", damage_name(record.damage)},
                {"set_aside", record.quarantined},
                {"bytes", record.payload_bytes}};
  if (!record.kind.empty()) {
    json["kind"] = record.kind;
    json["codec"] = record.codec;
    json["schema_version"] = record.schema;
    json["revision"] = record.revision;
    json["fence"] = record.fence;
    json["identity"] = record.identity;
  }
  if (record.dropped) json["dropped"] = record.dropped_at;
  if (record.at.empty()) return json;
  json["at"] = record.at;
  json["seconds"] = record.seconds;
  json["attempts"] = record.attempts;
  json["cost"] = core::cost_json<Document>(record.cost);
  json["inputs"] = Document::object();
  for (const auto& [name, identity] : record.inputs) json["inputs"][name] = identity;
  json["exports"] = record.exports;
  return json;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
