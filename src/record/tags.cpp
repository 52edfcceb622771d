#include "record/tags.hpp"

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "record/record_index.hpp"

namespace resumable::record {
namespace {

constexpr std::string_view prefix = "@tag/";

/// Calls visit(tag or nullptr when it is damaged) for each tag that was not taken back.
template <class Visit>
void each_tag(const RecordIndex& records, Visit visit) {
  for (const std::string& path : records.paths_below(prefix)) {
    const auto rows = records.rows(path);
    if (plan::is_lost(rows)) visit(static_cast<const TagRecord*>(nullptr));
    const plan::Row* row = plan::newest_whole(rows);
    if (row == nullptr || row->head.kind != core::Kind::label) continue;
    const auto tag = decode_tag_record(records.text_of(path, *row));
    visit(tag ? &*tag : nullptr);
  }
}

}  // namespace

std::string encode_tag_record(const TagRecord& tag) {
  core::OrderedJson json{{"name", tag.name}, {"at", tag.at}};
  if (!tag.who.empty()) json["who"] = tag.who;
  auto& records = json["records"] = core::OrderedJson::array();
  for (const auto& [path, generation] : tag.records) records.push_back({path, generation});
  return json.dump(-1, ' ', false, core::OrderedJson::error_handler_t::replace);
}

std::optional<TagRecord> decode_tag_record(std::string_view bytes) {
  const auto json = core::Json::parse(bytes, nullptr, false);
  if (!json.is_object() || !json.contains("name") || !json.contains("records")) return {};
  try {
    TagRecord tag{.name = json.at("name").get<std::string>(),
                  .at = json.value("at", ""),
                  .who = json.value("who", ""),
                  .records = {}};
    for (const auto& one : json.at("records")) {
      tag.records.emplace_back(one.at(0).get<std::string>(), one.at(1).get<std::uint64_t>());
    }
    return tag;
  } catch (const core::Json::exception&) {
    return {};
  }
}

core::Key tag_key(std::string_view name) { return core::own_key("tag", name); }

Tagged tagged(const RecordIndex& records) {
  Tagged all;
  each_tag(records, [&](const TagRecord* tag) {
    if (tag != nullptr) {
      all.add(*tag);
    } else {
      all.add_all();
    }
  });
  return all;
}

bool has_tags(const RecordIndex& records) {
  bool any = false;
  each_tag(records, [&](const TagRecord*) { any = true; });
  return any;
}

std::vector<TagRecord> all_tags(const RecordIndex& records) {
  std::vector<TagRecord> tags;
  each_tag(records, [&](const TagRecord* tag) {
    if (tag != nullptr) tags.push_back(*tag);
  });
  return tags;
}

}  // namespace resumable::record
