#include "resumable/resumable.hpp"

struct Deck {
  std::vector<std::string> pages;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Deck, pages)

void declare(resumable::Pipeline& memo) {
  const auto deck = memo.stage("deck", [] { return Deck{{"a"}}; });
  const auto names = memo.stage("names", inputs(deck), &Deck::pages);
  const auto pages = memo.stage("pages", inputs(each(names), deck),
                                [](resumable::Context& ctx, const std::string& name, const Deck&) {
                                  return resumable::Text{name + ctx.item()};
                                });
  const auto many =
      memo.condition("many", inputs(names), [](const auto& all) { return all.size() > 2; });
  const auto notify = memo.stage({.name = "notify", .when = !many}, inputs(after(pages)), [] {});
  memo.stage("links", inputs(after(notify), each(pages), matching(pages)),
             [](const resumable::Text& a, resumable::Text b) { return a.text + b.text; });
  memo.artifact(pages, "{item}.md", &resumable::Text::text);
}
