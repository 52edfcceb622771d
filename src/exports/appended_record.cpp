#include "exports/appended_record.hpp"

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/key.hpp"

namespace resumable::exports {

Digest sequence_of(const std::vector<AppendedSoFar::Part>& parts) {
  Digester sequence;
  for (const AppendedSoFar::Part& one : parts) sequence.add(one.key).add(one.identity);
  return sequence.finish();
}

std::string text_of(std::string_view path, const AppendedSoFar& known) {
  core::OrderedJson json{{"path", path},
                         {"items", known.items},
                         {"sequence", known.sequence.hex()},
                         {"bytes", known.bytes},
                         {"digest", known.digest.hex()}};
  for (const AppendedSoFar::Part& one : known.parts) {
    core::list_in(json, "parts").push_back({one.key, one.identity.hex()});
  }
  if (known.edited) json["edited"] = true;
  if (known.former) {
    json["former"] = {{"bytes", known.former->bytes}, {"digest", known.former->digest.hex()}};
  }
  return json.dump(-1, ' ', false, core::Json::error_handler_t::replace);
}

std::optional<AppendedSoFar> parse_appended(std::string_view text) {
  const auto json = core::Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto sequence = Digest::parse(json.value("sequence", ""));
  const auto content = Digest::parse(json.value("digest", ""));
  if (!sequence || !content) return std::nullopt;
  AppendedSoFar known{json.value("items", std::size_t{0}), *sequence,
                      json.value("bytes", std::uint64_t{0}), *content};
  for (const auto& part : json.value("parts", core::Json::array())) {
    const auto identity = Digest::parse(part.at(1).get<std::string>());
    if (identity) known.parts.push_back({part.at(0).get<std::string>(), *identity});
  }
  known.edited = json.value("edited", false);
  if (const auto former = json.find("former"); former != json.end()) {
    const auto before = Digest::parse(former->value("digest", ""));
    if (before) known.former = {former->value("bytes", std::uint64_t{0}), *before};
  }
  return known;
}

record::Draft appended_draft(const record::RunFacts& facts, std::string_view path,
                             const AppendedSoFar& known) {
  auto draft = record::Draft::small(core::Kind::exported, core::own_key("appended", path),
                                    CodecId::json, text_of(path, known));
  draft.generation = facts.next_generation(draft.key.path);
  if (const plan::Row* row = facts.current(draft.key.path)) {
    draft.erase.emplace_back(draft.key.path, row->generation);
  }
  return draft;
}

}  // namespace resumable::exports
