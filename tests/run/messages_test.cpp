// What a stage's function says: as it is recorded, reported and printed.
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A run of one stage that throws this, in a file store.
class WhatAStageSays : public ::testing::Test {
 protected:
  Report run(const std::string& message) {
    const auto key = pipeline.secret("key", "sk-Fernstone"s);
    const auto pin = pipeline.secret("pin", "7"s);
    pipeline.stage("ask", inputs(key, pin),
                   [message](const std::string&, const std::string&) -> int {
                     throw std::runtime_error(message);
                   });
    return resume(pipeline, store, {.run = "r", .observers = {&log}});
  }
  [[nodiscard]] std::string everything() const {
    std::string all;
    for (const auto& [name, bytes] : snapshot(folder / "store")) all += bytes;
    for (const Event& event : log.events) all += event.message;
    return all;
  }

  TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline pipeline{"ask"};
  Log log;
};

TEST_F(WhatAStageSays, HasNoSecretsInIt) {
  const Report report = run("401: the key sk-Fernstone of 7 is wrong (sk-Fernstone)");
  EXPECT_EQ(report.stage("ask").message, "401: the key (secret) of 7 is wrong ((secret))");
  EXPECT_THAT(report.error()->explain(), HasSubstr("the key (secret) of 7"));
  EXPECT_THAT(everything(), HasSubstr("the key (secret)"));
  EXPECT_THAT(everything(), Not(HasSubstr("sk-Fernstone")));
}

TEST_F(WhatAStageSays, HasNoSecretsInItHoweverTheyAreSpelled) {
  const Report report =
      run("GET /?key=sk%2DFernstone, basic c2stRmVybnN0b25l, "
          "hex 736b2d4665726e73746f6e65");
  EXPECT_EQ(report.stage("ask").message, "GET /?key=(secret), basic (secret), hex (secret)");
  for (const char* spelled : {"%2D", "RmVybn", "4665726e"}) {
    EXPECT_THAT(everything(), Not(HasSubstr(spelled)));
  }
}

TEST_F(WhatAStageSays, IsCutAfter64KiBBetweenTwoCharacters) {
  const Report report = run("x" + [] {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "é";
    return text;
  }());
  const std::string& said = report.stage("ask").message;
  EXPECT_LT(said.size(), 65'600U);
  EXPECT_THAT(said.substr(said.size() - 40), ::testing::EndsWith("é… (334466 bytes more)"));
  EXPECT_LT(std::string{report.error()->what()}.size(), 66'000U);
  EXPECT_LT(everything().size(), 400'000U);
}

}  // namespace
}  // namespace resumable::test
