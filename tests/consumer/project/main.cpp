// A stranger's first program: three typed stages, run twice; the second time nothing runs.
#include <cstdio>
#include <string>
#include <vector>

#include <resumable/resumable.hpp>

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
}
