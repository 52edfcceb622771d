// One idea: a list known only at run time becomes items, each with its own checkpoint.
// Items are known by their keys: reordering runs nothing, adding one runs one.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

struct Chapter {
  std::string title;
  int pages = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chapter, title, pages)

std::size_t run(rs::CheckpointStore& store, const std::vector<Chapter>& outline) {
  rs::Pipeline book{"book"};
  const auto chapters = book.input("outline", outline);
  const auto texts =
      book.stage({.name = "texts", .concurrency = 2}, inputs(each(chapters, &Chapter::title)),
                 [](const Chapter& chapter) { return rs::Text{chapter.title + "…\n"}; });
  const auto counted =
      book.stage("counted", inputs(each(texts), matching(texts)),
                 [](const rs::Text& text, const rs::Text&) { return text.text.size(); });
  const rs::Report report = rs::resume(book, store, {.run = "my-book", .concurrency = 4});
  if (!report || report[counted].size() != outline.size()) std::exit(1);
  return report.stage("texts").items_run;
}

int main() {
  rs::MemoryStore store;
  const std::size_t first = run(store, {{"Sea", 10}, {"Land", 20}, {"Air", 5}});
  const std::size_t reordered = run(store, {{"Air", 5}, {"Sea", 10}, {"Land", 20}});
  const std::size_t added = run(store, {{"Air", 5}, {"Fire", 8}, {"Sea", 10}, {"Land", 20}});
  std::cout << first << " texts at first, " << reordered << " after reordering, " << added
            << " after adding one\n";
  return first == 3 && reordered == 0 && added == 1 ? 0 : 1;
}
