// A stranger's first program: three typed stages, run twice; the second time nothing runs.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <resumable/resumable.hpp>
#ifdef WITH_testing
#include <resumable/testing/check_store.hpp>
#endif

namespace rs = resumable;
using namespace std::string_literals;

struct Deck {
  std::string company;
  int slides = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Deck, company, slides)

struct Research {
  std::vector<std::string> findings;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, findings)

// The kit for stores, without a test framework.
bool stores_are_checked() {
#ifdef WITH_testing
  const auto report = rs::testing::check_store([](std::string_view place) {
    return std::make_unique<rs::FileStore>("checked/" + std::string{place});
  });
  if (!report.passed()) std::printf("%s", report.text().c_str());
  return report.passed() && report.find("durable") != nullptr;
#else
  return true;
#endif
}

int main() {
  int bodies = 0;

  rs::Pipeline memo{"memo"};
  const auto company = memo.input("company", "Fernstone"s);
  const auto deck = memo.stage("deck", inputs(company), [&bodies](const std::string& name) {
    ++bodies;
    return Deck{name, 12};
  });
  const auto research = memo.stage("research", inputs(deck), [&bodies](const Deck& d) {
    ++bodies;
    return Research{{d.company + " has " + std::to_string(d.slides) + " slides"}};
  });
  const auto draft =
      memo.stage("draft", inputs(deck, research), [&bodies](const Deck& d, const Research& r) {
        ++bodies;
        return d.company + ": " + r.findings.front();
      });

  rs::FileStore store{"output"};
  for (const int expected : {3, 3}) {
    const rs::Report report = rs::resume(memo, store, {.run = "fernstone-v0.0.1"});
    if (!report || bodies != expected || report[draft] != "Fernstone: Fernstone has 12 slides") {
      std::printf("exit code %d after %d bodies\n", report.exit_code(), bodies);
      return 1;
    }
  }
  return stores_are_checked() ? 0 : 1;
}
