// One idea: a plan says beforehand what will run and why. It is data, and exactly this plan can
// then be run.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

rs::Pipeline declare(const std::string& company, std::uint32_t revision) {
  rs::Pipeline memo{"memo"};
  const auto name = memo.input("company", company);
  const auto deck = memo.stage("deck", inputs(name), [](const std::string& n) { return n.size(); });
  const auto text = memo.stage({.name = "draft", .revision = revision}, inputs(deck, name),
                               [](std::size_t size, const std::string& n) {
                                 return rs::Text{n + ": " + std::to_string(size)};
                               });
  memo.artifact(text, "draft.md");
  return memo;
}

int main() {
  rs::FileStore store{"output"};
  if (!rs::resume(declare("Acme", 1), store, {.run = "r"})) return 1;

  const rs::Pipeline changed = declare("Fernstone", 2);
  const rs::Plan plan = rs::ResumePlanner{store}.plan(changed, {.run = "r"});
  std::cout << plan.text(true);
  for (const rs::Cause& cause : plan["draft"].causes) std::cout << to_string(cause.reason) << "\n";

  const rs::Report report = rs::resume(changed, store, plan);  // this plan, or refused
  const rs::Report again = rs::resume(changed, store, plan);
  std::cout << again.error()->explain() << '\n';
  return report && again.exit_code() == 3 ? 0 : 1;
}
