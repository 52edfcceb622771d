// One idea: a type changed, and saved values are migrated instead of made again.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

namespace before {
struct Research {
  std::vector<std::string> hits;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, hits)
}  // namespace before

namespace today {
struct Research {
  std::vector<std::string> findings, sources;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, findings, sources)
}  // namespace today

template <>
struct resumable::Schema<today::Research> {
  static constexpr std::string_view name = "research";
  static void add_sources(Json& doc) { doc["sources"] = Json::array(); }
  static void rename_hits(Json& doc) {
    doc["findings"] = doc.at("hits");
    doc.erase("hits");
  }
  static constexpr Migrations migrations{add_sources, rename_hits};  // 1 -> 2 -> 3
};

int main() {
  rs::MemoryStore store;
  rs::Pipeline old{"memo"};
  old.stage("research", [] { return before::Research{{"a fact"}}; });
  if (!rs::resume(old, store, {.run = "r"})) return 1;

  bool called = false;
  rs::Pipeline now{"memo"};
  const auto research = now.stage("research", [&called] {
    called = true;
    return today::Research{};
  });
  const rs::Report report = rs::resume(now, store, {.run = "r"});
  if (!report || called) return 1;
  std::cout << report.plan().text() << report[research].findings.front() << "\n";
  return report[research].findings.front() == "a fact" ? 0 : 1;
}
