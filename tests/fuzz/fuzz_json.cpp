// Strict reading of JSON, and migrations of whatever it contains: arbitrary bytes are a value or a
// typed Error, never anything else, and what was read reads the same again.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check<rs::Json>(bytes, 1);
  for (std::uint32_t version = 1; version <= 3; ++version) check<Research>(bytes, version);
  check<std::vector<std::int8_t>>(bytes, 1);
  return 0;
}
