// Strict reading of JSON, and migrations of whatever it contains: arbitrary bytes are a value or a
// typed Error, never anything else, and what was read reads the same again. A part of a document is
// found by its pointer, and looking for one in anything else ends.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/error.hpp"
#include "resumable/store.hpp"

namespace {

struct Research {
  std::string company;
  std::vector<std::string> findings;
  std::vector<std::pair<std::string, std::int16_t>> sources;
  double score = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, company, findings, sources, score)

}  // namespace

template <>
struct resumable::Schema<Research> {
  static constexpr std::string_view name = "fuzz.research";
  static void add_sources(Json& doc) { doc["sources"] = Json::array(); }
  static void rename_hits(Json& doc) {
    doc["findings"] = doc.at("hits");
    doc.erase("hits");
  }
  static constexpr Migrations migrations{add_sources, rename_hits};
};

namespace {

namespace rs = resumable;

/// Decodes `bytes`; what decodes must encode, and to the same bytes the second time.
template <class T>
void check(const std::string& bytes, std::uint32_t version) {
  const auto& type = rs::detail::value_type<T>();
  try {
    auto value = type.decode(std::make_shared<const rs::StringPayload>(bytes), version);
    const std::string once = rs::read_all(*type.encode(value.get()));
    value = type.decode(std::make_shared<const rs::StringPayload>(once), type.version);
    if (rs::read_all(*type.encode(value.get())) != once) std::abort();
  } catch (const rs::Error& error) {
    if (error.errc() != rs::Errc::not_decodable) std::abort();
  }
}

/// The text of a part, read strictly; discarded if there is none.
rs::Json part_of(std::string_view text, const std::string& pointer) {
  const rs::Json none(rs::Json::value_t::discarded);
  try {
    const auto part = rs::detail::find_json(text, pointer);
    if (!part) return none;
    if (part->data() < text.data() || part->end() > text.end()) std::abort();
    return rs::detail::parse_json(*part);
  } catch (const rs::Error& error) {
    if (error.errc() != rs::Errc::not_decodable) std::abort();
    return none;
  }
}

void find_each(std::string_view text, const rs::Json& value, const rs::Json::json_pointer& place) {
  if (part_of(text, place.to_string()) != value) std::abort();
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) find_each(text, member, place / key);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) find_each(text, value[i], place / i);
  }
}

void check_parts(const std::string& bytes) {
  const std::vector<char> exact(bytes.begin(), bytes.end());  // no zero behind the end
  const std::string_view text(exact.data(), exact.size());
  for (const char* pointer : {"/findings", "/sources/1/0", "/score", "/0/0", "/1", "/"}) {
    static_cast<void>(part_of(text, pointer));
  }
  const rs::Json document = part_of(text, "");
  if (!document.is_discarded() && bytes.size() < 2000)
    find_each(text, document, rs::Json::json_pointer());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check<rs::Json>(bytes, 1);
  check_parts(bytes);
  for (std::uint32_t version = 1; version <= 3; ++version) check<Research>(bytes, version);
  check<std::vector<std::int8_t>>(bytes, 1);
  return 0;
}
